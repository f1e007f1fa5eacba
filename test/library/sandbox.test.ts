import { randomUUID } from 'node:crypto'
import { runInThisContext } from 'node:vm'
import { expect, onTestFinished, test } from 'vitest'
import { type Sandbox, SandboxError, type SandboxOptions, startSandbox } from '../../src/library/sandbox.ts'
import { NOWHERE, startReceiver } from '../sandbox/sandboxWorld.ts'

async function started(options: SandboxOptions = {}): Promise<Sandbox> {
  const sandbox = await startSandbox(options)
  onTestFinished(() => sandbox.close())
  return sandbox
}

async function call(sandbox: Sandbox, path: string, body: object): Promise<{ status: number; id: string }> {
  const response = await fetch(sandbox.url + path, {
    method: 'POST',
    headers: { authorization: `Bearer ${sandbox.clientSecret}`, ci: sandbox.clientId, cs: sandbox.clientSecret },
    body: JSON.stringify(body),
  })
  const answer: unknown = await response.json()
  const id = typeof answer === 'object' && answer !== null && 'idTransaction' in answer ? answer.idTransaction : ''
  return { status: response.status, id: String(id) }
}

function cashIn(
  sandbox: Sandbox,
  callbackUrl = NOWHERE,
  requestNumber: string = randomUUID(),
): Promise<{ id: string }> {
  const body = { requestNumber, dueDate: '2099-01-01', amount: 10.5, callbackUrl }
  return call(sandbox, '/api/v2/gateway/request-qrcode', body)
}

function transfer(sandbox: Sandbox, key: string, callbackUrl = NOWHERE): Promise<{ status: number; id: string }> {
  return call(sandbox, '/api/v1/gateway/pix-payment', { value: 1, key, typeKey: 'email', callbackUrl })
}

test('plays a payment from beginning to end, without a control call over HTTP', async () => {
  const receiver = await startReceiver()
  const sandbox = await started({ balance: '1.000,00', webhookStyle: 'python', clientSecret: 'shop-secret-1' })
  const { id } = await cashIn(sandbox, receiver.url, 'order-7')
  expect(await sandbox.pay('order-7')).toMatchObject({ type: 'payment', idTransaction: id, status: 'PAID' })
  expect(await sandbox.waitForDelivery({ event: 'pix.received', idTransaction: id })).toMatchObject({
    outcome: 'delivered',
    status: 200,
    body: receiver.received[0]?.text,
  })
  expect((await sandbox.state()).balance).toBe(1010.5)
  expect(await sandbox.chargeback(id.slice(0, 6))).toMatchObject({ chargedBack: 10.5 })
  await sandbox.reset()
  expect((await sandbox.state()).payments).toEqual([])
})

test('a delivery can be waited for before anything happens', async () => {
  const receiver = await startReceiver()
  const sandbox = await started({ autoPayMs: 20 })
  const waiting = sandbox.waitForDelivery({ event: 'pix.received' })
  const { id } = await cashIn(sandbox, receiver.url)
  expect((await waiting).idTransaction).toBe(id)
})

test('a wait ends with what was delivered instead, or with the sandbox', async () => {
  const sandbox = await startSandbox({ deliverAttempts: 1 })
  const { id } = await cashIn(sandbox)
  await sandbox.pay(id)
  expect((await sandbox.waitForDelivery()).outcome).toBe('given-up')
  await expect(sandbox.waitForDelivery({ event: 'refund.status', timeoutMs: 10.5 })).rejects.toThrow(
    `No webhook refund.status was delivered (there were pix.received of ${id} (given-up)) within 10.5 ms`,
  )
  const pending = sandbox.waitForDelivery({ event: 'refund.status' })
  await sandbox.close()
  await expect(pending).rejects.toThrow('The sandbox was closed')
})

test('faults, and a clock that can be moved', async () => {
  const sandbox = await started()
  await sandbox.fault('NO_FUNDS', { on: 'transfer' })
  expect((await transfer(sandbox, 'ana@example.com')).status).toBe(400)
  const { id } = await transfer(sandbox, 'ana@example.com')
  const before = Date.parse((await sandbox.state()).now ?? '')
  await sandbox.advance('31d')
  const { now, transfers } = await sandbox.state()
  expect(Date.parse(now ?? '') - before).toBeGreaterThanOrEqual(31 * 86_400_000)
  expect(transfers).toMatchObject([{ idTransaction: id, status: 'COMPLETED' }])
  expect(await sandbox.return(id)).toMatchObject({ statusTransaction: 'RETURNED' })
})

test('lists requests and faults, and removes faults', async () => {
  const sandbox = await started()
  await sandbox.fault('status:503', { on: 'qr', times: 2 })
  await cashIn(sandbox)
  await sandbox.fault('NO_FUNDS', { async: true })
  expect(await sandbox.faults()).toEqual([
    { kind: 'status:503', on: 'qr', times: 1, async: false },
    { kind: 'NO_FUNDS', on: null, times: 1, async: true },
  ])
  expect(await sandbox.clearFaults(1)).toMatchObject([{ kind: 'NO_FUNDS' }])
  expect(await sandbox.clearFaults()).toEqual([])
  await cashIn(sandbox)
  expect((await sandbox.requests()).map(({ status }) => status)).toEqual([503, 200])
  expect(await sandbox.requests({ failed: true })).toMatchObject([{ n: 1, status: 503 }])
})

test('a seed and a time make ids, codes and times the same in each run, and nothing else', async () => {
  const now = '2026-11-21T15:00:00Z'
  const runs = await Promise.all([0, 1].map(() => started({ seed: 'checkout', now: new Date(now) })))
  const payments = await Promise.all(
    runs.map(async (sandbox) => {
      await cashIn(sandbox)
      await cashIn(sandbox)
      return (await sandbox.state()).payments.map(({ idTransaction, paymentCode }) => [idTransaction, paymentCode])
    }),
  )
  expect(payments[0]).toEqual(payments[1])
  expect(payments[0]?.[0]).not.toEqual(payments[0]?.[1])
  expect(payments[0]?.[0]?.[0]).toMatch(/^[0-9a-f]{8}-[0-9a-f]{4}-4[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/)
  expect(runs[0]?.clientSecret).not.toBe(runs[1]?.clientSecret)
  const [{ createdAt } = { createdAt: '' }] = (await runs[0]?.state())?.payments ?? []
  expect(Date.parse(createdAt) - Date.parse(now)).toBeGreaterThanOrEqual(0)
  expect(Date.parse(createdAt) - Date.parse(now)).toBeLessThan(60_000)
  const other = await started({ seed: 'another' })
  expect((await cashIn(other)).id).not.toBe(payments[0]?.[0]?.[0])
})

test('is closed by `await using`', async () => {
  const sandbox = await startSandbox()
  await sandbox[Symbol.asyncDispose]()
  await expect(fetch(`${sandbox.url}/healthz`)).rejects.toThrow('fetch failed')
})

test('what makes no sense rejects with a code', async () => {
  const sandbox = await started()
  const { id } = await cashIn(sandbox)
  await sandbox.expire(id)
  await expect(sandbox.pay(id)).rejects.toMatchObject({ code: 'CODE_ENDED', status: 409 })
  expect(await sandbox.pay(id, { late: true })).toMatchObject({ status: 'PAID' })
  await expect(sandbox.pay('nobody')).rejects.toMatchObject({ code: 'TRANSACTION_NOT_FOUND' })
  await expect(Reflect.apply(sandbox.fault, undefined, ['nonsense'])).rejects.toThrow('There is no fault `nonsense`')
  await expect(sandbox.pay('nobody')).rejects.toBeInstanceOf(SandboxError)
  await expect(sandbox.advance('tomorrow')).rejects.toThrow(TypeError)
})

test('what was given up is delivered again, and the history of a payment tells it', async () => {
  const receiver = await startReceiver()
  receiver.answer = (_received, place) => (place === 0 ? 500 : 200)
  const sandbox = await started({ deliverAttempts: 1 })
  const { id } = await cashIn(sandbox, receiver.url, 'order-7')
  await sandbox.pay(id)
  expect(await sandbox.waitForDelivery({ idTransaction: id })).toMatchObject({ outcome: 'given-up', status: 500 })
  expect(await sandbox.deliverFailed()).toMatchObject([{ event: 'pix.received', idTransaction: id }])
  await receiver.first(2)
  await expect
    .poll(async () =>
      (await sandbox.history('order-7')).steps.map((step) => [step.kind, 'status' in step ? step.status : null]),
    )
    .toEqual([
      ['request', 200],
      ['event', null],
      ['delivery', 500],
      ['event', null],
      ['delivery', 200],
    ])
  expect(await sandbox.deliverFailed()).toEqual([])
})

test.each([
  ['pay', ['x', { laet: true }], 'pay has no option `laet`; did you mean `late`?'],
  ['waitForDelivery', [{ timeout: 5 }], 'waitForDelivery has no option `timeout`; did you mean `timeoutMs`?'],
  ['requests', [{ nope: true }], 'requests has no option `nope`; it has failed'],
] as const)('%s refuses an option that it does not have', async (method, given, message) => {
  const sandbox = await started()
  await expect(Reflect.apply(sandbox[method], undefined, given)).rejects.toThrow(new TypeError(message))
})

test.each([
  ['{ autoPay: 1000 }', 'startSandbox has no option `autoPay`; did you mean `autoPayMs`?'],
  ['{ autoSettle: 0 }', 'startSandbox has no option `autoSettle`; did you mean `autoSettleMs`?'],
  ['{ settleMs: 0 }', 'startSandbox has no option `settleMs`; did you mean `autoSettleMs`?'],
  ['{ allowIp: [] }', 'startSandbox has no option `allowIp`; did you mean `allowIps`?'],
  ['{ port: 99999 }', 'The option `port` of startSandbox cannot be 99999'],
  ["{ balance: 'x' }", "The option `balance` of startSandbox cannot be 'x'"],
  ["{ allowIps: ['x'] }", "The option `allowIps` of startSandbox cannot be [ 'x' ]"],
  ["{ dashboardWebhook: 'x' }", "The option `dashboardWebhook` of startSandbox cannot be 'x'"],
  ["{ clientSecret: '' }", 'The option `clientSecret` of startSandbox cannot be string'],
  ["{ webhookStyle: 'cobol' }", "The option `webhookStyle` of startSandbox cannot be 'cobol'"],
  ["{ autoPayMs: '1s' }", "The option `autoPayMs` of startSandbox cannot be '1s'"],
  ['{ clientSecret: 123456789 }', 'The option `clientSecret` of startSandbox cannot be number'],
  ["{ now: 'tomorrow' }", "The option `now` of startSandbox cannot be 'tomorrow'"],
  ['{ deliverAttempts: 0 }', 'The option `deliverAttempts` of startSandbox cannot be 0'],
  ["{ partners: 'shop' }", "The option `partners` of startSandbox cannot be 'shop'"],
])('refuses %s of a program that is not type-checked', async (text, message) => {
  const options: unknown = runInThisContext(`(${text})`)
  await expect(Reflect.apply(startSandbox, undefined, [options])).rejects.toThrow(new TypeError(message))
})
