import { generateCnpj, generateCpf, isValidCnpj, isValidCpf } from '@brazilian-utils/brazilian-utils'
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { Malformed } from '../../src/pix/expectedError.ts'
import { isCnpj, isCpf, isTaxDocument, maskTaxDocument, parseTaxDocument } from '../../src/pix/taxDocument.ts'
import vectors from '../fixtures/vectors.json' with { type: 'json' }

const digit = fc.constantFrom(...'0123456789')
const capital = fc.constantFrom(...'0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZ')

function text(unit: fc.Arbitrary<string>, length: number): fc.Arbitrary<string> {
  return fc.string({ unit, minLength: length, maxLength: length })
}

/** The same text with one character replaced. */
function withOneChanged(original: string, unit: fc.Arbitrary<string>): fc.Arbitrary<string> {
  return fc
    .tuple(fc.nat(original.length - 1), unit)
    .map(([at, other]) => original.slice(0, at) + other + original.slice(at + 1))
}

describe('CPF', () => {
  it.each(vectors.cpf.valid)('%s is one', (document) => {
    expect(isCpf(document)).toBe(true)
    expect(isTaxDocument(document)).toBe(true)
  })

  it.each([
    ...vectors.cpf.invalid,
    '11111111111',
    '99999999999',
    '1234567890',
    '123456789090',
    '123.456.789-09',
    ' 12345678909',
    '１2345678909',
    '',
  ])('%j is none', (document) => {
    expect(isCpf(document)).toBe(false)
  })

  it('is judged as an independent library judges it', () => {
    const generated = fc.constant(null).map(() => generateCpf())
    const candidate = fc.oneof(
      text(digit, 11),
      generated,
      generated.chain((cpf) => withOneChanged(cpf, digit)),
    )
    fc.assert(
      fc.property(candidate, (document) => isCpf(document) === isValidCpf(document)),
      { numRuns: 3000 },
    )
  })

  it('is judged like that for every pair of check digits of one number', () => {
    const found = []
    for (let pair = 0; pair < 100; pair += 1) {
      const document = `019283746${String(pair).padStart(2, '0')}`
      expect(isCpf(document)).toBe(isValidCpf(document))
      if (isCpf(document)) found.push(document)
    }
    expect(found).toHaveLength(1)
  })
})

describe('CNPJ', () => {
  it.each(vectors.cnpj.valid)('%s is one', (document) => {
    expect(isCnpj(document)).toBe(true)
    expect(isTaxDocument(document)).toBe(true)
  })

  it.each([
    ...vectors.cnpj.invalid,
    '12abc34501de35',
    '12.ABC.345/01DE-35',
    '1122233300018',
    '112223330001811',
    '1122233300018１',
    '',
  ])('%j is none', (document) => {
    expect(isCnpj(document)).toBe(false)
  })

  it('is judged as an independent library judges it, with letters and without', () => {
    const generated = fc.constantFrom<1 | 2>(1, 2).map((version) => generateCnpj(version))
    const candidate = fc.oneof(
      text(digit, 14),
      fc.tuple(text(capital, 12), text(digit, 2)).map((parts) => parts.join('')),
      generated,
      generated.chain((cnpj) => withOneChanged(cnpj, capital)),
    )
    fc.assert(
      fc.property(candidate, (document) => isCnpj(document) === isValidCnpj(document, { version: 2 })),
      { numRuns: 3000 },
    )
  })
})

describe('tax documents as people type them', () => {
  it.each([
    ['123.456.789-09', '12345678909'],
    [' 12345678909 ', '12345678909'],
    ['123456789-09', '12345678909'],
    ['11.222.333/0001-81', '11222333000181'],
    ['00.000.000/0001-91', '00000000000191'],
    ['12.ABC.345/01DE-35', '12ABC34501DE35'],
    ['12.abc.345/01de-35', '12ABC34501DE35'],
  ])('%j is %s', (typed, plain) => {
    expect(parseTaxDocument(typed)).toBe(plain)
  })

  it.each([
    ['12345678900', 'is not a CPF: its check digits are wrong'],
    ['000.000.000-00', 'is not a CPF'],
    ['12ABC34501DE36', 'is not a CNPJ: its check digits are wrong'],
    ['11111111111111', 'is not a CNPJ'],
    ['1234567890', 'is neither a CPF nor a CNPJ'],
    ['', 'is neither a CPF nor a CNPJ'],
    ['191', 'is neither a CPF nor a CNPJ'],
    ['123 456 789 09', 'is neither a CPF nor a CNPJ'],
    ['123_456_789_09', 'is neither a CPF nor a CNPJ'],
    ['１2345678909', 'is neither a CPF nor a CNPJ'],
    ['12ABC34501Dé35', 'is neither a CPF nor a CNPJ'],
    ['ı2345678909', 'is neither a CPF nor a CNPJ'],
  ])('%j %s', (typed, reason) => {
    expect(() => parseTaxDocument(typed)).toThrow(Malformed)
    expect(() => parseTaxDocument(typed)).toThrow(reason)
  })
})

describe('masks', () => {
  it.each([
    ['12345678909', '***.456.789-**'],
    ['123.456.789-09', '***.456.789-**'],
    ['11222333000181', '**.222.333/0001-**'],
    ['11.222.333/0001-81', '**.222.333/0001-**'],
    ['12ABC34501DE35', '**.ABC.345/01DE-**'],
    ['***.123.456-**', '***.123.456-**'],
    ['**.222.333/0001-**', '**.222.333/0001-**'],
    ['123.***.***-09', '123.***.***-09'],
    ['*12345678909', '***.456.789-**'],
    ['1234567890', '***'],
    ['', '***'],
  ])('%j becomes %j', (document, masked) => {
    expect(maskTaxDocument(document)).toBe(masked)
  })

  it('never shows a whole document, and masks only once', () => {
    const document = fc.oneof(text(digit, 11), text(digit, 14), fc.string())
    fc.assert(
      fc.property(document, (plain) => {
        const masked = maskTaxDocument(plain)
        expect(masked.replace(/\D/g, '').length).toBeLessThanOrEqual(10)
        expect(maskTaxDocument(masked)).toBe(masked)
      }),
    )
  })
})
