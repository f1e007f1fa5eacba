import { Validator } from '@seriousme/openapi-schema-validator'
import { expect, test } from 'vitest'
import type { JsonSchema } from '../../src/schemas/jsonSchema.ts'
import { CONTROL_SCHEMAS, SERVICE_SCHEMAS } from '../../src/schemas/sandbox.ts'
import { type Answer, startReceiver, startWorld, type World } from '../sandbox/world.ts'
import { emptyWorld } from '../world.ts'
import { expectDocument, expectValid } from './validity.ts'

interface OpenApi {
  paths: Record<string, Record<string, { responses: Record<string, unknown> }>>
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

/** Expects the answer to be documented for this path, and its body to keep the schema. */
function expectAnswer({ status, body }: Answer, schema: JsonSchema | undefined, name: string): void {
  expectValid((status === 200 ? schema : SERVICE_SCHEMAS.Error) ?? {}, body, `${name} ${status}`)
}

test('every answer of the four endpoints keeps its schema', async () => {
  for (const statusKey of ['status', 'statusTransaction'] as const) {
    const world = await startWorld({ statusKey })
    const { QrCodeAnswer, RefundAnswer, TransferAnswer, StatusAnswer } = SERVICE_SCHEMAS
    const created = await world.cashIn({ client: { name: 'Ana' } })
    const id = created.body.idTransaction
    expectAnswer(created, QrCodeAnswer, 'QrCodeAnswer')
    expectAnswer(await world.cashIn({ amount: 0 }), QrCodeAnswer, 'QrCodeAnswer')
    expectAnswer(await world.status(id), StatusAnswer, 'StatusAnswer')
    await world.control('pay', { id })
    for (const query of [id, 'paid-1', 'nonsense', crypto.randomUUID()]) {
      expectAnswer(await world.status(query), StatusAnswer, 'StatusAnswer')
    }
    for (const amount of [1, 1000]) expectAnswer(await world.refund(id, { amount }), RefundAnswer, 'RefundAnswer')
    for (const value of [1, 1e6]) expectAnswer(await world.transfer({ value }), TransferAnswer, 'TransferAnswer')
    expectAnswer(await world.status(id, {}), StatusAnswer, 'StatusAnswer')
    expectAnswer(await world.call('/nowhere'), undefined, 'Error')
  }
})

test('every answer of the control API keeps its schema, and every webhook keeps that of its event', async () => {
  const receiver = await startReceiver()
  const world = await startWorld({ autoSettleMs: 0, dashboardWebhook: receiver.url, partners: ['partner'] })
  const { Transaction, State, Fault, Clock, Requests, Health } = CONTROL_SCHEMAS
  const created = await world.cashIn({
    callbackUrl: receiver.url,
    shippingAmount: 1.5,
    client: { name: 'Ana', taxId: '52998224725', email: 'ana@example.com' },
    split: { username: 'partner', percentageSplit: 12.5 },
  })
  const id = created.body.idTransaction
  await world.cashIn({ requestNumber: 'order-7' })
  expectAnswer(await world.control('pay', { id }), Transaction, 'pay')
  expectAnswer(await world.control('expire', { id: 'order-7' }), Transaction, 'expire')
  await world.refund(id, { amount: 1, callbackUrl: receiver.url })
  await world.transfer({ externalId: 'invoice-1', callbackUrl: receiver.url })
  await world.transfer({ key: 'no-funds@fail.pixgate.example', callbackUrl: receiver.url })
  expectAnswer(await world.control('return', { id: 'invoice-1' }), Transaction, 'return')
  expectAnswer(await world.control('chargeback', { id }), Transaction, 'chargeback')
  expectAnswer(await world.control('deliver', { id }), Transaction, 'deliver')
  expectAnswer(await world.control('fault', { kind: 'NO_FUNDS', on: 'transfer', async: true }), Fault, 'fault')
  expectAnswer(await world.control('advance', { ms: 1 }), Clock, 'advance')
  expectAnswer(await world.control('pay', { id: 'nobody' }), undefined, 'Error')
  expectAnswer(await world.call('/sandbox/requests'), Requests, 'requests')
  expectAnswer(await world.call('/healthz'), Health, 'healthz')
  const received = await receiver.first(9)
  expectAnswer(await world.call('/sandbox/state'), State, 'state')
  expectAnswer(await world.control('reset'), State, 'reset')
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
