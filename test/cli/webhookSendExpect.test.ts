import { execFile } from 'node:child_process'
import { promisify } from 'node:util'
import { expect, it } from 'vitest'
import { here } from '../inProcess.ts'
import { emptyWorld } from '../world.ts'
import { inThisProcess } from './payments.ts'
import { recordEvent } from './recordedEvents.ts'
import { hmac, signaturesOf, webhookTarget } from './webhookTarget.ts'

const AWKWARD = '{ "event":"it\'s", "data":{"amount":10.50,"x":"\\u00e9é\\n"} }\n'

it.each<[answers: number[], words: string[], exit: number]>([
  [[401], ['--bad-signature', '--expect', '401'], 0],
  [[200], ['--bad-signature', '--expect', '401'], 1],
  [[401], ['--bad-signature'], 1],
  [[200], ['--bad-signature'], 0],
  [[204], ['--expect', '200'], 1],
  [[500, 500], ['--times', '2', '--expect', '500'], 0],
  [[500, 200], ['--times', '2', '--expect', '500'], 1],
])('for the answers %j to `send %j` the exit code is %i', async (answers, words, exit) => {
  const target = await webhookTarget()
  target.answer(...answers)
  const world = inThisProcess(emptyWorld())
  const run = words.includes('--times') ? world.run : here(world)
  expect((await run(['webhook', 'send', 'payment', '--to', target.url, ...words])).exit).toBe(exit)
})

it('ends with 6 if the target was not reached, whatever is expected', async () => {
  const args = ['webhook', 'send', 'payment', '--to', 'http://127.0.0.1:1/', '--expect', '401']
  const { exit, stdout } = await emptyWorld().run(args)
  expect(exit).toBe(6)
  expect(stdout).toContain('Nothing listens at http://127.0.0.1:1; is your server running?')
})

it('expects a status of what is replayed too', async () => {
  const world = inThisProcess(emptyWorld())
  const target = await webhookTarget()
  await recordEvent(world, '{"event":"pix.received","data":{}}')
  target.answer(409)
  const replay = ['webhook', 'replay', '1', '--to', target.url]
  expect((await world.run([...replay, '--expect', '409'])).exit).toBe(0)
  expect((await world.run(replay)).exit).toBe(1)
  expect((await world.run(['webhook', 'replay', '1', '--to', 'http://127.0.0.1:1/'])).exit).toBe(6)
})

it.each(['0', '99', '600', 'ok'])('does not expect %s', async (typed) => {
  const ran = await here(emptyWorld())(['webhook', 'send', 'payment', '--expect', typed, '-o', 'json'])
  expect(ran.exit).toBe(2)
  expect(ran.stderr).toContain('--expect')
})

it('prints the exact request with --dry-run, and sends nothing', async () => {
  const target = await webhookTarget()
  const args = ['webhook', 'send', '--body', '-', '--to', target.url, '--dry-run']
  const ran = await inThisProcess(emptyWorld()).run([...args, '-o', 'json'], { stdin: AWKWARD })
  expect(ran).toMatchObject({ exit: 0, stderr: '' })
  expect(JSON.parse(ran.stdout)).toEqual({
    method: 'POST',
    url: target.url,
    headers: {
      Host: new URL(target.url).host,
      'Content-Type': 'application/json',
      'User-Agent': 'pixgate',
      'X-Signature': hmac(AWKWARD),
      Connection: 'keep-alive',
      'Content-Length': String(Buffer.byteLength(AWKWARD)),
    },
    body: AWKWARD,
  })
  const shown = await here(emptyWorld())(args, { stdin: '{"a":1}' })
  expect(shown.stdout.split('\n')).toEqual([
    `POST ${target.url}`,
    `Host: ${new URL(target.url).host}`,
    'Content-Type: application/json',
    'User-Agent: pixgate',
    `X-Signature: ${hmac('{"a":1}')}`,
    'Connection: keep-alive',
    'Content-Length: 7',
    '',
    '{"a":1}',
  ])
  const replayed = inThisProcess(emptyWorld())
  await recordEvent(replayed, AWKWARD)
  const raw = await replayed.run(['webhook', 'replay', '1', '--to', target.url, '--dry-run'])
  expect(raw.stdout.slice(raw.stdout.indexOf('\n\n') + 2)).toBe(AWKWARD)
  const verified = await replayed.run(['webhook', 'verify', '--request', '-'], { stdin: raw.stdout })
  expect([verified.exit, verified.stdout.split('\n')[0]]).toEqual([0, 'Valid: the signature matches these bytes'])
  expect(target.posted).toEqual([])
})

it.each([
  ['text', AWKWARD],
  ['a body with control characters', '{"a":"\u001b[31m\u0085"}\r\n'],
  ['a body that is not UTF-8', Buffer.from([0x7b, 0xff, 0x7d])],
  ['a body that curl would take for a file', '@/etc/hostname'],
])('prints a curl command that sends the same bytes: %s', async (_what, body) => {
  const target = await webhookTarget()
  const args = ['webhook', 'send', '--body', '-', '--to', `${target.url}?a='b'&c=$d`, '--dry-run', '--curl']
  const { exit, stdout } = await here(emptyWorld())(args, { stdin: body })
  expect(exit).toBe(0)
  expect(target.posted).toEqual([])
  await promisify(execFile)('sh', ['-c', stdout], { timeout: 10_000 })
  const [posted] = target.posted
  const text = body.toString('utf8')
  expect(posted).toMatchObject({ target: '/hook?a=%27b%27&c=$d', body: text })
  if (posted !== undefined && typeof body === 'string') expect(signaturesOf(posted)).toEqual([hmac(body)])
})

it('needs --dry-run for --curl', async () => {
  const ran = await here(emptyWorld())(['webhook', 'send', 'payment', '--to', 'http://127.0.0.1:1/', '--curl'])
  expect(ran).toMatchObject({ exit: 2, stdout: '', stderr: expect.stringContaining('`--curl` needs `--dry-run`') })
})
