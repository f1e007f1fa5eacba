import { expect, test } from 'vitest'
import { here } from '../inProcess.ts'
import { expectDocument } from '../schemas/validity.ts'
import { emptyWorld, sandboxWorld } from '../world.ts'
import { charge, runSandbox } from './runningSandbox.ts'
import { webhookTarget } from './webhookTarget.ts'

const QUICKLY = { deliverDelaysMs: [0] }

/** A charge that was paid, by its order number; its webhooks go to this address. */
async function paidOrder(world: Awaited<ReturnType<typeof sandboxWorld>>, order: string, callbackUrl: string) {
  await world.prepare(['qr', 'create', '--amount', '10', '--request-number', order, '--callback-url', callbackUrl])
  await world.prepare(['sandbox', 'pay', order])
}

async function outcomes(world: Awaited<ReturnType<typeof sandboxWorld>>): Promise<string[]> {
  const { deliveries } = JSON.parse(await world.prepare(['sandbox', 'state', '-o', 'json']))
  return deliveries.map(({ outcome }: { outcome: string }) => outcome)
}

test('`sandbox state <id>` shows what happened to one transaction, in order, with the answers of the receiver', async () => {
  const target = await webhookTarget({ body: 'no such order' })
  target.answer(404, 503, 200)
  const world = await sandboxWorld(QUICKLY)
  await paidOrder(world, 'another-order', target.url)
  await expect.poll(() => outcomes(world)).toEqual(['delivered'])
  target.answer(404, 503, 200)
  await paidOrder(world, 'order-7', target.url)
  await expect.poll(() => outcomes(world)).toEqual(['delivered', 'delivered'])
  await world.prepare([
    'refund',
    'order-7',
    '--amount',
    '4',
    '--reason',
    'damaged',
    '--yes',
    '--callback-url',
    target.url,
  ])
  await expect.poll(() => outcomes(world)).toHaveLength(3)
  await expect.poll(() => outcomes(world)).not.toContain('waiting')
  const { exit, stdout } = await world.run(['sandbox', 'state', 'order-7', '-o', 'json'])
  expect(exit).toBe(0)
  const history = JSON.parse(stdout)
  expectDocument('sandbox-state', history)
  const { transaction, steps } = history
  expect(transaction).toMatchObject({ type: 'payment', requestNumber: 'order-7', status: 'PAID', refunded: 4 })
  const shown = steps.map((step: Record<string, unknown>) => [
    step.kind,
    step.path ?? step.event,
    step.status,
    step.answer,
  ])
  expect(shown.filter(([, what]: unknown[]) => what !== '/api/v2/gateway/consult-transaction')).toEqual([
    ['request', '/api/v2/gateway/request-qrcode', 200, undefined],
    ['event', 'pix.received', undefined, undefined],
    ['delivery', 'pix.received', 404, 'no such order'],
    ['delivery', 'pix.received', 503, 'no such order'],
    ['delivery', 'pix.received', 200, null],
    ['request', '/api/v2/gateway/pix-refund', 200, undefined],
    ['event', 'refund.status', undefined, undefined],
    ['delivery', 'refund.status', 200, null],
  ])
  expect(steps.map(({ at }: { at: string }) => at)).toEqual(steps.map(({ at }: { at: string }) => at).toSorted())
  const text = await world.run(['sandbox', 'state', String(transaction.idTransaction).slice(0, 8)])
  expect(text.stdout).toMatch(/order +order-7\n[\s\S]*event pix\.received PAID\n/)
  expect(text.stdout).toMatch(/ {2}pix\.received PAID: 404 \(attempt 1 of 3\)\n +no such order\n/)
  expect(text.stdout).not.toContain('another-order')
  const unknown = await here(world)(['sandbox', 'state', 'order-8', '-o', 'json'])
  expect(unknown.exit).toBe(3)
})

test('`sandbox deliver --failed` sends what was given up, each once', async () => {
  const target = await webhookTarget()
  target.answer(500)
  const world = await sandboxWorld({ ...QUICKLY, deliverAttempts: 1 })
  await paidOrder(world, 'order-1', target.url)
  await paidOrder(world, 'order-2', target.url)
  await expect.poll(() => outcomes(world)).toEqual(['given-up', 'given-up'])
  target.answer(200)
  await paidOrder(world, 'order-3', target.url)
  await expect.poll(() => outcomes(world)).toEqual(['given-up', 'given-up', 'delivered'])
  const failed = target.posted.slice(0, 2).map(({ body }) => body)
  const { exit, stdout } = await world.run(['sandbox', 'deliver', '--failed', '-o', 'json'])
  expect([exit, JSON.parse(stdout).length]).toEqual([0, 2])
  for (const delivery of JSON.parse(stdout)) expectDocument('sandbox-deliver', [delivery])
  await expect.poll(() => target.posted.slice(3).map(({ body }) => body)).toEqual(failed)
  await expect.poll(() => outcomes(world)).toEqual(['given-up', 'given-up', 'delivered', 'delivered', 'delivered'])
  const again = await here(world)(['sandbox', 'deliver', '--failed'])
  expect(again).toMatchObject({ exit: 0, stderr: expect.stringContaining('No webhook was given up') })
  const inPortuguese = await world.run(['sandbox', 'deliver', '--failed'], { env: { PIXGATE_LANG: 'pt-BR' } })
  expect(inPortuguese.stdout).toMatch(/^evento\tid da transação\tURL$/m)
  const both = await here(world)(['sandbox', 'deliver', 'order-1', '--failed', '-o', 'json'])
  expect(both.exit).toBe(2)
})

test.each([
  [1, 'The sandbox has given up 1 webhook; `pixgate sandbox deliver --failed` delivers it'],
  [2, 'The sandbox has given up 2 webhooks; `pixgate sandbox deliver --failed` delivers them'],
])('a listener says at its start that %i webhooks were given up', async (count, sentence) => {
  const world = await sandboxWorld({ ...QUICKLY, deliverAttempts: 1 })
  const listen = ['webhook', 'listen', '--port', '0', '--for', '1s']
  expect((await here(world)(listen)).stderr).not.toContain('given up')
  for (let order = 0; order < count; order++) await paidOrder(world, `order-${order}`, 'http://127.0.0.1:1/')
  await expect.poll(() => outcomes(world)).toEqual(new Array(count).fill('given-up'))
  expect((await world.run(listen)).stderr).toContain(sentence)
})

test('a code that has expired: the hint is the command that pays it', async () => {
  const world = await sandboxWorld()
  await world.prepare(['qr', 'create', '--amount', '10', '--request-number', 'order-7'])
  await world.prepare(['sandbox', 'expire', 'order-7'])
  const { exit, stderr } = await world.run(['sandbox', 'pay', 'order-7', '-o', 'json'])
  const { code, hint } = JSON.parse(stderr).error
  expect([exit, code]).toEqual([1, 'CODE_ENDED'])
  const words = /`pixgate (.*)`/.exec(hint)?.[1]?.split(' ') ?? []
  expect(await world.json(words)).toMatchObject({ status: 'PAID' })
})

test.each([
  ['drop-afer', 'drop-after'],
  ['NO_FUND', 'NO_FUNDS'],
  ['webhook:twce', 'webhook:twice'],
])('the fault %s: did you mean %s?', async (typed, meant) => {
  const { exit, stderr } = await here(emptyWorld())(['sandbox', 'fault', typed])
  expect([exit, stderr]).toEqual([2, expect.stringContaining(`hint: Did you mean \`${meant}\`?`)])
})

test.each([
  ['the secret of a profile', 'a-shop-secret', 'pixgate -p shop webhook check '],
  [
    'a secret of its own',
    'nobody-has-this',
    'With the secret of this sandbox in `PIXGATE_CLIENT_SECRET`, this command',
  ],
])('a refused webhook of a sandbox with %s: the hint signs with it', async (_, secret, expected) => {
  const target = await webhookTarget()
  target.answer(401)
  const world = emptyWorld()
  await world.prepare(
    [
      'profile',
      'add',
      'shop',
      '--base-url',
      'http://127.0.0.1:4999',
      '--client-id',
      'shop',
      '--client-secret-stdin',
      '--no-test',
      '--environment',
      'sandbox',
    ],
    { stdin: 'a-shop-secret' },
  )
  const sandbox = await runSandbox(world, ['--client-secret', secret, '--deliver-attempts', '1'])
  const headers = { authorization: `Bearer ${secret}` }
  const { body } = await sandbox.post('/api/v2/gateway/request-qrcode', charge({ callbackUrl: target.url }), headers)
  await sandbox.post('/sandbox/pay', { id: body.idTransaction }, {})
  await expect.poll(sandbox.stderr).toContain(expected)
  expect(sandbox.stderr()).toContain(`webhook check ${target.url}`)
  expect(sandbox.stderr()).not.toContain(secret)
})
