import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { AMOUNT_CENTS_MAX, parseAmount } from '../../src/pix/amount.ts'
import { Malformed } from '../../src/pix/expectedError.ts'

function malformedOf(text: string, options?: { zeroAllowed?: boolean }): Malformed {
  try {
    const read = parseAmount(text, options)
    throw new Error(`accepted ${JSON.stringify(text)} as ${read} cents`)
  } catch (error) {
    if (error instanceof Malformed) return error
    throw error
  }
}

describe('amounts that are malformed', () => {
  it.each([
    ['', 'is empty'],
    ['   ', 'is empty'],
    ['R$', 'is empty'],
    ['R$ ', 'is empty'],
    ['0', 'is zero'],
    ['0.0', 'is zero'],
    ['0.00', 'is zero'],
    ['0,00', 'is zero'],
    ['R$ 0,00', 'is zero'],
    ['-1', 'is negative'],
    ['-0', 'is negative'],
    ['-0.01', 'is negative'],
    ['-10,50', 'is negative'],
    ['- 5', 'is negative'],
    ['\u22125', 'is negative'],
    ['R$ -5', 'is negative'],
    ['-R$ 5', 'is negative'],
    ['(10.00)', 'is negative'],
    ['10.00-', 'is negative'],
    ['+5', 'is not an amount'],
    ['+5.00', 'is not an amount'],
    ['R$ +5', 'is not an amount'],
    ['1e3', 'has an exponent'],
    ['1E3', 'has an exponent'],
    ['1e-2', 'has an exponent'],
    ['1.5e+2', 'has an exponent'],
    ['1,5e2', 'has an exponent'],
    ['10.001', 'is ambiguous'],
    ['10.123', 'is ambiguous'],
    ['1.234', 'is ambiguous'],
    ['1,234', 'is ambiguous'],
    ['1.000', 'is ambiguous'],
    ['1,000', 'is ambiguous'],
    ['12.345', 'is ambiguous'],
    ['123.456', 'is ambiguous'],
    ['1.234.567', 'is ambiguous'],
    ['1,234,567', 'is ambiguous'],
    ['R$ 1.234', 'is ambiguous'],
    ['0.001', 'more than two decimals'],
    ['0.010', 'more than two decimals'],
    ['0,125', 'more than two decimals'],
    ['10.0000', 'more than two decimals'],
    ['1.2345', 'more than two decimals'],
    ['1234.567', 'more than two decimals'],
    ['1234,567', 'more than two decimals'],
    ['1.234,567', 'more than two decimals'],
    ['1,234.567', 'more than two decimals'],
    ['0.30000000000000004', 'more than two decimals'],
    ['1,234.56', 'uses commas for thousands'],
    ['1,234.5', 'uses commas for thousands'],
    ['12,345.67', 'uses commas for thousands'],
    ['1,234,567.89', 'uses commas for thousands'],
    ['R$ 1,234.56', 'uses commas for thousands'],
    ['1.23,45', 'is not an amount'],
    ['1.2345,67', 'is not an amount'],
    ['12.34.56', 'is not an amount'],
    ['1.234.56', 'is not an amount'],
    ['1,23,456', 'is not an amount'],
    ['1234.567,89', 'is not an amount'],
    ['1.234,56,78', 'is not an amount'],
    ['1..5', 'is not an amount'],
    ['1,,5', 'is not an amount'],
    ['1.,5', 'is not an amount'],
    ['0.123,45', 'is not an amount'],
    ['.5', 'is not an amount'],
    [',50', 'is not an amount'],
    ['R$ .5', 'is not an amount'],
    ['5.', 'is not an amount'],
    ['5,', 'is not an amount'],
    ['1.234,', 'is not an amount'],
    ['00', 'is not an amount'],
    ['00.50', 'is not an amount'],
    ['007', 'is not an amount'],
    ['01,50', 'is not an amount'],
    ['01.234,56', 'is not an amount'],
    ['0001', 'is not an amount'],
    ['10000000000', 'is too large'],
    ['10000000000.00', 'is too large'],
    ['10.000.000.000,00', 'is too large'],
    ['99999999999999999999999', 'is too large'],
    ['9'.repeat(400), 'is too large'],
    ['0x10', 'is not an amount'],
    ['0XFF', 'is not an amount'],
    ['0b11', 'is not an amount'],
    ['0o17', 'is not an amount'],
    ['١٠', 'is not an amount'],
    ['٣٫٥', 'is not an amount'],
    ['१०', 'is not an amount'],
    ['１０', 'is not an amount'],
    ['1０', 'is not an amount'],
    ['𝟏𝟎', 'is not an amount'],
    ['$10', 'not in reais'],
    ['US$ 10', 'not in reais'],
    ['€10', 'not in reais'],
    ['10 EUR', 'not in reais'],
    ['USD 10', 'not in reais'],
    ['£5', 'not in reais'],
    ['1 000', 'is not an amount'],
    ['1 234,56', 'is not an amount'],
    ['1\u00a0234,56', 'is not an amount'],
    ['10 .50', 'is not an amount'],
    ['10, 50', 'is not an amount'],
    ['R$  10', 'is not an amount'],
    ['1\n0', 'is not an amount'],
    ['abc', 'is not an amount'],
    ['ten', 'is not an amount'],
    ['10 reais', 'is not an amount'],
    ['10 BRL', 'is not an amount'],
    ['BRL 10', 'is not an amount'],
    ['10 R$', 'is not an amount'],
    ['r$ 10', 'is not an amount'],
    ['R$ R$ 10', 'is not an amount'],
    ['10%', 'is not an amount'],
    ['Infinity', 'is not an amount'],
    ['NaN', 'is not an amount'],
    ['null', 'is not an amount'],
    ['1_000', 'is not an amount'],
    ["1'234.56", 'is not an amount'],
    ['10;50', 'is not an amount'],
    ['1/2', 'is not an amount'],
    ['½', 'is not an amount'],
    ['²', 'is not an amount'],
    ['10\u200b', 'is not an amount'],
    ['1\u202e0', 'is not an amount'],
    ['10\u0000', 'is not an amount'],
    ['.', 'is not an amount'],
    [',', 'is not an amount'],
    ['10n', 'is not an amount'],
    ['10a', 'is not an amount'],
    ['1e', 'is not an amount'],
  ])('%j: %s', (text, reason) => {
    const { message, hint } = malformedOf(text)
    expect(message).toContain(reason)
    expect(message).not.toMatch(/\.$/)
    expect(hint).not.toBe('')
    for (const [, literal = ''] of hint.matchAll(/`([^`]+)`/g)) {
      expect(parseAmount(literal)).toBeGreaterThan(0)
    }
  })

  it('names the thousands that may be meant', () => {
    expect(malformedOf('1.234').hint).toContain('`1234`')
    expect(malformedOf('1,234.56').hint).toContain('`1234.56`')
    expect(malformedOf('1,234,567.89').hint).toContain('`1234567.89`')
  })

  it.each(['-0', '-1', '', '00', '0.000', '+0'])('%j is malformed if zero is allowed, too', (text) => {
    expect(malformedOf(text, { zeroAllowed: true })).toBeInstanceOf(Malformed)
  })

  it('shows no control character of what was typed', () => {
    expect(malformedOf('10\u001b[2J').message).toBe('`10\\u{1b}[2J` is not an amount')
  })

  it('answers any text with an amount inside the limits or with Malformed', () => {
    const text = fc.oneof(fc.string({ unit: 'binary' }), fc.stringMatching(/^[R$ ]{0,3}[-+0-9.,eE ]{0,16}$/))
    fc.assert(
      fc.property(text, (typed) => {
        try {
          const read = parseAmount(typed)
          return Number.isInteger(read) && read >= 1 && read <= AMOUNT_CENTS_MAX
        } catch (error) {
          return error instanceof Malformed
        }
      }),
      { numRuns: 5000 },
    )
  })
})
