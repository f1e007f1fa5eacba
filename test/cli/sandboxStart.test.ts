import { expect, test } from 'vitest'
import { startReceiver } from '../sandbox/sandboxWorld.ts'
import { emptyWorld } from '../world.ts'
import { charge, LOCAL, type RunningSandbox, runSandbox, sandboxHere } from './runningSandbox.ts'

const QR = '/api/v2/gateway/request-qrcode'
const REFUND = '/api/v2/gateway/pix-refund'
const TRANSFER = '/api/v1/gateway/pix-payment'
const QUERY = '/api/v2/gateway/consult-transaction?idTransaction='
const NOWHERE = 'http://127.0.0.1:1/'

function started(...args: string[]): Promise<RunningSandbox> {
  return sandboxHere(emptyWorld(), [...args, '-o', 'json'])
}

function transfer(sandbox: RunningSandbox, fields: object = {}) {
  return sandbox.post(TRANSFER, { value: 1, key: 'a@b.co', typeKey: 'email', callbackUrl: NOWHERE, ...fields })
}

async function paid(sandbox: RunningSandbox, fields: Record<string, unknown> = {}): Promise<string> {
  const { body } = await sandbox.post(QR, charge(fields))
  await sandbox.post('/sandbox/pay', { id: body.idTransaction })
  return String(body.idTransaction)
}

test('--client-id and --client-secret are the credentials that it accepts', async () => {
  const sandbox = await started('--client-id', 'shop', '--client-secret', 'shop-secret-1')
  const headers = { authorization: 'Bearer shop-secret-1', ci: 'shop', cs: 'shop-secret-1' }
  expect((await sandbox.post(QR, charge(), headers)).status).toBe(200)
  expect((await sandbox.post(QR, charge(), LOCAL)).status).toBe(401)
  expect((await sandbox.post(TRANSFER, {}, { ...headers, ci: 'local' })).status).toBe(401)
})

test('--partner limits the split partners, whose share leaves the balance', async () => {
  const sandbox = await started('--partner', 'ana', '--partner', 'bia', '--balance', '0')
  const split = (username: string) => ({ amount: 10, split: { username, percentageSplit: 30 } })
  expect((await sandbox.post(QR, charge(split('carla')))).body).toMatchObject({ message: 'INVALID_AMOUNT' })
  await paid(sandbox, split('bia'))
  expect((await sandbox.get('/sandbox/state')).body.balance).toBe(7)
})

test('--balance is what it begins with', async () => {
  const sandbox = await started('--balance', '1.000,50')
  expect((await sandbox.get('/sandbox/state')).body.balance).toBe(1000.5)
  expect((await transfer(sandbox, { value: 1000.51 })).body.message).toBe('NO_FUNDS')
})

test('--allow-ip takes the place of loopback for transfers', async () => {
  const elsewhere = await started('--allow-ip', '203.0.113.0/24')
  expect(await transfer(elsewhere)).toMatchObject({ status: 403, body: { message: 'UNAUTHORIZED_IP' } })
  expect((await elsewhere.post(QR, charge())).status).toBe(200)
  expect((await transfer(await started('--allow-ip', '203.0.113.0/24', '--allow-ip', '127.0.0.1'))).status).toBe(200)
})

test('--latency is the least time of every answer', async () => {
  const sandbox = await started('--latency', '150ms')
  const before = performance.now()
  await sandbox.get(`${QUERY}paid-1`)
  expect(performance.now() - before).toBeGreaterThanOrEqual(149)
})

test('--auto-pay and --auto-settle let things happen by themselves', async () => {
  const sandbox = await started('--auto-pay', '10ms', '--auto-settle', '0')
  const { body } = await sandbox.post(QR, charge())
  const status = async () => (await sandbox.get(`${QUERY}${body.idTransaction}`)).body.status
  await expect.poll(status).toBe('PAID')
  await transfer(sandbox)
  await expect
    .poll(async () => (await sandbox.get('/sandbox/state')).body.transfers)
    .toMatchObject([{ status: 'COMPLETED' }])
})

test('without --auto-settle refunds and transfers stay PROCESSING for a second', async () => {
  const sandbox = await started()
  const id = await paid(sandbox)
  const refund = { originalTransactionId: id, refundReason: 'x', callbackUrl: NOWHERE }
  expect((await sandbox.post(REFUND, refund)).body.status).toBe('PROCESSING')
  expect((await sandbox.get('/sandbox/state')).body.refunds).toMatchObject([{ status: 'PROCESSING' }])
  await sandbox.post('/sandbox/advance', { ms: 1000 })
  expect((await sandbox.get('/sandbox/state')).body.refunds).toMatchObject([{ status: 'COMPLETED' }])
})

test('--hosted-status-rule: ids that begin with paid- are PAID, all others UNPAID', async () => {
  const sandbox = await started('--hosted-status-rule')
  const id = await paid(sandbox)
  for (const [query, status] of [
    ['paid-7', 'PAID'] as const,
    [id, 'UNPAID'] as const,
    ['anything', 'UNPAID'] as const,
  ]) {
    expect((await sandbox.get(QUERY + query)).body.status).toBe(status)
  }
})

test('--status-key statusTransaction renames the status in the answer to a query', async () => {
  const { body } = await (await started('--status-key', 'statusTransaction')).get(`${QUERY}paid-1`)
  expect(body).toMatchObject({ statusTransaction: 'PAID' })
  expect(body).not.toHaveProperty('status')
})

test('--refund-event, --webhook-style, --signature and --dashboard-webhook shape the webhooks', async () => {
  const receiver = await startReceiver()
  const shape = ['--refund-event', 'repeated-key', '--webhook-style', 'python', '--signature', 'base64']
  const sandbox = await started(...shape, '--dashboard-webhook', receiver.url, '--auto-settle', '0')
  const id = await paid(sandbox, { amount: 10 })
  const refund = { originalTransactionId: id, refundReason: 'x', amount: 2.5, callbackUrl: receiver.url }
  const { body } = await sandbox.post(REFUND, refund)
  const [dashboard, event] = await receiver.first(2)
  expect(dashboard?.text).toContain(
    `{"idTransaction": "${id}", "typeTransaction": "PIX", "statusTransaction": "PAID_OUT"`,
  )
  expect(event?.text).toContain(`"idTransaction": "${body.idTransaction}", "idTransaction": "${id}"`)
  expect(event?.text).toContain('"amount": 2.5')
  expect(event?.headers['x-signature']).toMatch(/^[\w+/]{43}=$/)
})

test('--deliver-attempts is how often a webhook is tried', async () => {
  const sandbox = await started('--deliver-attempts', '1')
  await paid(sandbox)
  await expect
    .poll(async () => (await sandbox.get('/sandbox/state')).body.deliveries)
    .toMatchObject([{ attempts: 1, outcome: 'given-up' }])
})

test('--deliver-delays are the times between the attempts', async () => {
  const sandbox = await started('--deliver-delays', '0,1h')
  await paid(sandbox)
  const deliveries = async () => (await sandbox.get('/sandbox/state')).body.deliveries
  await expect.poll(deliveries).toMatchObject([{ attempts: 2, outcome: 'waiting' }])
  // The second attempt may still be under way, and its pause begins after it.
  const anHourLater = async () => {
    await sandbox.post('/sandbox/advance', { ms: 3_600_000 })
    return deliveries()
  }
  await expect.poll(anHourLater).toMatchObject([{ attempts: 3, outcome: 'given-up' }])
})

test('--base-url-name is the host in its address, and --control-token lets others control it', async () => {
  const sandbox = await started('--host', '0.0.0.0', '--base-url-name', 'gateway', '--control-token', 'token-1234')
  expect(JSON.parse(sandbox.lines[0] ?? '')).toEqual({
    type: 'ready',
    url: sandbox.url.replace('127.0.0.1', 'gateway'),
  })
  const origin = 'http://shop.example'
  expect((await sandbox.get('/sandbox/state', { origin })).status).toBe(403)
  expect((await sandbox.get('/sandbox/state', { origin, authorization: 'Bearer token-1234' })).status).toBe(200)
  expect((await sandbox.get('/healthz', { origin })).body).toMatchObject({ status: 'ok' })
})

test('beyond loopback it makes a control token and shows it', async () => {
  const sandbox = await started('--host', '0.0.0.0')
  const { controlToken } = JSON.parse(sandbox.lines[0] ?? '')
  expect(controlToken).toMatch(/^[0-9a-f]{32}$/)
  const origin = 'http://shop.example'
  expect((await sandbox.get('/sandbox/state', { origin })).status).toBe(403)
  expect((await sandbox.get('/sandbox/state', { origin, authorization: `Bearer ${controlToken}` })).status).toBe(200)
})

test('PIXGATE_CONTROL_TOKEN sets the token, and control commands send it', async () => {
  const world = emptyWorld({ PIXGATE_CONTROL_TOKEN: 'token-1234' })
  const sandbox = await runSandbox(world, ['-o', 'json'])
  world.env.PIXGATE_BASE_URL = sandbox.url
  expect(await world.json(['sandbox', 'state'])).toHaveProperty('balance')
  const authorization = 'Bearer token-1234'
  expect((await sandbox.get('/sandbox/state', { origin: 'null', authorization })).status).toBe(200)
})
