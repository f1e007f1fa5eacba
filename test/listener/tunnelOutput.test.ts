import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { TunnelOutput } from '../../src/listener/tunnelOutput.ts'
import { CLOUDFLARED, LOCALHOST_RUN, NGROK_JSON } from './banners.ts'

function read(...chunks: string[]): TunnelOutput {
  const output = new TunnelOutput()
  for (const chunk of chunks) output.add('stdout', chunk)
  return output
}

const bare = (url: string) => ({ url, doubt: 0 })

describe('the best URL', () => {
  it.each([
    ['of cloudflared', CLOUDFLARED, bare('https://four-dashed-word-url.trycloudflare.com')],
    ['of localhost.run', LOCALHOST_RUN, bare('https://47970a65005227.lhr.life')],
    ['of ngrok', NGROK_JSON, bare('https://a1b2.ngrok-free.app')],
    [
      'in a log',
      'lvl=info msg="started" url=https://a1.ngrok.io addr=http://localhost:1\n',
      bare('https://a1.ngrok.io'),
    ],
    ['at the end of a sentence', 'Visit https://a.example.\n', bare('https://a.example')],
    ['in brackets', '[https://a.example] (https://b.example)\n', bare('https://a.example')],
    ['with a port', 'https://a.example:8443\n', bare('https://a.example:8443')],
    ['in capitals', 'HTTPS://A.Example\n', bare('https://a.example')],
    ['in a frame', '│ https://a.example │\n', bare('https://a.example')],
    ['as a Markdown link', '**https://a.example**\n', bare('https://a.example')],
    ['that is https', 'http://a.example -> https://b.example\n', bare('https://b.example')],
    ['on its own', 'http://a.example/?to=https://b.example https://c.example\n', bare('https://c.example')],
    ['before others', 'https://a.example https://b.example\n', bare('https://a.example')],
    ['without a path', 'https://a.example/docs https://b.example/ https://c.example\n', bare('https://c.example')],
    ['with a lone slash', 'https://a.example/docs https://b.example/\n', { url: 'https://b.example/', doubt: 1 }],
    ['with a path', 'https://a.example/x?y=1=\n', { url: 'https://a.example/x?y=1=', doubt: 2 }],
    ['with a query only', 'https://a.example?x\n', { url: 'https://a.example/?x', doubt: 2 }],
    ['that may go on', 'https://a.exam', { url: 'https://a.exam', doubt: 1 }],
    ['that may go on with a path', 'https://a.example/do', { url: 'https://a.example/do', doubt: 2 }],
    ['in colours', '\x1b[1;32mhttps://\x1b[4ma.example\x1b[0m\n', bare('https://a.example')],
    [
      'as a link of the terminal',
      '\x1b]8;;https://x.example/y\x1b\\https://a.example\x1b]8;;\x07\n',
      bare('https://a.example'),
    ],
    ['before a move of the cursor', '\x1b[2;30Hhttps://a.example\x1b[3;1HConnections', bare('https://a.example')],
    ['on a line that is drawn anew', 'wait 1\rwait 2\rhttps://a.example\r', bare('https://a.example')],
    ['at the end of a very long line', `${'.'.repeat(200_000)} https://a.example\n`, bare('https://a.example')],
    ['none: http', 'http://a.example\n', undefined],
    ['none: a placeholder', 'https://<name>.example https://... https://\n', undefined],
    ['none: a password', 'https://me:secret@a.example\n', undefined],
    ['none: too long', `https://a.example/${'x'.repeat(3000)}\n`, undefined],
    ['none: no host', `https://${':'.repeat(60_000)}x\n`, undefined],
    ['none', '', undefined],
  ])('%s', (_, text, best) => {
    expect(read(text).best).toEqual(best)
  })

  it('is the same however the output is cut', () => {
    const text = `\x1b[1mé │ https://docs.example/x https://\x1b[32ma.exam\x1b[1mple\x1b[0m │\r\nhttps://b.example\n`
    const cuts = fc.array(fc.nat({ max: text.length }), { maxLength: 12 })
    fc.assert(
      fc.property(cuts, (places) => {
        const sorted = [0, ...places.sort((one, other) => one - other), text.length]
        const chunks = sorted.slice(1).map((end, index) => text.slice(sorted[index], end))
        expect(read(...chunks).best).toEqual(bare('https://a.example'))
      }),
    )
  })

  it('is not put together from two streams', () => {
    const output = new TunnelOutput()
    output.add('stdout', 'https://a.exam')
    output.add('stderr', 'ple.example\n')
    output.add('stdout', 'ple\n')
    expect(output.best).toEqual(bare('https://a.example'))
  })

  it('is found behind more than a line may hold', () => {
    const output = new TunnelOutput()
    for (let count = 0; count < 40; count++) output.add('stdout', 'x'.repeat(10_000))
    output.add('stdout', `${'x'.repeat(100_000)} https://a.exam`)
    output.add('stdout', 'ple ')
    expect(output.best).toEqual(bare('https://a.example'))
  })
})

describe('the last words', () => {
  it.each([
    ['the last two lines', 'one\ntwo\nthree\n', ['two', 'three']],
    ['what has no end of line', 'one\ntwo', ['one', 'two']],
    ['frames and empty lines left out', 'one\n+----+\n\n│    │\n', ['one']],
    ['no colours', '\x1b[31mone\x1b[0m\r\n', ['one']],
    ['the last states of a line that is drawn anew', 'wait 1\rwait 2\rwait 3\r', ['wait 2', 'wait 3']],
    ['spaces once', '  one \t  two  ', ['one two']],
    ['a long line cut', 'x'.repeat(500), [`${'x'.repeat(200)}…`]],
    ['nothing', '', []],
  ])('are %s', (_, text, quote) => {
    expect(read(text).quote).toEqual(quote)
  })
})
