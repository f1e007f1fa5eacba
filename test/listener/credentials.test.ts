import { readdirSync, readFileSync } from 'node:fs'
import { request } from 'node:http'
import { join } from 'node:path'
import { expect, it } from 'vitest'
import { webhookTarget } from '../cli/webhookTarget.ts'
import { recordsOf } from '../ledger/storedLedger.ts'
import { emptyWorld, type World } from '../world.ts'
import { interrupt, SECRET, startListening } from './listening.ts'
import { eventBody, signature } from './webhooks.ts'

const CREDENTIALS = ['bearer-credential', 'proxy-credential', 'cookie-credential', 'query-credential']
const HEADERS = {
  'Content-Type': 'application/json',
  Authorization: 'Bearer bearer-credential',
  'Proxy-Authorization': 'Basic proxy-credential',
  cookie: 'sid=cookie-credential',
  'X-Other': `before ${SECRET} after`,
}
const TARGET = `/hook?a=1&token=query-credential&b=${SECRET}`

/** Posts a webhook as it is, and gives the status of the answer. */
function post(port: number, body: Buffer): Promise<number | undefined> {
  return new Promise((resolve, reject) => {
    const headers = { ...HEADERS, 'X-Signature': signature(body) }
    const sent = request({ host: '127.0.0.1', port, method: 'POST', path: TARGET, headers })
    sent.on('response', (answer) => {
      answer.resume()
      resolve(answer.statusCode)
    })
    sent.on('error', reject)
    sent.end(body)
  })
}

/** Which of these texts the files of the data folder hold. */
function storedOf({ home }: World, texts: readonly string[]): string[] {
  const folder = join(home, 'data')
  const files = readdirSync(folder).filter((name) => name.startsWith('ledger'))
  const bytes = Buffer.concat(files.map((name) => readFileSync(join(folder, name))))
  return texts.filter((text) => bytes.includes(text))
}

it('forwards a delivery whole, and stores, exports and prints it without its credentials', async () => {
  const world = emptyWorld()
  const target = await webhookTarget()
  const origin = new URL(target.url).origin
  const listening = await startListening(world, ['--forward-to', origin])
  const body = eventBody('a')
  expect(await post(listening.port, body)).toBe(200)
  await expect.poll(() => target.posted.length).toBe(1)
  expect((await interrupt(listening)).exit).toBe(0)

  const [posted] = target.posted
  expect(posted?.target).toBe(TARGET)
  expect(posted?.headers).toContainEqual(['Authorization', 'Bearer bearer-credential'])
  expect(posted?.headers).toContainEqual(['cookie', 'sid=cookie-credential'])

  await listening.allRead
  const exported = await world.prepare(['history', 'export'])
  const shown = await world.prepare(['webhook', 'events', 'show', '1'])
  const listed = await world.prepare(['webhook', 'events', '-o', 'json'])
  for (const text of [listening.printed.join('\n'), exported, shown, listed]) {
    expect([SECRET, ...CREDENTIALS].filter((credential) => text.includes(credential))).toEqual([])
    expect(text).toContain('/hook?a=1&token=[redacted]&b=')
  }
  expect(storedOf(world, [SECRET, ...CREDENTIALS])).toEqual([])
  const [event, forward] = await recordsOf(world)
  expect(event).toMatchObject({
    target: '/hook?a=1&token=[redacted]&b=[redacted]',
    bodyBase64: body.toString('base64'),
  })
  expect(event?.type === 'event' && event.headers.filter(([, value]) => value.includes('[redacted]'))).toEqual([
    ['Authorization', '[redacted]'],
    ['Proxy-Authorization', '[redacted]'],
    ['cookie', '[redacted]'],
    ['X-Other', 'before [redacted] after'],
  ])
  expect(forward).toMatchObject({ type: 'forward', url: `${origin}/hook?a=1&token=[redacted]&b=[redacted]` })

  const replayed = await world.run(['webhook', 'replay', '1'])
  expect(replayed.exit).toBe(0)
  expect(replayed.stderr).toContain(`To ${origin}/hook?a=1: its last forward target, without token, b`)
  expect(replayed.stderr).toContain(
    'warning: Not sent, because credentials are not recorded: Authorization, Proxy-Authorization, cookie, X-Other',
  )
  const again = target.posted[1]
  expect(again?.target).toBe('/hook?a=1')
  expect(again?.body).toBe(body.toString())
  expect(again?.headers.map(([name]) => name.toLowerCase()).filter((name) => /auth|cookie|other/.test(name))).toEqual(
    [],
  )
  expect(again?.headers).toContainEqual(['X-Signature', signature(body)])
})

it('imports a webhook without its credentials', async () => {
  const world = emptyWorld({ PIXGATE_CLIENT_SECRET: SECRET })
  const body = eventBody('a')
  const head = Object.entries({ ...HEADERS, 'X-Signature': signature(body) }).map(
    ([name, value]) => `${name}: ${value}`,
  )
  const stdin = `POST ${TARGET} HTTP/1.1\r\n${head.join('\r\n')}\r\n\r\n${body}`
  expect((await world.run(['history', 'import', '-'], { stdin })).exit).toBe(0)
  expect(storedOf(world, [SECRET, ...CREDENTIALS])).toEqual([])
})

it('keeps the body byte for byte, even if it holds the secret', async () => {
  const world = emptyWorld({ PIXGATE_CLIENT_SECRET: SECRET })
  const body = Buffer.from(JSON.stringify({ event: 'pix.received', data: { idTransaction: 'a', note: SECRET } }))
  const stdin = JSON.stringify({ body: body.toString(), signature: signature(body) })
  expect((await world.run(['history', 'import', '-'], { stdin })).exit).toBe(0)
  expect(await recordsOf(world)).toMatchObject([{ bodyBase64: body.toString('base64') }])
})
