import { describe, expect, test } from 'vitest'
import { writeBrCode } from '../../src/pix/brCode.ts'
import { findKeyHolder } from '../../src/sandbox/keyDirectory.ts'
import { eventually, startReceiver, startWorld } from './sandboxWorld.ts'

const STATIC_CODE = writeBrCode({ key: 'maria@example.com', merchantName: 'MARIA', merchantCity: 'RECIFE' })
const CODE_OF_TEN = writeBrCode({
  key: '11222333000181',
  amountCents: 1000,
  merchantName: 'LOJA',
  merchantCity: 'RECIFE',
})

test('a key that begins with `othername` is of a person with another name than the sandbox makes up', () => {
  expect(findKeyHolder('ana@example.com', 'email')?.name).toMatch(/^Sandbox /)
  expect(findKeyHolder('othername-ana@example.com', 'email')?.name).not.toMatch(/^Sandbox /)
})

describe('a transfer', () => {
  test('is accepted, takes the money at once, and completes later', async () => {
    const world = await startWorld()
    const receiver = await startReceiver()
    const { status, body } = await world.transfer({ externalId: 'invoice-1', callbackUrl: receiver.url })
    expect(status).toBe(200)
    expect(body).toEqual({ idTransaction: expect.any(String), status: 'PROCESSING', response: 'OK' })
    expect(await world.state()).toMatchObject({ balance: 9974.5, transfers: [{ status: 'PROCESSING', value: 25.5 }] })
    await world.advance(1000)
    const [event] = await receiver.first(1)
    expect(event?.json).toEqual({
      event: 'transfer.completed',
      data: {
        idTransaction: body.idTransaction,
        typeTransaction: 'PIX_CASHOUT',
        statusTransaction: 'PAID_OUT',
        value: 25.5,
        destinationName: 'Sandbox Recebedor',
        destinationTaxId: '52998224725',
        destinationBank: 'BANCO SANDBOX S.A.',
      },
    })
    expect(await world.state()).toMatchObject({
      balance: 9974.5,
      transfers: [{ status: 'COMPLETED', statusTransaction: 'PAID_OUT', externalId: 'invoice-1' }],
    })
  })

  test.each<[string, Record<string, unknown>, string, string]>([
    ['fail', {}, 'ERROR', 'PIX_KEY_NOT_FOUND'],
    ['fail', { errorCode: 'NO_FUNDS' }, 'ERROR', 'NO_FUNDS'],
    ['cancel', {}, 'CANCELED', 'CANCELED'],
  ])('%s %j: it ends as %s with %s and the money is back', async (action, more, statusTransaction, errorCode) => {
    const world = await startWorld()
    const receiver = await startReceiver()
    const id = (await world.transfer({ callbackUrl: receiver.url })).body.idTransaction
    const { body } = await world.control(action, { id, ...more })
    expect(body).toMatchObject({ type: 'transfer', status: 'FAILED', statusTransaction, errorCode })
    const [event] = await receiver.first(1)
    expect(event?.json).toEqual({
      event: 'transfer.failed',
      data: {
        idTransaction: id,
        typeTransaction: 'PIX_CASHOUT',
        statusTransaction,
        value: 25.5,
        errorCode,
        errorMessage: expect.stringMatching(/\w/),
      },
    })
    expect((await world.state()).balance).toBe(10_000)
    await world.advance(10_000)
    expect((await world.state()).transfers).toMatchObject([{ status: 'FAILED' }])
    expect((await world.control(action, { id })).status).toBe(409)
    expect((await world.control('return', { id })).status).toBe(409)
  })

  test('returned by the recipient: failed with RETURNED, the money back', async () => {
    const world = await startWorld()
    const receiver = await startReceiver()
    const id = (await world.transfer({ callbackUrl: receiver.url })).body.idTransaction
    await world.advance(1000)
    expect((await world.control('fail', { id })).status).toBe(409)
    const { body } = await world.control('return', { id })
    expect(body).toMatchObject({ status: 'FAILED', statusTransaction: 'RETURNED' })
    const [, event] = await receiver.first(2)
    expect(event?.json).toMatchObject({
      event: 'transfer.failed',
      data: { statusTransaction: 'RETURNED', errorCode: 'RETURNED', value: 25.5 },
    })
    expect((await world.state()).balance).toBe(10_000)
    expect((await world.control('return', { id })).status).toBe(409)
  })

  test('returned while in progress: it reaches the recipient first', async () => {
    const world = await startWorld()
    const receiver = await startReceiver()
    const id = (await world.transfer({ callbackUrl: receiver.url })).body.idTransaction
    await world.control('return', { id })
    expect((await receiver.first(2)).map(({ json }) => json.data.statusTransaction)).toEqual(['PAID_OUT', 'RETURNED'])
    await world.advance(10_000)
    expect(await world.state()).toMatchObject({ balance: 10_000, deliveries: [{}, {}] })
  })
})

test('settles by itself on the wall clock', async () => {
  const world = await startWorld({ now: Date.now, autoSettleMs: 1 })
  await world.transfer()
  await eventually(async () => expect((await world.state()).transfers).toMatchObject([{ status: 'COMPLETED' }]))
})

describe('refusals', () => {
  test.each<[string, number, string, Record<string, unknown>]>([
    ['more than the balance', 400, 'NO_FUNDS', { value: 10_000.01 }],
    ['a key without funds', 400, 'NO_FUNDS', { key: 'nofunds-7@example.com' }],
    ['e-mail not found', 404, 'PIX_KEY_NOT_FOUND', { key: 'someone-notfound@example.com' }],
    ['e-mail not found', 404, 'PIX_KEY_NOT_FOUND', { key: 'not-found@example.com' }],
    ['phone not found', 404, 'PIX_KEY_NOT_FOUND', { key: '+5511900000404', typeKey: 'phoneNumber' }],
    ['document not found', 404, 'PIX_KEY_NOT_FOUND', { key: '00000040495', typeKey: 'document' }],
    [
      'random key not found',
      404,
      'PIX_KEY_NOT_FOUND',
      { key: '00000000-0000-4000-8000-000000000404', typeKey: 'randomKey' },
    ],
    ['another owner', 400, 'DOCUMENT_VALIDATE', { documentValidation: '11144477735' }],
    [
      'another document',
      400,
      'DOCUMENT_VALIDATE',
      { key: '11222333000181', typeKey: 'document', documentValidation: '52998224725' },
    ],
  ])('%s: %i %s', async (_name, status, message, fields) => {
    const world = await startWorld()
    const answer = await world.transfer({ externalId: 'invoice-1', ...fields })
    expect(answer).toMatchObject({
      status,
      body: { statusCode: status, message, details: expect.stringMatching(/\w/) },
    })
    expect(await world.state()).toMatchObject({ balance: 10_000, transfers: [], deliveries: [] })
    expect((await world.transfer({ externalId: 'invoice-1' })).status).toBe(200)
  })

  test('an externalId cannot be reused after an accepted transfer, whatever its result', async () => {
    const world = await startWorld()
    const duplicate = { status: 400, body: { message: 'DUPLICATE_EXTERNAL_ID' } }
    const { body } = await world.transfer({ externalId: 'invoice-1' })
    expect(await world.transfer({ externalId: 'invoice-1' })).toMatchObject(duplicate)
    expect(await world.transfer({ externalId: 'invoice-1', value: 1 })).toMatchObject(duplicate)
    await world.control('fail', { id: body.idTransaction })
    expect(await world.transfer({ externalId: 'invoice-1' })).toMatchObject(duplicate)
    expect((await world.transfer({ externalId: 'invoice-2' })).status).toBe(200)
    expect((await world.transfer()).status).toBe(200)
    expect((await world.transfer()).status).toBe(200)
    expect((await world.state()).transfers).toHaveLength(4)
  })

  test('of many at once with one externalId exactly one is accepted', async () => {
    const world = await startWorld()
    const answers = await Promise.all(Array.from({ length: 20 }, () => world.transfer({ externalId: 'invoice-1' })))
    expect(answers.filter(({ status }) => status === 200)).toHaveLength(1)
    expect((await world.state()).balance).toBe(9974.5)
  })

  test('the whole balance may leave, and not a cent more', async () => {
    const world = await startWorld()
    expect((await world.transfer({ value: 10_000 })).status).toBe(200)
    expect((await world.transfer({ value: 0.01 })).body.message).toBe('NO_FUNDS')
    expect((await world.state()).balance).toBe(0)
  })

  test.each<[string, Record<string, unknown>]>([
    ['value', { value: undefined }],
    ['value', { value: '25.50' }],
    ['value', { value: 0 }],
    ['value', { value: 0.001 }],
    ['key', { key: undefined }],
    ['key', { key: 5511987654321, typeKey: 'phoneNumber' }],
    ['key', { key: 'nobody', typeKey: 'email' }],
    ['key', { key: '52998224724', typeKey: 'document' }],
    ['key', { key: '52998765432', typeKey: 'phoneNumber' }],
    ['key', { key: '(11) 98765-4321', typeKey: 'phoneNumber' }],
    ['key', { key: '+5511', typeKey: 'phoneNumber' }],
    ['key', { key: '123e4567e12b12d1a456426655440000', typeKey: 'randomKey' }],
    ['key', { key: 'maria@example.com', typeKey: 'randomKey' }],
    ['key', { key: 'maria@example.com', typeKey: 'paymentCode' }],
    ['key', { key: `${STATIC_CODE.slice(0, -4)}0000`, typeKey: 'paymentCode' }],
    ['value', { key: CODE_OF_TEN, typeKey: 'paymentCode', value: 10.01 }],
    ['typeKey', { typeKey: undefined }],
    ['typeKey', { typeKey: 'EMAIL' }],
    ['typeKey', { typeKey: 'evp' }],
    ['callbackUrl', { callbackUrl: '' }],
    ['externalId', { externalId: '' }],
    ['externalId', { externalId: 17 }],
    ['documentValidation', { documentValidation: '123' }],
    ['documentValidation', { documentValidation: 52998224725 }],
  ])('`%s` in %j is refused and named', async (field, fields) => {
    const world = await startWorld()
    expect(await world.transfer(fields)).toMatchObject({
      status: 400,
      body: { statusCode: 400, message: 'WRONG_DATA_FORMAT', details: expect.stringContaining(`\`${field}\``) },
    })
    expect(await world.state()).toMatchObject({ balance: 10_000, transfers: [] })
  })
})

describe('keys', () => {
  test.each<[string, Record<string, unknown>]>([
    ['the owner of any key', { documentValidation: '52998224725' }],
    ['the owner with punctuation', { documentValidation: '529.982.247-25' }],
    [
      'a document owns itself',
      { key: '11222333000181', typeKey: 'document', documentValidation: '11.222.333/0001-81' },
    ],
    ['an alphanumeric CNPJ', { key: '12ABC34501DE35', typeKey: 'document', documentValidation: '12abc34501de35' }],
    ['a phone', { key: '+5511987654321', typeKey: 'phoneNumber' }],
    ['a phone without +55', { key: '62999998888', typeKey: 'phoneNumber' }],
    ['a random key', { key: '123e4567-e12b-12d1-a456-426655440000', typeKey: 'randomKey' }],
    ['a code without an amount', { key: STATIC_CODE, typeKey: 'paymentCode' }],
    ['a code with its amount', { key: CODE_OF_TEN, typeKey: 'paymentCode', value: 10 }],
    [
      "a code's owner is that of its key",
      { key: CODE_OF_TEN, typeKey: 'paymentCode', value: 10, documentValidation: '11222333000181' },
    ],
  ])('%s is accepted', async (_name, fields) => {
    const world = await startWorld()
    expect((await world.transfer(fields)).body).toMatchObject({ status: 'PROCESSING' })
  })

  test('a transfer to a code of the sandbox itself pays its charge, once, and not when it has expired', async () => {
    const world = await startWorld()
    const charges = [await world.cashIn({ amount: 10 }), await world.cashIn({ amount: 10 })].map(({ body }) => body)
    const pay = (place: number, externalId?: string) =>
      world.transfer({ key: charges[place]?.paymentCode, typeKey: 'paymentCode', value: 10, externalId })
    expect((await pay(0, 'invoice-1')).status).toBe(200)
    expect((await pay(0)).status).toBe(200)
    await world.advance(1000)
    const { balance, transfers } = await world.state()
    expect(balance).toBe(10_000)
    expect(transfers.map(({ errorCode }) => errorCode)).toEqual([null, 'PIX_KEY_NOT_FOUND'])
    expect((await world.status(charges[0]?.idTransaction)).body.status).toBe('PAID')
    expect((await pay(0, 'invoice-1')).body.message).toBe('DUPLICATE_EXTERNAL_ID')
    await world.control('expire', { id: charges[1]?.idTransaction })
    expect(await pay(1)).toMatchObject({
      status: 404,
      body: { message: 'PIX_KEY_NOT_FOUND', details: expect.stringContaining('its charge is EXPIRED') },
    })
  })

  test('a static code is looked up by the key in it, of which eleven digits are a CPF', () => {
    const codeOf = (key: string) => writeBrCode({ key, merchantName: 'A', merchantCity: 'B' })
    expect(findKeyHolder(codeOf('notfound@example.com'), 'paymentCode')).toBeNull()
    expect(findKeyHolder(codeOf('11222333000181'), 'paymentCode')?.taxId).toBe('11222333000181')
    expect(findKeyHolder(codeOf('11987650034'), 'paymentCode')?.taxId).toBe('11987650034')
  })
})
