import { createHmac } from 'node:crypto'
import { formatReais, parseAmount, plainAmount } from '../../src/pix/amount.ts'
import { readBrCode, writeBrCode } from '../../src/pix/brCode.ts'
import { comparableKey, comparableKeysOf } from '../../src/pix/destination.ts'
import { Malformed } from '../../src/pix/expectedError.ts'
import { assertPixKey, readPixKey } from '../../src/pix/pixKey.ts'
import { planText, readPlan } from '../../src/plans/plan.ts'
import { readAllowedSigners } from '../../src/plans/sshSignature.ts'
import { readOfx } from '../../src/reconcile/ofx.ts'
import { readStatementTable } from '../../src/reconcile/statementFile.ts'
import { bytesOf, readContent } from '../../src/spreadsheet/fileContent.ts'
import { CellStyles, MissingResult, SharedStrings, SheetRows } from '../../src/spreadsheet/workbook.ts'
import { readXml, UnsafeXml } from '../../src/spreadsheet/xml.ts'
import { readQrImage } from '../../src/terminal/qrImage.ts'
import { csvLine } from '../../src/text/csv.ts'
import { Failure } from '../../src/wire/errors.ts'
import { readEventFacts } from '../../src/wire/eventFacts.ts'
import { readJsonTree } from '../../src/wire/jsonTree.ts'
import { writeJsonTree } from '../../src/wire/jsonWriters.ts'
import { judgeSignature } from '../../src/wire/signature.ts'
import type { Dice } from '../campaign/dice.ts'
import { examplePlan, picture, sshKey } from './examples.ts'

/** A reader of text from outside. */
export interface Parser {
  name: string
  /** How many cases of this one take as long as one of the others; 1 unless given. */
  costs?: number
  /** Makes an input that looks like a right one, or is. */
  make(dice: Dice): string
  /** Reads it, and throws if what was read is not what a round trip gives, or what a defect throws. */
  read(input: string): void | Promise<void>
}

const ALPHABET = [
  ...'0123456789.,;:-+=/\\"\'<>&@#%$()[]{}|*_ \t\r\nabcdefxR$éã\u0000\u200b\u202e\ud83d\ud800\ufeff',
].concat('\r\n', '💰', '&#0;', '1e400', '9'.repeat(40), '<!--', ']]>')

/** A text with a few changes: something inserted, deleted, repeated, or moved. */
function changed(text: string, dice: Dice): string {
  let result = text
  for (let left = dice.below(5); left > 0; left -= 1) {
    const [at, length] = [dice.below(result.length + 1), dice.below(8)]
    const [before, after] = [result.slice(0, at), result.slice(at + length)]
    const cut = result.slice(at, at + length)
    const kind = dice.below(4)
    if (kind === 0) result = before + after
    else if (kind === 1) result = before + cut + cut + after
    else if (kind === 2) result = `${before}${ALPHABET[dice.below(ALPHABET.length)]}${cut}${after}`
    else result = before + [...cut].reverse().join('') + after
  }
  return result
}

const oneOf = (texts: readonly string[]) => (dice: Dice) => changed(texts[dice.below(texts.length)] ?? '', dice)

function must(isTrue: boolean, what: string): void {
  if (!isTrue) throw new Error(`no round trip: ${what}`)
}

const interrupt = new AbortController().signal
const SECRET = 'shop-secret'
const BODY = Buffer.from('{"event":"pix.received"}')
const HMAC = createHmac('sha256', SECRET).update(BODY).digest()

export const PARSERS: readonly Parser[] = [
  {
    name: 'amounts',
    make: oneOf([
      '10',
      '10.5',
      '10,50',
      '1.234,56',
      'R$ 1.234,56',
      '9.999.999.999,99',
      '0,01',
      '1,234.56',
      '1e3',
      '-1',
    ]),
    read(text) {
      const cents = parseAmount(text)
      must(Number.isSafeInteger(cents) && cents > 0, 'a whole number of cents')
      must(parseAmount(plainAmount(cents)) === cents, plainAmount(cents))
      must(parseAmount(formatReais(cents)) === cents, formatReais(cents))
    },
  },
  {
    name: 'keys',
    make: oneOf([
      '529.982.247-25',
      '52998224725',
      '11.222.333/0001-81',
      '12ABC34501DE35',
      '(11) 98765-4321',
      '+5511987654321',
      'Maria@Example.com',
      '123E4567-E89B-12D3-A456-426614174000',
      writeBrCode({ key: 'a@b.co', merchantName: 'A', merchantCity: 'B' }),
    ]),
    read(text) {
      const { key, keyType } = readPixKey(text)
      assertPixKey(key, keyType)
      const identity = comparableKey(key, keyType)
      must(keyType === 'paymentCode' || comparableKeysOf(text).includes(identity), key)
      must(comparableKey(identity, keyType) === identity, key)
    },
  },
  {
    name: 'BR Code',
    make(dice) {
      const contents = {
        key: ['a@b.co', '+5511987654321', '52998224725'][dice.below(3)] ?? '',
        amountCents: 1 + dice.below(1e9),
        merchantName: 'Loja da Ana',
        merchantCity: 'Recife',
      }
      return dice.below(3) === 0 ? writeBrCode(contents) : changed(writeBrCode(contents), dice)
    },
    read(text) {
      const code = readBrCode(text)
      const { key, amountCents, merchantName, merchantCity, txid } = code
      if (!code.valid || key === null || amountCents === null || txid === null) return
      const again = readBrCode(
        writeBrCode({ key, amountCents, merchantName: merchantName ?? '', merchantCity: merchantCity ?? '' }),
      )
      must(again.valid && again.key === key && again.amountCents === amountCents, text)
    },
  },
  {
    name: 'CSV',
    costs: 20,
    make: oneOf([
      'key,value\na@b.co,1\n',
      'sep=;\nchave;valor\n"a;b";"1,5"\n',
      '\ufeffa\tb\r\n"x ""y"""\t2\r',
      'a,b\n"c\nd",e\n',
    ]),
    async read(text) {
      const cells: string[][] = []
      const bytes = bytesOf(Buffer.from(text))
      const content = await readContent(bytes, { name: null, interrupt, isKnown: () => false })
      for await (const record of content.records()) if ('cells' in record) cells.push(record.cells)
      // A record that is written again is read as the same one, unless a spreadsheet is told of it otherwise.
      const [first] = cells
      if (first === undefined || first.length < 2 || first.some((cell) => /^sep=|[\0\ufffd\ufeff'=]/i.test(cell)))
        return
      const again = await readContent(bytesOf(Buffer.from(`\ufeffsep=,\n${csvLine(first)}\n`)), {
        name: null,
        interrupt,
        isKnown: () => false,
      })
      for await (const record of again.records()) {
        must('cells' in record && JSON.stringify(record.cells) === JSON.stringify(first), JSON.stringify(first))
      }
    },
  },
  {
    name: 'OFX',
    costs: 10,
    make: oneOf([
      'OFXHEADER:100\nDATA:OFXSGML\n\n<OFX><BANKTRANLIST><DTSTART>20261101<DTEND>20261130<STMTTRN><TRNTYPE>DEBIT<DTPOSTED>20261102<TRNAMT>-10.50<FITID>1<MEMO>PIX</STMTTRN></BANKTRANLIST></OFX>',
      '<?xml version="1.0"?><OFX><BANKTRANLIST><STMTTRN><TRNTYPE>CREDIT</TRNTYPE><DTPOSTED>20261102120000[-3:BRT]</DTPOSTED><TRNAMT>1.234,56</TRNAMT><FITID>2</FITID><NAME>Ana &amp; Rui</NAME></STMTTRN></BANKTRANLIST></OFX>',
    ]),
    async read(text) {
      const { lines } = await readOfx(Buffer.from(text))
      for (const { amountCents } of lines) {
        must(amountCents === null || Number.isSafeInteger(amountCents), text)
      }
    },
  },
  {
    name: 'signature header',
    make: oneOf([
      HMAC.toString('hex'),
      HMAC.toString('base64'),
      HMAC.toString('base64url'),
      `sha256=${HMAC.toString('hex')}`,
    ]),
    read(text) {
      const { valid } = judgeSignature(BODY, [text], SECRET)
      const value = text.startsWith('sha256=') ? text.slice(7) : text
      const right = [HMAC.toString('base64'), HMAC.toString('base64url')]
      must(valid === (right.includes(value) || value.toLowerCase() === HMAC.toString('hex')), text)
    },
  },
  {
    name: 'JSON with repeated keys',
    make: oneOf([
      '{"idTransaction":"a","idTransaction":"b","amount":9007199254740993,"x":1e400}',
      '{"event":"refund.status","data":{"idTransaction":"a","idTransaction":"b","status":"REFUNDED","amount":1.10}}',
      '[1,-0,0.1e-7,"\\u00e9\\ud800",{"a":{"a":[]},"a":null}]',
      '{"statusTransaction":"PAID_OUT","__proto__":{"a":1},"constructor":2}',
    ]),
    read(text) {
      const facts = readEventFacts(text)
      must(facts === undefined || typeof facts === 'object', text)
      const tree = readJsonTree(text)
      if (tree === undefined) return
      const written = writeJsonTree(tree)
      must(JSON.stringify(JSON.parse(written)) === JSON.stringify(JSON.parse(text)), text)
      must(writeJsonTree(readJsonTree(written) ?? tree) === written, text)
    },
  },
  {
    name: 'PNG',
    costs: 20,
    make(dice) {
      const { png, code } = picture(dice)
      const isWhole = dice.coin()
      if (!isWhole) for (let left = dice.below(4); left >= 0; left -= 1) png[dice.below(png.length)] = dice.below(256)
      const end = isWhole || dice.below(3) > 0 ? png.length : dice.below(png.length)
      return JSON.stringify({ code, isWhole, latin1: png.toString('latin1', 0, end) })
    },
    async read(text) {
      const { code, isWhole, latin1 } = pictureCase(text)
      const found = await readQrImage(Buffer.from(latin1, 'latin1'))
      must((found.length <= 1 && found[0] === code) || (!isWhole && found.length === 0), `${code}, ${found}`)
    },
  },
  {
    name: 'workbook XML',
    costs: 10,
    make: oneOf([
      '<worksheet><cols><col min="1" max="2" hidden="1"/></cols><sheetData><row r="1"><c r="A1" t="inlineStr"><is><t>a&amp;b</t></is></c><c r="B1"><v>1.5</v></c></row></sheetData></worksheet>',
      '<x:worksheet xmlns:x="y"><x:sheetData><x:row><x:c r="A1" t="str"><x:f>1</x:f><x:v>_x0041_</x:v></x:c></x:row><!-- c --></x:sheetData></x:worksheet>',
      '<worksheet><sheetData><row r="2" hidden="1" ht="0"><c r="C2" t="b"><v>1</v></c><c r="D2" t="e"><v>#N/A</v></c></row></sheetData></worksheet>',
    ]),
    async read(text) {
      const whole = JSON.stringify(await sheetRows([Buffer.from(text)]))
      // Where the text is cut into chunks makes no difference.
      const middle = Buffer.from(text)
      const halves = [middle.subarray(0, middle.length / 3), middle.subarray(middle.length / 3)]
      must(JSON.stringify(await sheetRows(halves)) === whole, text)
    },
  },
  {
    name: 'statement lines',
    costs: 20,
    make: oneOf([
      'Data;Histórico;Valor;Saldo\n01/11/2026;PIX Ana;-1.234,56;10,00\n',
      'Data lançamento,Descrição,Débito,Crédito\n2026-11-02,Ana,"10,00",\n2026-11-03,SALDO,,\n',
      'id,amount,date\nabc,10.5 D,2026-11-02T10:00:00Z\n',
    ]),
    async read(text) {
      const { lines } = await readStatementTable({ bytes: Buffer.from(text), name: null, interrupt }, new Map())
      for (const { amountCents } of lines) must(amountCents === null || Number.isSafeInteger(amountCents), text)
    },
  },
  {
    name: 'allowed_signers',
    make: oneOf([
      `maria namespaces="pixgate" ssh-ed25519 ${sshKey(1)} note\njoao namespaces="pixgate",valid-before="20270101" ssh-ed25519 ${sshKey(2)}\n`,
      `# list\n\nana@example.com namespaces="pixgate" ssh-ed25519 ${sshKey(3)}\n`,
    ]),
    read(text) {
      const { signers } = readAllowedSigners(text, 'approvers')
      const written = signers.map(({ principal, key }) => `${principal} namespaces="pixgate" ssh-ed25519 ${key}`)
      must(JSON.stringify(readAllowedSigners(written.join('\n'), 'x').signers) === JSON.stringify(signers), text)
    },
  },
  {
    name: 'plan files',
    make: oneOf([1, 2].map((count) => examplePlan(count))),
    read(text) {
      const { plan } = readPlan(text, 'p')
      must(planText(plan) === text, text)
    },
  },
]

function pictureCase(text: string): { code?: string; isWhole: boolean; latin1: string } {
  return JSON.parse(text)
}

/** True for what a parser throws about its input; anything else is a defect. */
export function isOwnError(error: unknown): boolean {
  return [Malformed, Failure, UnsafeXml, MissingResult].some((kind) => error instanceof kind)
}

async function sheetRows(chunks: readonly Uint8Array[]): Promise<unknown> {
  const rows = new SheetRows({
    strings: new SharedStrings(),
    styles: new CellStyles(),
    countsFrom1904: false,
    merged: [],
    conditional: [],
    comments: new Map(),
  })
  const source = async function* () {
    yield* chunks
  }
  try {
    for await (const _ of readXml(source(), rows));
  } catch (error) {
    if (isOwnError(error)) return String(error)
    throw error
  }
  return [rows.take(), rows.isColumnHidden(0)]
}
