import { describe, expect, it } from 'vitest'
import { readBrCode } from '../../src/pix/brCode.ts'
import {
  code,
  codeWithZeroInCrc,
  DYNAMIC,
  field,
  KEY,
  PIX,
  RECURRENCE,
  STATIC,
  URL,
  UUID,
  withCrc,
} from './brCodeParts.ts'

describe('errors', () => {
  it.each<[string, string, string]>([
    ['repeated field', code({ '53': field('53', '986') + field('53', '986') }), 'Field 53 occurs more than once'],
    [
      'repeated sub-field',
      code({ '26': field('26', PIX + KEY + field('01', 'x')) }),
      'Field 26 contains field 01 more',
    ],
    [
      'repeated txid',
      code({ '62': field('62', field('05', 'a') + field('05', 'b')) }),
      'Field 62 contains field 05 more',
    ],
    ['url with a scheme', code({ '26': field('26', PIX + field('25', 'https://x.com/y')) }), 'begins with a scheme'],
    [
      'recurrence with a scheme',
      code({ '80': field('80', PIX + field('25', 'http://x.com')) }),
      'begins with a scheme',
    ],
    ['CRC not last', `${STATIC}${field('64', 'x')}`, 'There is text after the CRC'],
    ['garbage after the CRC', `${STATIC}zz`, 'There is text after the CRC'],
    ['second CRC', `${STATIC}${STATIC.slice(-8)}`, 'There is text after the CRC'],
    ['no CRC', STATIC.slice(0, -8), 'is cut off: at least 8 characters are missing at its end'],
    ['half a CRC', STATIC.slice(0, -2), 'is cut off: its last 2 characters are missing'],
    ['CRC of six', `${STATIC.slice(0, -8)}6306123456`, 'is not four hexadecimal digits'],
    ['CRC no hex', `${STATIC.slice(0, -4)}1D3G`, 'is not four hexadecimal digits'],
    ['CRC that lost its zero', codeWithZeroInCrc().replace(/0(...)$/, '$1'), 'has lost its leading zeros'],
    ['CRC of three', codeWithZeroInCrc().replace(/63040(...)$/, '6303$1'), 'is not four hexadecimal digits'],
    ['no PIX template', code({ '26': field('26', field('00', 'br.com.other') + KEY) }), 'is a PIX account'],
    ['no merchant account', code({ '26': '' }), 'is a PIX account'],
    ['two PIX templates', code({ '27': field('27', PIX + KEY) }), 'More than one merchant account'],
    ['key and url', code({ '26': field('26', PIX + KEY + URL) }), 'both a key and a URL'],
    ['neither key nor url', code({ '26': field('26', PIX) }), 'neither a key nor a URL'],
    ['amount with comma', code({ '54': field('54', '10,00') }), 'decimals after a dot'],
    ['amount of three decimals', code({ '54': field('54', '10.001') }), 'is malformed'],
    ['amount without decimals after the dot', code({ '54': field('54', '10.') }), 'is malformed'],
    ['amount with nothing before the dot', code({ '54': field('54', '.50') }), 'is malformed'],
    ['amount with sign', code({ '54': field('54', '-1.00') }), 'is malformed'],
    ['amount with exponent', code({ '54': field('54', '1e3') }), 'is malformed'],
    ['amount with spaces', code({ '54': field('54', ' 10.00') }), 'is malformed'],
    ['amount of 14 characters', code({ '54': field('54', '10000000000.00') }), 'is malformed'],
    ['zero on a key', code({ '54': field('54', '0') }), 'The amount is zero'],
    ['zero on a key with recurrence', code({ '54': field('54', '0.00'), '80': RECURRENCE }), 'The amount is zero'],
    ['missing category', code({ '52': '' }), 'field 52) is missing'],
    ['category of letters', code({ '52': field('52', 'ABCD') }), 'not four digits'],
    ['missing currency', code({ '53': '' }), 'field 53) is missing'],
    ['wrong currency', code({ '53': field('53', '840') }), 'not `986`'],
    ['missing country', code({ '58': '' }), 'field 58) is missing'],
    ['wrong country', code({ '58': field('58', 'PT') }), 'not `BR`'],
    ['country in lower case', code({ '58': field('58', 'br') }), 'not `BR`'],
    ['missing name', code({ '59': '' }), 'field 59) is missing'],
    ['missing city', code({ '60': '' }), 'field 60) is missing'],
    ['a wrong length before a whole end', STATIC.replace('5303986', '5399986'), 'longer than the rest of the code'],
    ['no beginning', STATIC.slice(10), 'The beginning of the code is missing'],
    ['length 00', withCrc(`${code().slice(0, -8)}6400`), 'breaks at character 130: a field length'],
    ['id of letters', withCrc(`${code().slice(0, -8)}XX01a`), 'breaks at character 130: a field id'],
    ['other digits as length', `${STATIC.slice(0, 8)}５８${STATIC.slice(10)}`, 'breaks at character 7: a field length'],
    ['broken template', code({ '26': field('26', `${PIX}0199abc`) }), 'Field 26 breaks at its character 19'],
    ['broken foreign template', code({ '27': field('27', 'no fields') }), 'Field 27 breaks at its character 1'],
    ['empty txid', code({ '62': '62040500' }), 'Field 62 breaks at its character 1'],
    [
      'too long',
      code({ '65': [65, 66, 67, 68].map((id) => field(String(id), 'x'.repeat(99))).join('') }),
      '512 characters',
    ],
  ])('%s', (_, text, expected) => {
    const read = readBrCode(text)
    expect(read.valid).toBe(false)
    expect(read.errors.join('\n')).toContain(expected)
  })

  it('are the only one if one thing is wrong', () => {
    expect(readBrCode(code({ '58': field('58', 'PT') })).errors).toHaveLength(1)
    expect(readBrCode(STATIC.slice(0, 100)).errors).toHaveLength(1)
  })

  it.each([STATIC, DYNAMIC, code({ '59': field('59', 'AÇAÍ DO ZÉ'), '80': RECURRENCE })])(
    'is one sentence for a code that is cut anywhere: %s',
    (whole) => {
      for (let length = 6; length < whole.length; length += 1) {
        const { errors, valid } = readBrCode(whole.slice(0, length))
        const [, least, exact] =
          /^The code is cut off: (?:at least (\d+) characters are missing at its end|its last (\d+) characters are missing|its last character is missing)$/.exec(
            errors[0] ?? '',
          ) ?? [null, null, null]
        const missing = whole.length - length
        const said = {
          valid,
          count: errors.length,
          least: Number(least ?? 0) <= missing,
          exact: Number(exact ?? missing),
        }
        expect([length, least === null, said]).toEqual([
          length,
          false,
          { valid: false, count: 1, least: true, exact: missing },
        ])
        if (missing < 7) expect(exact ?? '1').toBe(String(missing))
      }
    },
  )

  it('leave what could be read', () => {
    const cut = readBrCode(code({ '54': field('54', '10.50') }).slice(0, 110))
    expect(cut).toMatchObject({
      valid: false,
      kind: 'static',
      key: UUID,
      amountCents: 1050,
      merchantCity: null,
      crc: null,
    })
    expect(readBrCode(code({ '54': field('54', '10,50') }))).toMatchObject({ amountCents: null, amountText: '10,50' })
  })

  it('show no control character of the code', () => {
    const { errors } = readBrCode(code({ '54': field('54', '1\u001b[2J') }))
    expect(errors.join('\n')).toContain('1\\u{1b}[2J')
  })
})

describe('warnings', () => {
  it.each<[string, string, string]>([
    ['point of initiation', code({ '01': field('01', '13') }), 'neither `11` nor `12`'],
    ['accents', code({ '59': field('59', 'João da Silva') }), 'other than printable ASCII'],
    ['beyond the basic plane', code({ '59': field('59', 'Loja 😀') }), 'other than printable ASCII'],
    ['long name', code({ '59': field('59', 'x'.repeat(26)) }), 'name is longer than 25'],
    ['long city', code({ '60': field('60', 'x'.repeat(16)) }), 'city is longer than 15'],
    ['no additional data', code({ '62': '' }), 'field 62) is missing'],
    ['txid of 26', code({ '62': field('62', field('05', 'a'.repeat(26))) }), 'The txid'],
    ['txid with a dash', code({ '62': field('62', field('05', 'a-b')) }), 'The txid'],
    ['CRC in lower case', STATIC.slice(0, -4) + STATIC.slice(-4).toLowerCase(), 'lower case'],
    ['white space before', ` ${STATIC}`, 'white space'],
    ['white space after', `${STATIC}\r\n`, 'white space'],
    ['byte order mark', `\ufeff${STATIC}`, 'white space'],
  ])('%s', (_, text, expected) => {
    const read = readBrCode(text)
    expect(read).toMatchObject({ valid: true, errors: [] })
    expect(read.warnings).toEqual([expect.stringContaining(expected)])
  })

  it('count characters, not bytes or halves of them', () => {
    const read = readBrCode(code({ '59': field('59', 'é'.repeat(20) + '😀'.repeat(5)) }))
    expect(read).toMatchObject({ valid: true, merchantName: 'é'.repeat(20) + '😀'.repeat(5) })
    expect(read.warnings).toHaveLength(1)
  })
})
