import { existsSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it, onTestFinished, vi } from 'vitest'
import { NODE } from '../world.ts'
import { CLOUDFLARED, LOCALHOST_RUN, NGROK_JSON } from './banners.ts'
import { isRunning, script, temporaryFolder, tunnelOf } from './tunnels.ts'

/** Stays until it is ended. */
const STAY = 'exec sleep 600'
const HINT =
  'Run the tunnel command by itself to see what it prints and whether it stays, then start the listener again'

const never = () => new AbortController().signal

/** A command that prints this text, and stays if nothing else is wanted. */
function printing(text: string, where = '', then = STAY): string {
  const folder = temporaryFolder()
  writeFileSync(join(folder, 'text'), text)
  return script(folder, `cat '${join(folder, 'text')}' ${where}`, then)
}

/** The process ids that a script has written, one a line, as soon as there are this many. */
async function pidsIn(path: string, count: number): Promise<number[]> {
  const read = () => (existsSync(path) ? readFileSync(path, 'utf8').split('\n').slice(0, -1).map(Number) : [])
  await vi.waitFor(() => expect(read()).toHaveLength(count), { timeout: 20_000, interval: 20 })
  const pids = read()
  onTestFinished(() => {
    for (const pid of pids.filter(isRunning)) process.kill(pid, 'SIGKILL')
  })
  return pids
}

describe('the URL', () => {
  it.each([
    ['of cloudflared', CLOUDFLARED, 'https://four-dashed-word-url.trycloudflare.com'],
    ['of ngrok', NGROK_JSON, 'https://a1b2.ngrok-free.app'],
    // It prints the address of its own page without a path first.
    ['of localhost.run', LOCALHOST_RUN, 'https://admin.localhost.run/'],
    ['at the end of a sentence', 'Visit https://a.example.\n', 'https://a.example'],
    ['in brackets', '[https://a.example] (https://b.example)\n', 'https://a.example'],
    ['with a port', 'https://a.example:8443\n', 'https://a.example:8443'],
    ['in capitals', 'HTTPS://A.Example\n', 'https://a.example'],
    ['in a frame', '│ https://a.example │\n', 'https://a.example'],
    ['as a Markdown link', '**https://a.example**\n', 'https://a.example'],
    ['that is https', 'http://a.example -> https://b.example\n', 'https://b.example'],
    ['on its own', 'http://a.example/?to=https://b.example https://c.example\n', 'https://c.example'],
    ['that comes first', 'https://a.example https://b.example\n', 'https://a.example'],
    ['with a lone slash', 'https://a.example/docs https://b.example/ https://c.example\n', 'https://b.example/'],
    ['without a query', 'https://a.example?x https://b.example/?x https://c.example\n', 'https://c.example'],
    ['without a password', 'https://me:secret@a.example https://b.example\n', 'https://b.example'],
    ['with a host', `https://<name>.example https://... https://${':'.repeat(60_000)}x https://b.ex\n`, 'https://b.ex'],
    ['in colours', '\x1b[1;32mhttps://\x1b[4ma.example\x1b[0m\n', 'https://a.example'],
    [
      'as a link of the terminal',
      '\x1b]8;;https://x.example/y\x1b\\https://a.example\x1b]8;;\x07\n',
      'https://a.example',
    ],
    ['before a move of the cursor', '\x1b[2;30Hhttps://a.example\x1b[3;1HConnections', 'https://a.example'],
    ['on a line that is drawn anew', 'wait 1\rwait 2\rhttps://a.example\r', 'https://a.example'],
    ['at the end of a very long line', `${'.'.repeat(400_000)} https://a.example\n`, 'https://a.example'],
  ])('is the one %s', async (_, text, url) => {
    const tunnel = tunnelOf(printing(text, '', 'exit 1'))
    expect(await tunnel.url(never())).toBe(url)
    await tunnel.ended
  })

  it('is read on stderr', async () => {
    expect(await tunnelOf(printing('https://a.example\n', '>&2')).url(never())).toBe('https://a.example')
  })

  it('is read whole, however the output is cut', async () => {
    const folder = temporaryFolder()
    const text = '\x1b[1mé https://docs.example/x https://\x1b[32ma.exam\x1b[1mple\x1b[0m\r\n'
    const each = `for (const c of ${JSON.stringify(text)}) { process.stdout.write(c); await new Promise((r) => setTimeout(r, 2)) }`
    writeFileSync(join(folder, 'drip.mjs'), each)
    const tunnel = tunnelOf(script(folder, `'${NODE}' '${folder}/drip.mjs'`, STAY))
    expect(await tunnel.url(never())).toBe('https://a.example')
  })

  it('is not put together from two streams', async () => {
    const parts = ['printf https://a.exam', 'echo ple.example >&2', 'echo ple']
    const tunnel = tunnelOf(script(temporaryFolder(), parts.join('; sleep 0.05; '), STAY))
    expect(await tunnel.url(never())).toBe('https://a.example')
  })

  it('counts at the end of the wait if its line has not ended', async () => {
    const tunnel = tunnelOf(printing('https://a.example/x\nat https://a.example'), { urlMs: 500 })
    expect(await tunnel.url(never())).toBe('https://a.example')
  })

  it('has the port in it if the command says so', async () => {
    const tunnel = tunnelOf(`echo "https://a-{port}.example:$\{port}"; ${STAY}`)
    expect(await tunnel.url(never())).toBe('https://a-4242.example:4242')
  })

  it('is not waited for after an interrupt', async () => {
    const interrupt = new AbortController()
    const url = tunnelOf(STAY).url(interrupt.signal)
    interrupt.abort()
    expect(await url).toBeNull()
    expect(await tunnelOf(STAY).url(interrupt.signal)).toBeNull()
  })

  it.each([
    ['nothing', '', []],
    ['no https', 'http://a.example\n', ['http://a.example']],
    ['only pages of help', 'one\nsee https://a.example/docs\nand https://b.example/x', ['see', 'and']],
  ])('that does not come in time is a failure: %s', async (_, text, words) => {
    const url = tunnelOf(printing(text), { urlMs: 500 }).url(never())
    await expect(url).rejects.toMatchObject({
      exitCode: 6,
      message: 'The tunnel command printed no https URL without a path within 500 ms',
      details: words.map((word) => expect.stringContaining(word)),
      hint: HINT,
    })
  })
})

describe('a tunnel that ends', () => {
  it.each([
    ['with a code', 'exit 3', 'The tunnel command exited with code 3'],
    ['by a signal', 'kill -9 $$', 'The tunnel command was terminated by SIGKILL'],
    ['well', 'exit 0', 'The tunnel command exited with code 0, but it must stay in the foreground'],
    [
      'to stay in the background',
      'sleep 600 & exit 0',
      'The tunnel command exited with code 0, but it must stay in the foreground',
    ],
  ])('%s says so, before it has a URL and after', async (_, command, message) => {
    const failure = { exitCode: 6, message, hint: HINT }
    await expect(tunnelOf(command).url(never())).rejects.toMatchObject({ ...failure, details: [] })
    const later = tunnelOf(`echo https://a.example; ${command}`)
    expect(await later.url(never())).toBe('https://a.example')
    expect(await later.ended).toMatchObject({ ...failure, details: ['https://a.example'] })
  })

  it('because it does not exist is a mistake, unless it had a URL', async () => {
    await expect(tunnelOf('no-such-tunnel {port}').url(never())).rejects.toMatchObject({
      exitCode: 2,
      message: '`--tunnel`: the command `no-such-tunnel {port}` was not found',
      details: [expect.stringContaining('not found')],
      hint: 'Install the tunnel program, or check its path: `command -v no-such-tunnel`',
    })
    expect(await tunnelOf('echo https://a.example; no-such-tunnel').ended).toMatchObject({ exitCode: 6 })
  })

  it.each([
    ['the last two lines', 'one\ntwo\nthree\n', ['two', 'three']],
    ['what has no end of line', 'one\ntwo', ['one', 'two']],
    ['frames and empty lines left out', 'one\n+----+\n\n│    │\n', ['one']],
    ['no colours', '\x1b[31mone\x1b[0m\r\n', ['one']],
    ['the last states of a line that is drawn anew', 'wait 1\rwait 2\rwait 3\r', ['wait 2', 'wait 3']],
    ['spaces once', '  one \t  two  ', ['one two']],
    ['a long line cut', 'x'.repeat(500), [`${'x'.repeat(200)}…`]],
  ])('is quoted: %s', async (_, text, details) => {
    expect(await tunnelOf(printing(text, '', 'exit 1')).ended).toMatchObject({ details })
  })
})

describe('close', () => {
  const HEARTBEAT = `
    const { appendFileSync } = require('node:fs')
    const { spawn } = require('node:child_process')
    const [folder, depth] = process.argv.slice(2)
    process.on('SIGTERM', () => undefined)
    appendFileSync(folder + '/pids', process.pid + '\\n')
    setInterval(() => appendFileSync(folder + '/beats', '.'), 5)
    if (depth > 0) spawn(process.execPath, [__filename, folder, depth - 1], { stdio: 'ignore' })
  `

  it('ends what ignores SIGTERM, and its children', async () => {
    const folder = temporaryFolder()
    const path = join(folder, 'heartbeat.cjs')
    writeFileSync(path, HEARTBEAT)
    const start = `'${NODE}' '${path}' '${folder}' 2 >/dev/null 2>&1 &`
    const tunnel = tunnelOf(script(folder, "trap '' TERM", start, 'echo https://a.example', 'wait; sleep 600'))
    expect(await tunnel.url(never())).toBe('https://a.example')
    const pids = await pidsIn(join(folder, 'pids'), 3)
    expect(pids.every(isRunning)).toBe(true)
    await tunnel.close()
    const beats = readFileSync(join(folder, 'beats')).length
    expect(pids.filter(isRunning)).toEqual([])
    expect(readFileSync(join(folder, 'beats'))).toHaveLength(beats)
  })

  it('ends what a tunnel that has ended left running', async () => {
    const folder = temporaryFolder()
    const tunnel = tunnelOf(script(folder, `sleep 600 >/dev/null 2>&1 & echo $! >> '${folder}/pids'`, 'exit 1'))
    await tunnel.ended
    const [left = 0] = await pidsIn(join(folder, 'pids'), 1)
    expect(isRunning(left)).toBe(true)
    await tunnel.close()
    expect(isRunning(left)).toBe(false)
  })

  it('lets a tunnel end in its own way', async () => {
    const folder = temporaryFolder()
    const path = join(folder, 'polite.cjs')
    const bye = `require('node:fs').writeFileSync(${JSON.stringify(join(folder, 'bye'))}, 'bye')`
    const stay = "setInterval(() => undefined, 1000); console.log('https://a.example')"
    writeFileSync(path, `process.on('SIGTERM', () => { ${bye}; process.exit() }); ${stay}`)
    const tunnel = tunnelOf(`exec '${NODE}' '${path}'`)
    await tunnel.url(never())
    await tunnel.close()
    expect(readFileSync(join(folder, 'bye'), 'utf8')).toBe('bye')
  })

  it('gives the last answers time to pass through, and can be asked for twice', async () => {
    const order: string[] = []
    const { kill } = process
    const killing = vi.spyOn(process, 'kill').mockImplementation((pid, signal) => {
      order.push(String(signal))
      return Reflect.apply(kill, process, [pid, signal])
    })
    onTestFinished(() => killing.mockRestore())
    const tunnel = tunnelOf(`echo https://a.example; ${STAY}`)
    await tunnel.url(never())
    setTimeout(() => order.push('answer'), 20)
    await Promise.all([tunnel.close(), tunnel.close()])
    expect(order.filter((step) => step !== '0')).toEqual(['answer', 'SIGTERM'])
  })

  it('reports a process that it is not permitted to end', async () => {
    const told: string[] = []
    const { kill } = process
    const killing = vi.spyOn(process, 'kill').mockImplementation((pid) => {
      onTestFinished(() => void Reflect.apply(kill, process, [pid, 'SIGKILL']))
      throw Object.assign(new Error('kill EPERM'), { code: 'EPERM' })
    })
    onTestFinished(() => killing.mockRestore())
    const tunnel = tunnelOf(`echo https://a.example; ${STAY}`, { onLeft: (line) => told.push(line) })
    await tunnel.url(never())
    await tunnel.close()
    expect(told).toEqual([
      expect.stringMatching(/^The tunnel command runs as another user; stop process \d+ yourself$/),
    ])
  })
})

describe('the environment of a tunnel', () => {
  it('is what it was given', async () => {
    const env = { PATH: process.env.PATH, OWN: 'mine' }
    const tunnel = tunnelOf(`echo "https://$OWN.example$PIXGATE_CLIENT_SECRET"; ${STAY}`, { env })
    expect(await tunnel.url(never())).toBe('https://mine.example')
  })

  it('has an input that does not end', async () => {
    const tunnel = tunnelOf(`test -c /dev/stdin && echo https://nothing.example; echo https://a.example; ${STAY}`)
    expect(await tunnel.url(never())).toBe('https://a.example')
  })
})
