import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import {
  AMOUNT_CENTS_MAX,
  centsFromJson,
  formatReais,
  parseAmount,
  plainAmount,
  reaisFromCents,
} from '../../src/pix/amount.ts'
import { changedAmounts } from './changedAmounts.ts'

const cents = fc.integer({ min: 1, max: AMOUNT_CENTS_MAX })

describe('amounts that are accepted', () => {
  it.each([
    ['10', 1000],
    ['10.5', 1050],
    ['10.50', 1050],
    ['10,5', 1050],
    ['10,50', 1050],
    ['0.01', 1],
    ['0,01', 1],
    ['0.1', 10],
    ['0.10', 10],
    ['1', 100],
    ['999', 99_900],
    ['1000', 100_000],
    ['1234.56', 123_456],
    ['1234,56', 123_456],
    ['1.234,56', 123_456],
    ['1.234,5', 123_450],
    ['1.000,00', 100_000],
    ['12.345,67', 1_234_567],
    ['123.456,78', 12_345_678],
    ['1.234.567,89', 123_456_789],
    ['R$ 1.234,56', 123_456],
    ['R$1.234,56', 123_456],
    ['R$\u00a01.234,56', 123_456],
    ['R$\u202f1.234,56', 123_456],
    ['R$10', 1000],
    ['R$ 10.50', 1050],
    [' 10.50 ', 1050],
    ['10.50\n', 1050],
    ['8.2', 820],
    ['4.35', 435],
    ['1.15', 115],
    ['1.005,00', 100_500],
    ['9999999999.99', AMOUNT_CENTS_MAX],
    ['9999999999,99', AMOUNT_CENTS_MAX],
    ['9.999.999.999,99', AMOUNT_CENTS_MAX],
    ['R$ 9.999.999.999,99', AMOUNT_CENTS_MAX],
  ])('%j is %d cents', (text, expected) => {
    expect(parseAmount(text)).toBe(expected)
  })

  it.each(['0', '0.0', '0.00', '0,00', 'R$ 0', 'R$ 0,00'])('%j is zero if zero is allowed', (text) => {
    expect(parseAmount(text, { zeroAllowed: true })).toBe(0)
  })
})

describe('round trips', () => {
  it('brings every amount to 500.00, and some to 20000.00, back through text and JSON', () => {
    expect(changedAmounts(1, 50_000)).toEqual([])
    expect(changedAmounts(50_000, 2_000_000, 37)).toEqual([])
  })

  it('brings any amount back through every form', () => {
    fc.assert(
      fc.property(cents, (amountCents) => {
        expect(parseAmount(plainAmount(amountCents))).toBe(amountCents)
        expect(parseAmount(plainAmount(amountCents).replace('.', ','))).toBe(amountCents)
        expect(parseAmount(formatReais(amountCents))).toBe(amountCents)
        expect(parseAmount(formatReais(amountCents).slice(3))).toBe(amountCents)
        expect(centsFromJson(JSON.parse(JSON.stringify(reaisFromCents(amountCents))))).toBe(amountCents)
        expect(centsFromJson(JSON.parse(plainAmount(amountCents)))).toBe(amountCents)
        expect(centsFromJson(plainAmount(amountCents))).toBe(amountCents)
      }),
      { numRuns: 2000 },
    )
  })
})

describe('amounts in JSON', () => {
  it.each([
    ['150', 15_000],
    ['150.0', 15_000],
    ['150.00', 15_000],
    ['150.5', 15_050],
    ['0', 0],
    ['-0', 0],
    ['0.1', 10],
    ['0.29', 29],
    ['1.15', 115],
    ['8.2', 820],
    ['1.5e2', 15_000],
    ['9999999999.99', AMOUNT_CENTS_MAX],
    ['"10.50"', 1050],
    ['"10.5"', 1050],
    ['"150"', 15_000],
    ['"0.00"', 0],
  ])('%s is %d cents', (json, expected) => {
    expect(centsFromJson(JSON.parse(json))).toBe(expected)
  })

  it.each([
    10.005,
    0.001,
    1.000_000_001,
    0.1 + 0.2,
    -1,
    -0.01,
    Number.NaN,
    Number.POSITIVE_INFINITY,
    Number.NEGATIVE_INFINITY,
    1e300,
    Number.MAX_SAFE_INTEGER,
    '',
    ' 10',
    '10,50',
    '10.505',
    '1e3',
    '-1.00',
    '0x10',
    '010.00',
    '.5',
    '5.',
    '１０',
    '99999999999999999999',
    true,
    null,
    undefined,
    [[]],
    [[10]],
    {},
    10n,
  ])('%o is not an amount', (value) => {
    expect(centsFromJson(value)).toBeUndefined()
  })

  it('takes a number exactly when its text has at most two decimals', () => {
    const near = fc.integer({ min: 0, max: 10_000_000 }).map((thousandths) => thousandths / 1000)
    fc.assert(
      fc.property(near, (value) => (centsFromJson(value) !== undefined) === /^\d+(?:\.\d{1,2})?$/.test(String(value))),
      { numRuns: 5000 },
    )
  })
})

describe('amounts for people', () => {
  it.each([
    [0, 'R$ 0,00', '0.00'],
    [1, 'R$ 0,01', '0.01'],
    [100, 'R$ 1,00', '1.00'],
    [99_999, 'R$ 999,99', '999.99'],
    [150_000, 'R$ 1.500,00', '1500.00'],
    [123_456_789, 'R$ 1.234.567,89', '1234567.89'],
    [AMOUNT_CENTS_MAX, 'R$ 9.999.999.999,99', '9999999999.99'],
    [-100, '-R$ 1,00', '-1.00'],
    [-5, '-R$ 0,05', '-0.05'],
  ])('%d cents: %s', (amountCents, reais, plain) => {
    expect(formatReais(amountCents)).toBe(reais)
    expect(plainAmount(amountCents)).toBe(plain)
  })
})
