import { isValidPixPayload } from '@brazilian-utils/brazilian-utils'
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { AMOUNT_CENTS_MAX } from '../../src/pix/amount.ts'
import { type BrCodeContents, readBrCode, writeBrCode } from '../../src/pix/brCode.ts'
import vectors from '../fixtures/vectors.json' with { type: 'json' }

const KEY = '123e4567-e12b-12d1-a456-426655440000'
const MERCHANT = { merchantName: 'Fulano de Tal', merchantCity: 'BRASILIA' }

describe('written codes', () => {
  it.each<[number, BrCodeContents]>([
    [0, { key: KEY, ...MERCHANT }],
    [1, { url: 'pix.example.com/8b3da2f39a4140d1a91abd93113bd441', once: true, ...MERCHANT }],
    [8, { key: KEY, once: false, ...MERCHANT }],
  ])('are the published ones, to the character (number %d)', (index, contents) => {
    expect(writeBrCode(contents)).toBe(vectors.brCodesValid[index]?.code)
  })

  it('read back valid with the same contents', () => {
    const printable = fc.stringMatching(/^[!-~]{1,77}$/)
    const merchantText = fc
      .string({ unit: 'binary', minLength: 1 })
      .filter((text) => /[A-Za-z]/.test(text.trim().slice(0, 10)))
    const contents = fc.record(
      {
        recipient: fc.oneof(
          fc.record({
            key: fc.oneof(
              fc.uuid(),
              fc.stringMatching(/^[a-z0-9]{1,40}@[a-z]{1,20}\.br$/),
              fc.constantFrom('52998224725', '11222333000181', '+5511987654321'),
            ),
          }),
          fc.record({ url: printable.filter((url) => !url.includes('://')) }),
        ),
        amountCents: fc.integer({ min: 1, max: AMOUNT_CENTS_MAX }),
        merchantName: merchantText,
        merchantCity: merchantText,
        txid: fc.stringMatching(/^[A-Za-z0-9]{1,25}$/),
        once: fc.boolean(),
      },
      { requiredKeys: ['recipient', 'merchantName', 'merchantCity'] },
    )
    fc.assert(
      fc.property(contents, ({ recipient, ...rest }) => {
        const code = writeBrCode({ ...recipient, ...rest })
        const read = readBrCode(code)
        expect(code).toMatch(/^[ -~]{1,512}$/)
        expect(read).toMatchObject({
          valid: true,
          errors: [],
          warnings: [],
          kind: 'key' in recipient ? 'static' : 'dynamic',
          key: 'key' in recipient ? recipient.key : null,
          url: 'url' in recipient ? recipient.url : null,
          amountCents: rest.amountCents ?? null,
          txid: rest.txid ?? '***',
          merchantName: expect.stringMatching(/^[!-~](?:[ -~]{0,23}[!-~])?$/),
          merchantCity: expect.stringMatching(/^[!-~](?:[ -~]{0,13}[!-~])?$/),
        })
      }),
      { numRuns: 2000 },
    )
  })

  it('are accepted by an independent library', () => {
    const amount = fc.integer({ min: 1, max: 100_000_000 })
    fc.assert(
      fc.property(fc.uuid(), amount, fc.boolean(), (id, amountCents, isDynamic) => {
        const recipient = isDynamic ? { url: `pix.example.com/qr/v2/${id}` } : { key: id }
        return isValidPixPayload(writeBrCode({ ...recipient, amountCents, ...MERCHANT }))
      }),
    )
  })

  it.each([
    ['João da Conceição', 'Joao da Conceicao'],
    ['ÁÉÍÓÚ àèìòù ãõ ç Ñ ü', 'AEIOU aeiou ao c N u'],
    ['Jose\u0301', 'Jose'],
    ['ﬁna', 'fina'],
    ['Loja 😀', 'Loja ?'],
    ['李', '?'],
    ['a\u001b[2J', 'a?[2J'],
    ['  Loja  ', 'Loja'],
    ['Uma loja com nome comprido demais', 'Uma loja com nome comprid'],
    ['Uma loja com nome de sete e mais', 'Uma loja com nome de sete'],
    ['vinte e quatro caracteres e mais', 'vinte e quatro caracteres'],
    ['123456789012345678901234 6789', '123456789012345678901234'],
  ])('carry the name %j as %j', (merchantName, expected) => {
    expect(readBrCode(writeBrCode({ key: KEY, merchantName, merchantCity: 'X' })).merchantName).toBe(expected)
  })

  it('allow zero with a url', () => {
    const code = writeBrCode({ url: 'pix.example.com/x', amountCents: 0, ...MERCHANT })
    expect(readBrCode(code)).toMatchObject({ valid: true, amountText: '0.00' })
  })
})

describe('contents of which no valid code can be made', () => {
  it.each<[string, BrCodeContents]>([
    ['no recipient', MERCHANT],
    ['two recipients', { key: KEY, url: 'pix.example.com/x', ...MERCHANT }],
    ['an empty key', { key: '', ...MERCHANT }],
    ['a key of 78 characters', { key: 'x'.repeat(78), ...MERCHANT }],
    ['a key with an accent', { key: 'joão@example.com', ...MERCHANT }],
    ['a key with a space', { key: 'a b', ...MERCHANT }],
    ['a key that is none', { key: '111.444.777-35', ...MERCHANT }],
    ['a url of 78 characters', { url: 'x'.repeat(78), ...MERCHANT }],
    ['a url with a scheme', { url: 'https://pix.example.com/x', ...MERCHANT }],
    ['a blank name', { key: KEY, merchantName: ' ', merchantCity: 'X' }],
    ['a blank city', { key: KEY, merchantName: 'X', merchantCity: '' }],
    ['a txid of 26 characters', { key: KEY, txid: 'x'.repeat(26), ...MERCHANT }],
    ['a txid with a dash', { key: KEY, txid: 'a-b', ...MERCHANT }],
    ['an empty txid', { key: KEY, txid: '', ...MERCHANT }],
    ['zero with a key', { key: KEY, amountCents: 0, ...MERCHANT }],
    ['a negative amount', { key: KEY, amountCents: -100, ...MERCHANT }],
    ['part of a cent', { key: KEY, amountCents: 10.5, ...MERCHANT }],
    ['an amount beyond 13 characters', { key: KEY, amountCents: AMOUNT_CENTS_MAX + 1, ...MERCHANT }],
  ])('%s', (_, contents) => {
    expect(() => writeBrCode(contents)).toThrow(RangeError)
  })
})
