import { expect, test } from 'vitest'
import { freePort } from '../freePort.ts'
import { emptyWorld } from '../world.ts'
import { charge, endSandbox, type RunningBinary, runSandbox, stateOf } from './runningSandbox.ts'

const SLOWLY = ['--auto-settle', '1h', '--deliver-delays', '1h']
const NOWHERE = 'http://127.0.0.1:1/'
const TRANSFER = { value: 10, key: 'maria@example.com', typeKey: 'email', callbackUrl: NOWHERE }

async function create(sandbox: RunningBinary, path: string, body: object): Promise<string> {
  const answer = await sandbox.post(path, body)
  expect(answer.status).toBe(200)
  return String(answer.body.idTransaction)
}

test('a sandbox that was killed goes on where it was, and `reset` empties it', async () => {
  const world = emptyWorld()
  const port = await freePort()
  const first = await runSandbox(world, [...SLOWLY, '--seed', 'evening', '--balance', '100,00'], port)
  const paid = await create(first, '/api/v2/gateway/request-qrcode', charge({ callbackUrl: NOWHERE }))
  await first.post('/sandbox/pay', { id: paid })
  const refund = { originalTransactionId: paid, refundReason: 'returned', callbackUrl: NOWHERE, amount: 3 }
  await create(first, '/api/v2/gateway/pix-refund', refund)
  await first.post('/sandbox/fault', { kind: 'NO_FUNDS', async: true })
  await create(first, '/api/v1/gateway/pix-payment', { ...TRANSFER, externalId: 'invoice-1' })
  await create(first, '/api/v1/gateway/pix-payment', { ...TRANSFER, externalId: 'invoice-2' })
  await first.post('/sandbox/fault', { kind: 'webhook:twice', times: 2 })
  await first.post('/sandbox/advance', { ms: 1_800_000 })
  await expect.poll(async () => (await stateOf(first)).deliveries[0]?.attempts).toBe(1)
  const before = await stateOf(first)
  const { body: requests } = await first.get('/sandbox/requests')
  await endSandbox(first, 'SIGKILL')

  const second = await runSandbox(world, SLOWLY, port)
  const after = await stateOf(second)
  expect({ ...after, now: '' }).toEqual({ ...before, now: '' })
  expect([after.balance, after.payments.length, after.transfers.length]).toEqual([87.5, 1, 2])
  expect(Date.parse(after.now) - Date.parse(before.now)).toBeGreaterThan(0)
  expect(Date.parse(after.now) - Date.now()).toBeGreaterThan(1_700_000)
  expect((await second.get('/sandbox/requests')).body).toEqual(requests)
  expect(second.stderr()).toMatch(/goes on with what it held/)
  const next = await create(second, '/api/v2/gateway/request-qrcode', charge())
  expect([...before.payments, ...before.refunds, ...before.transfers].map((each) => each.idTransaction)).not.toContain(
    next,
  )
  await second.post('/sandbox/advance', { ms: 1_800_001 })
  await expect.poll(async () => (await stateOf(second)).deliveries[0]?.attempts).toBe(2)
  const settled = await stateOf(second)
  expect(settled.transfers.map(({ status, errorCode }) => [status, errorCode])).toEqual([
    ['FAILED', 'NO_FUNDS'],
    ['COMPLETED', null],
  ])
  expect([settled.refunds[0]?.status, settled.balance, settled.faults]).toEqual(['COMPLETED', 97.5, []])

  const { body: emptied } = await second.post('/sandbox/reset', {})
  expect(emptied).toMatchObject({ balance: 100, payments: [], transfers: [], refunds: [], deliveries: [] })
  await endSandbox(second, 'SIGINT')
  const third = await runSandbox(world, SLOWLY, port)
  expect({ ...(await stateOf(third)), now: '' }).toEqual({ ...emptied, now: '' })
  const missing = await third.post('/sandbox/pay', { id: paid })
  expect([missing.status, missing.body.details]).toEqual([
    404,
    expect.stringMatching(/this sandbox was begun at \d\d\/\d\d\/\d{4} \d\d:\d\d:\d\d BRT and does not have it$/),
  ])
})
