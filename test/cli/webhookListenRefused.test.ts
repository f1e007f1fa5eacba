import { statSync } from 'node:fs'
import { join } from 'node:path'
import { expect, it } from 'vitest'
import { readRefusedWebhooks } from '../../src/listener/refusedWebhooks.ts'
import { here } from '../inProcess.ts'
import { listeningHere, SECRET } from '../listener/listening.ts'
import { signature } from '../listener/webhooks.ts'
import { emptyWorld, type World } from '../world.ts'
import { outcomeOf, send } from './listenerRun.ts'
import { hmac } from './webhookTarget.ts'

const SIGNED = '{"event":"pix.received","data":{"idTransaction":"a","amount":10.50}}'
/** As Python writes it after parsing it. */
const REWRITTEN = '{"event": "pix.received", "data": {"idTransaction": "a", "amount": 10.5}}'
const OTHER_SECRET = 'the-secret-of-another-profile'
const LAST = ['webhook', 'verify', '--last-refused']

async function withOtherProfile(): Promise<World> {
  const world = emptyWorld()
  const add = [
    'profile',
    'add',
    'other',
    '--base-url',
    'http://127.0.0.1:1',
    '--client-id',
    'x',
    '--client-secret-stdin',
  ]
  await world.prepare(add, { stdin: OTHER_SECRET })
  return world
}

it('keeps what was refused, and tells the cause after the answer', { timeout: 60_000 }, async () => {
  const world = await withOtherProfile()
  const listening = await listeningHere(world)
  const { port } = listening
  const lines = [`X-Signature: ${signature(Buffer.from(SIGNED))}`]
  expect(await send(port, { body: REWRITTEN, lines: [...lines, 'Cookie: own'] })).toBe(401)
  await expect.poll(() => listening.printed.length, { timeout: 20_000 }).toBe(3)
  // One of another profile is diagnosed with the listener's own secret only.
  expect(await send(port, { body: SIGNED, lines: [`X-Signature: ${hmac(SIGNED, OTHER_SECRET)}`] })).toBe(401)
  await expect.poll(() => listening.printed.length, { timeout: 20_000 }).toBe(5)
  expect(await send(port, { body: `{"a":"${SECRET}"}`, lines: [] })).toBe(401)
  expect(await send(port, { body: JSON.stringify('x'.repeat(70_000)), lines })).toBe(401)
  expect(await send(port, { method: 'GET' })).toBe(405)
  listening.signal('SIGINT')
  const { lines: printed } = await outcomeOf(listening)
  const [first, second] = printed.filter(({ type }) => type === 'diagnosis')
  expect(first).toMatchObject({ cause: 'reserialized', serializers: ["Python's json.dumps"] })
  expect(second).toMatchObject({
    cause: null,
    receivedAt: printed.filter(({ type }) => type === 'event')[1]?.receivedAt,
  })
  expect(second?.tried).not.toContain('other-profile')

  expect(statSync(join(join(world.home, 'data'), 'refused-webhooks.json')).mode & 0o777).toBe(0o600)
  const env = { PIXGATE_CLIENT_SECRET: SECRET }
  const verify = (n: string) => here(world)([...LAST, n, '-o', 'json'], { env })
  const errorOf = ({ stderr }: { stderr: string }) => JSON.parse(stderr).error.message
  const cut = await verify('1')
  expect([cut.exit, errorOf(cut)]).toEqual([
    1,
    'Only 65536 of the 70002 bytes of this refused webhook are kept, so it cannot be verified again',
  ])
  const redacted = await verify('2')
  expect([redacted.exit, errorOf(redacted)]).toEqual([
    1,
    'A secret was removed from this refused webhook, so it cannot be verified again',
  ])
  const foreign = await verify('3')
  expect([foreign.exit, JSON.parse(foreign.stdout)]).toMatchObject([1, { cause: 'other-profile', profile: 'other' }])
  const own = await world.run(LAST.concat('4'), { env })
  expect([own.exit, own.stdout.split('\n')[1]]).toEqual([
    1,
    "The JSON was parsed and written again, as Python's json.dumps writes it",
  ])
  expect(own.stderr).toMatch(/^Refused at .* BRT: wrong signature$/m)
  const none = await verify('5')
  expect([none.exit, errorOf(none)]).toEqual([3, 'Only 4 refused webhooks are kept on this machine'])
})

it('keeps the last 50, of all listeners', { timeout: 60_000 }, async () => {
  const world = emptyWorld()
  for (const from of [0, 30]) {
    const listening = await listeningHere(world)
    for (let n = from; n < from + 30; n += 1) await send(listening.port, { body: `{"n":${n}}`, lines: [] })
    listening.signal('SIGINT')
    await outcomeOf(listening)
  }
  const kept = readRefusedWebhooks(join(world.home, 'data')).map(({ body }) => JSON.parse(body.toString()).n)
  expect(kept).toEqual(Array.from({ length: 50 }, (_, place) => 59 - place))
})
