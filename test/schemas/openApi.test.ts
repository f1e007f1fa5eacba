import { randomUUID } from 'node:crypto'
import { Validator } from '@seriousme/openapi-schema-validator'
import { expect, test } from 'vitest'
import type { JsonSchema } from '../../src/schemas/jsonSchema.ts'
import { type Answer, NOWHERE, startReceiver, startWorld, type World } from '../sandbox/sandboxWorld.ts'
import { emptyWorld } from '../world.ts'
import { expectDocument, expectValid, validator } from './validity.ts'

interface Operation {
  requestBody?: { content: { 'application/json': { schema: JsonSchema } } }
  responses: Record<string, unknown>
  security?: unknown
}

interface OpenApi {
  components: { schemas: Record<string, JsonSchema> }
  paths: Record<string, Record<string, Operation>>
  webhooks: Record<string, Record<string, Operation>>
}

async function documentOf(world: World): Promise<OpenApi> {
  const response = await fetch(`${world.url}/openapi.json`)
  return (await response.json()) as OpenApi
}

test('the document is valid OpenAPI 3.1', async () => {
  const checked = await new Validator().validate({ ...(await documentOf(await startWorld())) })
  expect(checked).toEqual({ valid: true })
})

test('`sandbox openapi` prints the same document, for the address of the profile `local`', async () => {
  const world = await startWorld()
  const printed = await emptyWorld().json(['sandbox', 'openapi'])
  expect(printed).toEqual({ ...(await documentOf(world)), servers: [{ url: 'http://127.0.0.1:4010' }] })
})

test('`sandbox openapi --base-url` is for that address', async () => {
  const url = 'http://127.0.0.1:4510'
  expect(await emptyWorld().json(['sandbox', 'openapi', '--base-url', url])).toMatchObject({ servers: [{ url }] })
})

test('generated clients can read the status and the codes, and linters find no operation without security', async () => {
  const { components, paths, webhooks } = await documentOf(await startWorld())
  const { StatusAnswer, Error: error } = components.schemas
  expect(StatusAnswer).toMatchObject({
    type: 'object',
    required: expect.arrayContaining(['status']),
    properties: { status: { enum: ['PENDING', 'PAID', 'EXPIRED', 'CANCELLED', 'REFUNDED', 'UNPAID'] } },
  })
  expect(error).toMatchObject({ properties: { message: { enum: expect.arrayContaining(['REFUND_NOT_ALLOWED']) } } })
  const operations = [paths, webhooks].flatMap((each) => Object.values(each).flatMap((path) => Object.values(path)))
  expect(operations.filter(({ security }) => !Array.isArray(security))).toEqual([])
  expect(Object.values(webhooks).map(({ post }) => post?.security)).toEqual(Object.keys(webhooks).map(() => []))
})

test('every path in the document exists, with its method and without another', async () => {
  const world = await startWorld()
  const { paths } = await documentOf(world)
  for (const [path, operations] of Object.entries(paths)) {
    const [method = ''] = Object.keys(operations)
    const other = method === 'get' ? 'POST' : 'GET'
    expect([path, (await world.call(path, { method: other })).status]).toEqual([path, 405])
    const { status } = await world.call(path, { method: method.toUpperCase() })
    expect([path, String(status) in (operations[method]?.responses ?? {})]).toEqual([path, true])
  }
})

type Expect = (answer: Answer, schema: string) => void

/** Expects an answer to keep this schema of the document, or an error its own. */
async function answerSchemas(world: World): Promise<Expect> {
  const { components } = await documentOf(world)
  return ({ status, body }, name) => {
    const schema = components.schemas[status === 200 ? name : 'Error']
    if (schema === undefined) throw new Error(`there is no schema ${name}`)
    expectValid(schema, body, `${name} ${status}`)
  }
}

const QR = '/api/v2/gateway/request-qrcode'
const REFUND = '/api/v2/gateway/pix-refund'
const TRANSFER = '/api/v1/gateway/pix-payment'

const CHARGE = { requestNumber: 'order-7', dueDate: '2026-11-22', amount: 10, callbackUrl: NOWHERE }
const SENT = { value: 10, key: 'maria@example.com', typeKey: 'email', callbackUrl: NOWHERE }
const BACK = { originalTransactionId: randomUUID(), refundReason: 'returned', callbackUrl: NOWHERE }

/** Whether this body has the form that the API wants: its path, its fields, and the verdict. */
const BODIES: readonly (readonly [path: string, body: object, isRight: boolean])[] = [
  [QR, CHARGE, true],
  [QR, { ...CHARGE, shippingAmount: 0, usernameCheckout: 'till-1', client: { name: 'Ana' } }, true],
  [QR, { ...CHARGE, split: { username: 'ana', percentageSplit: 100 } }, true],
  [QR, { ...CHARGE, split: { username: 'ana', percentageSplit: 0 } }, false],
  [QR, { ...CHARGE, split: { percentageSplit: 10 } }, false],
  [QR, { ...CHARGE, shippingAmount: -1 }, false],
  [QR, { ...CHARGE, amount: 10_000_000_000 }, false],
  [QR, { ...CHARGE, requestNumber: undefined }, false],
  [QR, { ...CHARGE, client: { email: 'ana' } }, false],
  [QR, { ...CHARGE, split: null }, false],
  [REFUND, { ...BACK, amount: 0.01 }, true],
  [REFUND, { ...BACK, amount: 0 }, false],
  [REFUND, { ...BACK, amount: null }, false],
  [REFUND, { ...BACK, originalTransactionId: undefined, idTransaction: randomUUID() }, true],
  [REFUND, { ...BACK, originalTransactionId: undefined }, false],
  [REFUND, { ...BACK, originalTransactionId: null, idTransaction: randomUUID() }, false],
  [TRANSFER, { ...SENT, externalId: null }, false],
  [REFUND, { ...BACK, originalTransactionId: 'order-7' }, false],
  [TRANSFER, { ...SENT, externalId: 'invoice-1', documentValidation: '52998224725' }, true],
  [TRANSFER, { ...SENT, typeKey: 'e-mail' }, false],
  [TRANSFER, { ...SENT, key: 7 }, false],
  ['/sandbox/pay', { id: 'nobody', late: true }, true],
  ['/sandbox/pay', { id: 'nobody', late: 'yes' }, false],
  ['/sandbox/expire', {}, false],
  ['/sandbox/fail', { id: 'nobody', errorCode: 'NO_FUNDS' }, true],
  ['/sandbox/fail', { id: 'nobody', errorCode: 'no funds' }, false],
  ['/sandbox/fault', { kind: 'NO_FUNDS', times: 1_000_000, async: true, on: 'transfer' }, true],
  ['/sandbox/fault', { kind: 'html', times: 0 }, false],
  ['/sandbox/fault', { kind: 'html', times: 1_000_001 }, false],
  ['/sandbox/fault', { times: 1 }, false],
  ['/sandbox/advance', { ms: 1 }, true],
  ['/sandbox/advance', { ms: 1.5 }, false],
  ['/sandbox/reset', {}, true],
]

test.each(BODIES)('%s %j: the document and the API agree that it is right: %s', async (path, body, isRight) => {
  const world = await startWorld()
  const { paths, components } = await documentOf(world)
  const written = paths[path]?.post?.requestBody?.content['application/json'].schema ?? {}
  const name = String(written.$ref ?? '').slice('#/components/schemas/'.length)
  const isValid = validator().validate(components.schemas[name] ?? written, JSON.parse(JSON.stringify(body)))
  const { status, body: answer } = await world.post(path, body)
  // A transaction that does not exist is refused by another rule than that of the form.
  expect([isValid, status !== 400], JSON.stringify(answer)).toEqual([isRight, isRight])
})

test('every answer of the four endpoints keeps its schema', async () => {
  for (const statusKey of ['status', 'statusTransaction'] as const) {
    const world = await startWorld({ statusKey })
    const expectAnswer = await answerSchemas(world)
    const created = await world.cashIn({ client: { name: 'Ana' } })
    const id = created.body.idTransaction
    expectAnswer(created, 'QrCodeAnswer')
    expectAnswer(await world.cashIn({ amount: 0 }), 'QrCodeAnswer')
    expectAnswer(await world.status(id), 'StatusAnswer')
    await world.control('pay', { id })
    for (const query of [id, 'paid-1', 'nonsense', crypto.randomUUID()]) {
      expectAnswer(await world.status(query), 'StatusAnswer')
    }
    for (const amount of [1, 1000]) expectAnswer(await world.refund(id, { amount }), 'RefundAnswer')
    for (const value of [1, 1e6]) expectAnswer(await world.transfer({ value }), 'TransferAnswer')
    expectAnswer(await world.status(id, {}), 'StatusAnswer')
    expectAnswer(await world.call('/nowhere'), 'Error')
  }
})

test('every answer of the control API keeps its schema, and every webhook keeps that of its event', async () => {
  const receiver = await startReceiver()
  const world = await startWorld({ autoSettleMs: 0, dashboardWebhook: receiver.url, partners: ['partner'] })
  const expectAnswer = await answerSchemas(world)
  const created = await world.cashIn({
    callbackUrl: receiver.url,
    shippingAmount: 1.5,
    client: { name: 'Ana', taxId: '52998224725', email: 'ana@example.com' },
    split: { username: 'partner', percentageSplit: 12.5 },
  })
  const id = created.body.idTransaction
  await world.cashIn({ requestNumber: 'order-7' })
  expectAnswer(await world.control('pay', { id }), 'Transaction')
  expectAnswer(await world.control('expire', { id: 'order-7' }), 'Transaction')
  await world.refund(id, { amount: 1, callbackUrl: receiver.url })
  await world.transfer({ externalId: 'invoice-1', callbackUrl: receiver.url })
  await world.transfer({ key: 'no-funds@fail.pixgate.example', callbackUrl: receiver.url })
  expectAnswer(await world.control('return', { id: 'invoice-1' }), 'Transaction')
  expectAnswer(await world.control('chargeback', { id }), 'Transaction')
  expectAnswer(await world.control('deliver', { id }), 'Transaction')
  expectAnswer(await world.control('fault', { kind: 'NO_FUNDS', on: 'transfer', async: true }), 'Fault')
  expectAnswer(await world.call('/sandbox/faults'), 'Faults')
  expectAnswer(await world.control('advance', { ms: 1 }), 'Clock')
  expectAnswer(await world.control('pay', { id: 'nobody' }), 'Error')
  expectAnswer(await world.call('/sandbox/requests'), 'Requests')
  expectAnswer(await world.call('/healthz'), 'Health')
  const received = await receiver.first(9)
  expectAnswer(await world.call('/sandbox/state'), 'State')
  expectAnswer(await world.control('reset'), 'State')
  for (const { json } of received) expectDocument(json.event ?? 'payment', json)
  const names = new Set(received.map(({ json }) => json.event ?? 'payment'))
  expect([...names].sort()).toEqual([
    'payment',
    'pix.received',
    'refund.status',
    'transfer.completed',
    'transfer.failed',
  ])
})
