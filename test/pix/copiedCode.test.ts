import { describe, expect, it } from 'vitest'
import { readBrCode } from '../../src/pix/brCode.ts'
import { copiedCode } from '../../src/pix/copiedCode.ts'
import { readPixKey } from '../../src/pix/pixKey.ts'
import { code, codeWithZeroInCrc, DYNAMIC, field, PIX } from './brCodeParts.ts'

const CODE = code({ '59': field('59', 'LIVRARIA SOL'), '26': field('26', PIX + field('01', 'rita@example.com')) })
const OTHER = code({ '26': field('26', PIX + field('01', 'otavio@example.com')) })
const AND = code({ '59': field('59', 'SOL & MAR') })
const UUID = code({ '26': field('26', PIX + field('01', '7f1d2c3b-4a59-4687-9b01-0c2d3e4f5a6b')) })
const PHONE = code({ '26': field('26', PIX + field('01', '+5511987654321')) })
const wide = (text: string) =>
  text.replace(/[0-9A-Za-z]/g, (sign) => String.fromCodePoint((sign.codePointAt(0) ?? 0) + 0xfee0))
const [start, end] = [CODE.slice(0, 60), CODE.slice(60)]

describe('what sticks to a code', () => {
  it.each<[what: string, text: string, stuck: string[], code?: string]>([
    ['nothing', CODE, []],
    ['white space', `\r\n ${CODE}\t\n`, []],
    ['a zero-width space', `\u200b${CODE}`, ['invisible characters']],
    ['a zero-width space inside', `${start}\u200b${end}`, ['invisible characters']],
    ['a mark of UTF-8 and one of direction', `\ufeff${CODE}\u200e`, ['invisible characters']],
    ['a no-break space', CODE.replace('LIVRARIA SOL', 'LIVRARIA\u00a0SOL'), ['no-break spaces']],
    ['quotes', `"${CODE}"`, ['`"` is not', '`"` is not']],
    ['curly quotes', `\u201c${CODE}\u201d`, ['`\u201c`', '`\u201d`']],
    ['backticks of a chat', `\`\`\`\n${CODE}\n\`\`\``, ['```', '```']],
    ['a line break', `${start}\n${end}`, ['broken into lines']],
    ['a line break for a blank', CODE.replace('LIVRARIA SOL', 'LIVRARIA\r\nSOL'), ['broken into lines']],
    ['an answer to an e-mail', `> ${start}\n> ${end}`, ['broken into lines', '`>`']],
    ['the source of an e-mail', `${start}=\r\n${end}`, ['broken into lines']],
    [
      'the source of an e-mail with coded signs',
      code({ '59': field('59', 'SOL=MAR') }).replace('=', '=\r\n=3D'),
      ['`=3D` for `=`', 'broken into lines'],
      code({ '59': field('59', 'SOL=MAR') }),
    ],
    ['the code twice, without anything between', CODE + CODE, ['there twice']],
    ['what links write', encodeURIComponent(CODE), ['as in a link']],
    ['what forms write', encodeURIComponent(CODE).replaceAll('%20', '+'), ['as in a link']],
    [
      'a link with the plus of a phone number',
      encodeURIComponent(PHONE).replaceAll('%2B', '+'),
      ['as in a link'],
      PHONE,
    ],
    ['words on lines', `Pix copia e cola:\n${CODE}\nobrigado`, ['`Pix copia e cola:`', '`obrigado`']],
    ['words on its line', `Segue o pix: ${CODE} R$ 15,00`, ['`Segue o pix:`', '`R$ 15,00`']],
    ['a full stop', `${CODE}.`, ['`.`']],
    [
      'line breaks, and words on other lines',
      `Copia e Cola\n${start}\n${end}\nValor 15`,
      ['broken', '`Copia', '`Valor'],
    ],
    [
      'a break in its CRC, and words below an empty line',
      `Copia e Cola\n${CODE.slice(0, -2)}\n${CODE.slice(-2)}\n\nValor 15`,
      ['broken', '`Copia', '`Valor'],
    ],
    ['a link', `pix:${CODE}`, ['`pix:`']],
    ['a link with slashes', `PIX://${CODE}`, ['`PIX://`']],
    ['lines with blanks before them, as in a PDF', `${start}\n    ${end}`, ['broken into lines']],
    ['a page break', `${start}\r\n\f${end}`, ['no-break spaces', 'broken into lines']],
    ['lines of another program', `${start}\u2028${end}`, ['broken into lines']],
    ['letters of double width', wide(CODE), ['double width']],
    ['what Markdown writes', CODE.replace('***', '\\*\\*\\*'), ['with backslashes']],
    [
      'JSON in JSON',
      JSON.stringify({ body: JSON.stringify({ text: `Pix:\n${DYNAMIC}` }).replaceAll('/', '\\/') }),
      ['with backslashes', '`{"body":', '`"}"}`'],
      DYNAMIC,
    ],
    [
      'the source of a web page with line breaks',
      `<p>${AND.slice(0, 50)}<br>${AND.slice(50).replace('&', '&#38;')}</p>`,
      ['as on a web page', 'broken into lines'],
      AND,
    ],
    [
      'what JSON writes',
      `{"code":"${DYNAMIC.replaceAll('/', '\\/')}"}`,
      ['as in JSON: `\\/`', '`{"code":"`', '`"}`'],
      DYNAMIC,
    ],
    ['what a web page writes', AND.replace('&', '&amp;'), ['as on a web page'], AND],
    ['blanks between groups', CODE.replace(/.{4}(?=.)/g, '$& '), ['groups of four']],
    ['asterisks that a chat took away', CODE.replace('***', ''), ['The `***` of the code was missing']],
    ['the dashes of a text', UUID.replaceAll('-', '\u2013'), ['dashes or apostrophes'], UUID],
    ['a link that a chat made', CODE.replace('br.gov', 'http://br.gov'), ['a link in it']],
    ['the same code twice', `Pix:\n${CODE}\n\n${CODE}`, ['`Pix:`']],
    ['several of them', `\u200bCódigo:\n"${start}\n${end}"`, ['invisible', 'broken into lines', '`Código:"`', '`"`']],
  ])('%s', (_, text, stuck, code = CODE) => {
    expect(copiedCode(text)).toEqual({ code, stuck: stuck.map((part) => expect.stringContaining(part)) })
  })

  it.each([
    ['a letter behind the CRC', `${CODE}x`],
    ['a digit behind the CRC', `${CODE}1`],
    ['a digit before it', `1${CODE}`],
    ['no code', 'Pix: rita@example.com'],
  ])('is not certain for %s', (_, text) => {
    expect(copiedCode(text)).toBeUndefined()
  })
})

describe('a code that is not whole', () => {
  it.each<[string, string, string[], string, string]>([
    [
      'words before it',
      `Pix: ${CODE.slice(0, -10)}`,
      ['`Pix:`'],
      CODE.slice(0, -10),
      'cut off: at least 10 characters',
    ],
    ['line breaks', `${start}\n${end.slice(0, -3)}`, ['broken'], CODE.slice(0, -3), 'its last 3 characters'],
    [
      'a wrong letter, among words',
      `Pix: ${CODE.replace('rita', 'rito')} ok`,
      ['`Pix:`', '`ok`'],
      CODE.replace('rita', 'rito'),
      'but should be',
    ],
  ])('is judged without what stuck to it: %s', (_, text, stuck, code, error) => {
    expect(copiedCode(text)).toEqual({ code, stuck: stuck.map((part) => expect.stringContaining(part)) })
    expect(readBrCode(code).errors).toEqual([expect.stringContaining(error)])
  })
})

it('names both of two codes, of which neither is certain', () => {
  expect(() => copiedCode(`Antigo:\n${CODE}\nNovo:\n${OTHER}`)).toThrow(
    'The text has 2 codes: `LIVRARIA SOL, rita@example.com`, `Fulano de Tal, otavio@example.com`',
  )
})

describe('what a writer of codes spoils', () => {
  const errors = (text: string) => readBrCode(text).errors

  it.each(['...', '\u2026', '... Ler mais'])('is named: a code that ends in `%s`', (rest) => {
    expect(errors(CODE.slice(0, 70) + rest)[0]).toBe(
      'The code was cut: `...` is in place of the rest. Copy the whole code',
    )
  })

  it.each([
    '34191.79001 01043.510047 91020.150008 6 94560000010000',
    '34191790010104351004791020150008694560000010000',
    '34191.79001 01043.510047 91020.150008 1 94560000010000',
    '34196945600000100001790010104351004791020150',
    '846700000017435900240209024050002435842210108119',
    '84670000001-7 43590024020-9 02405000243-5 84221010811-9',
    '84670000001435900240200240500024384221010811',
    'Linha digitável: 34191.79001 01043.510047 91020.150008 6 94560000010000',
  ])('is no code: a boleto, %s', (line) => {
    expect(() => copiedCode(line)).toThrow('The digits are those of a boleto, which is not paid by PIX')
    expect(() => readPixKey(line, 'paymentCode')).toThrow('The digits are those of a boleto')
  })

  it('is taken from a message that has its boleto, too', () => {
    expect(copiedCode(`34191.79001 01043.510047 91020.150008 6 94560000010000\nPix: ${CODE}`)?.code).toBe(CODE)
  })

  it('is named: a CRC of accents in Latin-1', () => {
    // Of `0002…6304` in Latin-1, by another implementation of the checksum.
    const latin1 =
      '00020126400014br.gov.bcb.pix0118contas@example.com520400005303986540587.505802BR5912PADARIA JOÃO6009SAO PAULO62070503***63047B24'
    expect(errors(latin1)).toEqual([
      'The CRC `7B24` is that of accents in Latin-1, but must be that of UTF-8: ask for a code without accents',
    ])
  })

  it('is named: a CRC without its zeros, and a name that was cut after it was counted', () => {
    const zero = codeWithZeroInCrc()
    expect(errors(zero.slice(0, -4) + zero.slice(-3))).toEqual([
      `The CRC \`${zero.slice(-3)}\` has lost its leading zeros: it should be \`${zero.slice(-4)}\``,
    ])
    expect(errors(CODE.replace('LIVRARIA SOL', 'LIVRARIA'))[0]).toBe(
      'The length of field 59 is 12, but the field has 8 characters: it was changed or cut',
    )
    expect(errors(CODE.replace('LIVRARIA SOL', 'LIVRARIA DO SOL'))[0]).toBe(
      'The length of field 59 is 12, but the field has 15 characters: it was changed or cut',
    )
    expect(readBrCode(CODE.replace('LIVRARIA SOL', 'LIVRARIA')).valid).toBe(false)
  })
})
