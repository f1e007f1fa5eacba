import { isReais } from '../pix/amount.ts'
import { DAY_MS, isDay, saoPauloDay } from '../pix/calendar.ts'
import { Malformed, valueOrError } from '../pix/expectedError.ts'
import { bytesOf, decodeText, detectEncoding } from '../spreadsheet/fileContent.ts'
import type { CellFault } from '../spreadsheet/tableRecords.ts'
import { decodeEntities } from '../spreadsheet/xml.ts'
import { hasControlCharacter } from '../text/safeText.ts'
import { t } from '../text/translate.ts'
import { UsageError } from '../wire/errors.ts'
import { cardBill } from './statementTables.ts'
import {
  type Direction,
  isBalanceText,
  LINES_MAX,
  readSignedAmount,
  type SignedAmount,
  STATEMENT_TEXT_MAX,
  type StatementFile,
  type StatementLine,
  tooManyLines,
} from './tableFile.ts'

const BEGINNING_CHARACTERS = 4096
const BEGINNING = /^\s*(?:<\?xml[^>]*>\s*)?(?:OFXHEADER\s*:|<\?OFX\s|<OFX>)/i
/** A bank that writes a longer period than this means something else by it. */
const PERIOD_MS_MAX = 370 * DAY_MS

/** The parts of an entry that are read. Two with one name are a fault: a file that was damaged or forged can have them. */
const FIELDS = ['TRNTYPE', 'DTPOSTED', 'TRNAMT', 'FITID', 'MEMO', 'NAME', 'CURSYM'] as const
type Field = (typeof FIELDS)[number]

const DEBIT_TYPES = ['DEBIT', 'OUT']

interface Entry {
  line: number
  texts: Map<Field, string>
  repeated: Field | null
}

interface OfxContent {
  entries: Entry[]
  currencies: Set<string>
  accounts: Set<string>
  starts: string[]
  ends: string[]
}

/** True if a file is in the format OFX, by its beginning. */
export function isOfx(bytes: Uint8Array): boolean {
  const beginning = bytes.subarray(0, BEGINNING_CHARACTERS)
  // The beginning of UTF-16 text has a zero byte beside each letter.
  return BEGINNING.test(
    Buffer.from(beginning)
      .toString('latin1')
      .replaceAll('\0', '')
      .replace(/^(?:\u00ef\u00bb\u00bf|\u00ff\u00fe|\u00fe\u00ff)/, ''),
  )
}

/**
 * Reads a statement in the format OFX, version 1 (SGML) or 2 (XML), in the encoding that its bytes are in: many banks name another one. Throws
 * UsageError if it has no transactions or too many, or is not in reais.
 */
export async function readOfx(bytes: Uint8Array): Promise<StatementFile> {
  const chunks = bytesOf(bytes)
  let text = ''
  for await (const part of decodeText(chunks, await detectEncoding(chunks))) text += part
  const content = contentOf(text)
  assertInReais(content)
  const faults: CellFault[] = []
  const balanceLines: number[] = []
  const otherLines: number[] = []
  const read = content.entries.flatMap((entry) => {
    if (isBalanceText(textOf(entry, 'MEMO')) || isBalanceText(textOf(entry, 'NAME'))) {
      balanceLines.push(entry.line)
      return []
    }
    const line = readEntry(entry, faults)
    if (line?.amountCents === 0) otherLines.push(entry.line)
    return line === undefined || line.amountCents === 0 ? [] : [{ line, entry }]
  })
  const hasDebits = read.some(({ line }) => line.direction === 'debit')
  const lines = read.map(({ line, entry }) => ({
    ...line,
    direction: line.direction ?? unsignedDirection(entry, hasDebits),
  }))
  return {
    lines,
    faults,
    balanceLines,
    otherLines,
    recognised: [],
    remarks:
      content.accounts.size > 1
        ? [t`The statement has ${content.accounts.size} accounts; all of them are compared`]
        : [],
    period: periodOf(content, lines),
  }
}

function contentOf(text: string): OfxContent {
  const content: OfxContent = { entries: [], currencies: new Set(), accounts: new Set(), starts: [], ends: [] }
  let entry: Entry | undefined
  let group = ''
  let last: OfxTag | undefined
  for (const tag of ofxTags(text)) {
    last = tag
    if (tag.name === 'CCSTMTRS') throw cardBill()
    if (!tag.isClosing && tag.text === '') group = tag.name
    if (tag.name === 'STMTTRN' || tag.name === 'BANKTRANLIST') {
      // Some banks do not close their entries.
      entry =
        tag.name === 'STMTTRN' && !tag.isClosing ? { line: tag.line, texts: new Map(), repeated: null } : undefined
      if (entry !== undefined) content.entries.push(entry)
      if (content.entries.length > LINES_MAX) throw tooManyLines()
    } else if (tag.name === 'LEDGERBAL' || tag.name === 'AVAILBAL') entry = undefined
    else if (!tag.isClosing && tag.text !== '') {
      if (entry === undefined) noteHead(content, tag)
      // The amount was converted from that currency.
      else if (group !== 'ORIGCURRENCY' || tag.name !== 'CURSYM') noteField(entry, tag)
    }
  }
  // Whatever a torn tag leaves of an amount is another amount.
  if (last === undefined || last.name !== 'OFX' || !last.isClosing) throw cutOff(text)
  if (content.entries.length > 0) return content
  throw new UsageError(t`The OFX file has no transactions`, { hint: t`Export the statement of a period with payments` })
}

function cutOff(text: string): UsageError {
  const line = text.trimEnd().split('\n').length
  return new UsageError(t`The OFX file is cut off at line ${line}: it does not end with \`</OFX>\``, {
    hint: t`Export or download the statement again`,
  })
}

function noteHead(content: OfxContent, { name, text }: OfxTag): void {
  if (name === 'CURDEF') content.currencies.add(text.toUpperCase())
  else if (name === 'ACCTID') content.accounts.add(text)
  else if (name === 'DTSTART') content.starts.push(text)
  else if (name === 'DTEND') content.ends.push(text)
}

function noteField(entry: Entry, { name, text }: OfxTag): void {
  const field = FIELDS.find((each) => each === name)
  if (field === undefined) return
  if (entry.texts.has(field)) entry.repeated ??= field
  else entry.texts.set(field, text)
}

function assertInReais({ currencies }: OfxContent): void {
  const other = [...currencies].find((currency) => !isReais(currency))
  if (other === undefined) return
  throw new UsageError(t`The statement is in ${other}, not in reais`, {
    hint: t`Export the statement of the account in reais`,
  })
}

/** The line of an entry; undefined if it has faults. */
function readEntry(entry: Entry, faults: CellFault[]): StatementLine | undefined {
  const { line, repeated } = entry
  const fault = (column: string, message: string) => {
    faults.push({ line, column, message })
    return undefined
  }
  const value = <Value>(field: Field, reader: (text: string) => Value) => {
    const read = valueOrError(Malformed, () => reader(textOf(entry, field)))
    return read instanceof Malformed ? fault(field, `${read.message}. ${read.hint}`) : read
  }
  if (repeated !== null) return fault(repeated, t`The transaction has it more than once`)
  const id = textOf(entry, 'FITID')
  if (hasControlCharacter(id)) return fault('FITID', t`The id has a control character in it`)
  const currency = textOf(entry, 'CURSYM').toUpperCase()
  if (currency !== '' && !isReais(currency)) return fault('CURSYM', t`The transaction is in ${currency}, not in reais`)
  const amount = value('TRNAMT', readOfxAmount)
  const day = value('DTPOSTED', readOfxDay)
  if (amount === undefined || day === undefined) return undefined
  const [memo, name] = [textOf(entry, 'MEMO'), textOf(entry, 'NAME')].map((text) => text.slice(0, STATEMENT_TEXT_MAX))
  return {
    line,
    id: id || null,
    ...amount,
    status: null,
    day,
    // Banks write the kind of payment into either of them, so the name may be in both.
    description: [name, memo].filter((text) => text).join(' - '),
    name: null,
  }
}

/** An amount without a sign is a credit, except in the files of banks that write no signs at all: there the type of an entry tells. */
function unsignedDirection(entry: Entry, hasDebits: boolean): Direction {
  return !hasDebits && DEBIT_TYPES.includes(textOf(entry, 'TRNTYPE').toUpperCase()) ? 'debit' : 'credit'
}

/** Reads an amount as the format has it, which is filled up with zeros by some banks. Throws Malformed. */
function readOfxAmount(text: string): SignedAmount {
  return readSignedAmount(text.replace(/^([-+]?)\s*0+(?=\d)/, '$1').replace(/^([-+]?)(?=[.,]\d)/, '$10'))
}

/**
 * Reads the day of `20261121`, `20261121100000[-03:EST]`. A time with a zone is an instant, and its day that of São Paulo; midnight is only a day,
 * whatever zone is written behind it. Throws Malformed.
 */
function readOfxDay(text: string): string {
  const [, year, month, day, time = '', zone] =
    /^(\d{4})(\d{2})(\d{2})(\d{6})?(?:\.\d+)?\s*(?:\[\s*([-+]?\d{1,2}(?:\.\d+)?)(?::\w*)?\s*\])?$/.exec(text) ?? []
  const iso = `${year}-${month}-${day}`
  if (!isDay(iso)) throw new Malformed(t`\`${text}\` is not a day`, t`Write it like \`20261121\``)
  if (zone === undefined || /^0*$/.test(time)) return iso
  const clock = `${time.slice(0, 2)}:${time.slice(2, 4)}:${time.slice(4)}`
  const ms = Date.parse(`${iso}T${clock}Z`)
  return Number.isNaN(ms) ? iso : saoPauloDay(ms - Number(zone) * 3_600_000)
}

/** The period that the file names, if its lines are in it and it can be one. */
function periodOf({ starts, ends }: OfxContent, lines: readonly StatementLine[]): StatementFile['period'] {
  const [first, last] = [daysIn(starts).sort()[0], daysIn(ends).sort().at(-1)]
  if (first === undefined || last === undefined) return null
  const isLong = Date.parse(last) - Date.parse(first) > PERIOD_MS_MAX
  const holdsAll = lines.every(({ day }) => day !== null && first <= day && day <= last)
  return !isLong && holdsAll ? [first, last] : null
}

function daysIn(texts: readonly string[]): string[] {
  const days = texts.map((text) => text.replace(/^(\d{4})(\d{2})(\d{2}).*$/, '$1-$2-$3'))
  return days.filter(isDay)
}

function textOf({ texts }: Entry, field: Field): string {
  return texts.get(field) ?? ''
}

interface OfxTag {
  /** In capitals, without the slash of a closing tag. */
  name: string
  isClosing: boolean
  /** Up to the next tag, without outer spaces. */
  text: string
  /** The line of the file on which it begins, from 1. */
  line: number
}

const NAME = '<(\\/?)([a-z][\\w.:-]*)(?:\\s[^<>]*)?\\/?>'
const SGML_TAG = new RegExp(NAME, 'gi')
const XML_TAG = new RegExp(`<!--|<!\\[CDATA\\[|<\\?|${NAME}`, 'gi')
const ENDS: Readonly<Record<string, string>> = { '<!--': '-->', '<![CDATA[': ']]>', '<?': '?>' }
const CDATA = '<![CDATA['
/** Longer texts are of no use. */
const TEXT_CHARACTERS_MAX = 1000

/**
 * The tags of an OFX file, as SGML, in which most closing tags are missing, or as XML, whose comments are skipped. Text of SGML is never a comment:
 * what a payer wrote could hide other payments. Only the predefined entities are decoded, so that none can grow. Takes time in proportion to the
 * text.
 */
function* ofxTags(text: string): Generator<OfxTag> {
  const pattern = new RegExp(/^\s*<\?/.test(text) ? XML_TAG : SGML_TAG)
  let line = 1
  let lineBreak = text.indexOf('\n')
  let tag: OfxTag | undefined
  let textStart = 0
  for (let found = pattern.exec(text); found !== null; found = pattern.exec(text)) {
    const [beginning, slash = '', name] = found
    if (tag !== undefined) tag.text += decodeEntities(part(text, textStart, found.index))
    textStart = found.index + beginning.length
    if (name === undefined) {
      const end = text.indexOf(ENDS[beginning] ?? '', textStart)
      const contentEnd = end === -1 ? text.length : end
      if (tag !== undefined && beginning === CDATA) tag.text += part(text, textStart, contentEnd)
      textStart = end === -1 ? text.length : end + (ENDS[beginning]?.length ?? 0)
      pattern.lastIndex = textStart
      continue
    }
    if (tag !== undefined) yield withPlainSpaces(tag)
    for (; lineBreak !== -1 && lineBreak < found.index; lineBreak = text.indexOf('\n', lineBreak + 1)) line += 1
    tag = { name: name.toUpperCase(), isClosing: slash !== '', text: '', line }
  }
  if (tag !== undefined)
    yield withPlainSpaces({ ...tag, text: tag.text + decodeEntities(part(text, textStart, text.length)) })
}

function part(text: string, start: number, end: number): string {
  return text.slice(start, Math.min(end, start + TEXT_CHARACTERS_MAX))
}

function withPlainSpaces(tag: OfxTag): OfxTag {
  return { ...tag, text: tag.text.replace(/\s+/g, ' ').trim() }
}
