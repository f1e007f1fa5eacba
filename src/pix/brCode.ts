import { declared, t } from '../text/translate.ts'
import { plainAmount } from './amount.ts'
import { Malformed, valueOrError } from './expectedError.ts'
import { directoryKeyType } from './pixKey.ts'

/**
 * A parsed and validated BR Code. Valid means without errors; warnings are rules that codes in circulation often break. An
 * invalid code has every field that could be read. `amountCents` is null for a missing or malformed amount; `amountText` is
 * its text. `url` has no scheme. A code of which only a recurrence can be read authorises later payments (Pix Automático) and cannot be
 * paid itself; its `url` is the recurrence's.
 */
export interface BrCode {
  looksLikeBrCode: boolean
  valid: boolean
  kind: 'static' | 'dynamic' | 'recurrence' | null
  key: string | null
  url: string | null
  amountCents: number | null
  amountText: string | null
  merchantName: string | null
  merchantCity: string | null
  txid: string | null
  crc: string | null
  fields: BrCodeField[]
  errors: string[]
  warnings: string[]
}

/** The receiver: the first PIX template of the merchant accounts, and an optional recurrence. */
type Recipient = ReturnType<typeof readRecipient>

const CODE_CHARACTERS_MAX = 512
const FIELD_CHARACTERS_MAX = 99
/** `6304` and the CRC. */
const CRC_FIELD_CHARACTERS = 8
const NAME_CHARACTERS_MAX = 25
const CITY_CHARACTERS_MAX = 15
const AMOUNT_CHARACTERS_MAX = 13

/**
 * Parses a BR Code, the text of a PIX QR code or "copia e cola", by the rules of Banco Central's BR Code manual.
 * Never throws: for text that is not a code `looksLikeBrCode` is false, and an invalid code has errors.
 */
export function readBrCode(text: string): BrCode {
  const code = text.trim()
  const isCode = looksLikeBrCode(code)
  const structure = readStructure(isCode ? code : '')
  const recipient = readRecipient(structure.fields)
  const url = recipient.url ?? (recipient.key === null ? recipient.recurrenceUrl : null)
  const amountText = fieldValue(structure.fields, '54')
  const additional = structure.fields.find((field) => field.id === '62')
  const read = {
    looksLikeBrCode: isCode,
    kind: kindOf(recipient),
    key: recipient.key,
    url,
    amountCents: amountText === null ? null : amountCentsOf(amountText),
    amountText,
    merchantName: fieldValue(structure.fields, '59'),
    merchantCity: fieldValue(structure.fields, '60'),
    txid: fieldValue(additional?.fields ?? [], '05'),
    crc: fieldValue(structure.fields, '63'),
    fields: structure.fields,
  }
  if (!isCode) return { ...read, valid: false, errors: [whyNotACode(code)], warnings: [] }
  const errors = [
    ...(code.length > CODE_CHARACTERS_MAX ? [t`The code is longer than ${CODE_CHARACTERS_MAX} characters`] : []),
    ...errorsOfFormat(code, structure.fields),
    ...structure.errors,
    ...errorsOfRecipient(recipient, structure.whole),
    ...errorsOfAmount(read.amountText, read.amountCents, url !== null || recipient.isWithdrawal),
    ...errorsOfConstants(structure),
    ...errorsOfCrc(structure),
  ]
  const warnings = warningsOf(text, read, additional !== undefined, structure.whole)
  return { ...read, valid: errors.length === 0, errors, warnings }
}

/**
 * True for text with the right beginning, and for other text that is clearly a code: with another payload format, a PIX code
 * without its beginning, or at least two complete fields. Ids and file names do not match.
 */
function looksLikeBrCode(code: string): boolean {
  if (code.startsWith('000201') || /^0002\d\d(?:\d{4}|$)/.test(code)) return true
  if (!/^\d{4}/.test(code)) return false
  return code.toLowerCase().includes('br.gov.bcb.pix') || readTlv(code).fields.length >= 2
}

function errorsOfFormat(code: string, [first]: readonly BrCodeField[]): string[] {
  const isTorn = first === undefined ? !code.startsWith('0002') : first.value.toLowerCase() === PIX_DOMAIN
  if (isTorn || /^(?:00)?201\d{4}/.test(code)) {
    return [t`The beginning of the code is missing: it begins with \`000201\``]
  }
  if (first === undefined) return []
  if (first.id !== '00') {
    return [t`The code begins with field ${first.id}, not with the payload format (field 00): \`000201\``]
  }
  return first.value === '01' ? [] : [t`The payload format (field 00) is \`${first.value}\`, not \`01\``]
}

function whyNotACode(code: string): string {
  if (code === '') return t`The code is empty`
  if (/^(?:data:image\/|iVBORw0KGgo|\/9j\/)/.test(code)) {
    return t`The text is an image in Base64, not a BR Code. Save it as an image first, or use the copy-and-paste code beside it`
  }
  return t`The text is not a BR Code, which begins with \`000201\``
}

function readRecipient(fields: readonly BrCodeField[]) {
  const templates = fields.filter((field) => isMerchantAccount(field.id) && isPixTemplate(field))
  const recurrences = fields.filter((field) => isUnreservedTemplate(field.id) && isPixTemplate(field))
  const inside = templates[0]?.fields ?? []
  return {
    templates,
    key: fieldValue(inside, '01'),
    url: fieldValue(inside, '25'),
    recurrenceUrl: fieldValue(
      recurrences.flatMap((field) => field.fields ?? []),
      '25',
    ),
    isWithdrawal: fieldValue(inside, '03') !== null,
  }
}

/** Parses an amount in a code: digits, and at most two decimals after a dot. */
function amountCentsOf(text: string): number | null {
  const match = /^(\d+)(?:\.(\d{1,2}))?$/.exec(text)
  if (match === null || text.length > AMOUNT_CHARACTERS_MAX) return null
  return Number(match[1] + (match[2] ?? '').padEnd(2, '0'))
}

function kindOf({ key, url, recurrenceUrl }: Recipient): BrCode['kind'] {
  if (url !== null) return 'dynamic'
  if (key !== null) return 'static'
  return recurrenceUrl === null ? null : 'recurrence'
}

function errorsOfRecipient(recipient: Recipient, whole: boolean): string[] {
  const { templates, key, url, recurrenceUrl } = recipient
  const errors: string[] = []
  if (templates.length === 0 && whole) errors.push(t`No merchant account (fields 26 to 51) is a PIX account`)
  if (templates.length > 1) errors.push(t`More than one merchant account (fields 26 to 51) is a PIX account`)
  if (key !== null && url !== null) errors.push(t`The code contains both a key and a URL, so it is unclear who is paid`)
  if (templates.length > 0 && key === null && url === null && recurrenceUrl === null) {
    errors.push(t`The code contains neither a key nor a URL`)
  }
  for (const address of [url, recurrenceUrl]) {
    if (address !== null && hasScheme(address)) {
      errors.push(t`The URL \`${address}\` begins with a scheme, which a BR Code must omit`)
    }
  }
  const fault = key === null || url !== null ? null : faultOfKey(key)
  return fault === null ? errors : [...errors, t`The key in the code is not valid: ${fault}`]
}

/** Why a key cannot be that of a code; null if it can. */
function faultOfKey(key: string): string | null {
  const fault = valueOrError(Malformed, () => directoryKeyType(key))
  return fault instanceof Malformed ? fault.message : null
}

function errorsOfAmount(text: string | null, cents: number | null, zeroAllowed: boolean): string[] {
  if (text === null) return []
  if (cents === null)
    return [
      t`The amount \`${text}\` is malformed: expected digits and at most two decimals after a dot, 13 characters in all`,
    ]
  if (cents === 0 && !zeroAllowed) return [t`The amount is zero`]
  return []
}

function errorsOfConstants({ fields, whole }: BrCodeStructure): string[] {
  const errors: string[] = []
  const category = fieldValue(fields, '52')
  const currency = fieldValue(fields, '53')
  const country = fieldValue(fields, '58')
  if (category !== null && !/^\d{4}$/.test(category))
    errors.push(t`The merchant category (field 52) is not four digits`)
  if (currency !== null && currency !== '986') errors.push(t`The currency (field 53) is \`${currency}\`, not \`986\``)
  if (country !== null && country !== 'BR') errors.push(t`The country (field 58) is \`${country}\`, not \`BR\``)
  if (!whole) return errors
  if (category === null) errors.push(t`The merchant category (field 52) is missing`)
  if (currency === null) errors.push(t`The currency (field 53) is missing`)
  if (country === null) errors.push(t`The country (field 58) is missing`)
  if (fieldValue(fields, '59') === null) errors.push(t`The merchant name (field 59) is missing`)
  if (fieldValue(fields, '60') === null) errors.push(t`The merchant city (field 60) is missing`)
  return errors
}

function errorsOfCrc({ fields, coveredText }: BrCodeStructure): string[] {
  const crc = fieldValue(fields, '63')
  if (crc === null || coveredText === null) return []
  if (!/^[0-9a-f]{4}$/i.test(crc)) return [t`The CRC \`${crc}\` is not four hexadecimal digits`]
  const right = crc16(coveredText)
  if (crc.toUpperCase() === right) return []
  if (crc16(Uint8Array.from(coveredText, (character) => character.charCodeAt(0))) === crc.toUpperCase()) {
    return [
      t`The CRC \`${crc}\` is that of accents in Latin-1, but must be that of UTF-8: ask for a code without accents`,
    ]
  }
  return [t`The CRC is \`${crc}\`, but should be \`${right}\``]
}

type Read = Omit<BrCode, 'valid' | 'errors' | 'warnings'>

function warningsOf(text: string, read: Read, hasAdditional: boolean, whole: boolean): string[] {
  const warnings: string[] = []
  const initiation = fieldValue(read.fields, '01')
  if (text !== text.trim()) warnings.push(t`The code has leading or trailing white space`)
  if (initiation !== null && initiation !== '11' && initiation !== '12') {
    warnings.push(t`The point of initiation (field 01) is \`${initiation}\`, neither \`11\` nor \`12\``)
  }
  if (/[^\x20-\x7e]/.test(text.trim())) warnings.push(t`The code contains characters other than printable ASCII`)
  if (characterCount(read.merchantName) > NAME_CHARACTERS_MAX) {
    warnings.push(t`The merchant name is longer than ${NAME_CHARACTERS_MAX} characters`)
  }
  if (characterCount(read.merchantCity) > CITY_CHARACTERS_MAX) {
    warnings.push(t`The merchant city is longer than ${CITY_CHARACTERS_MAX} characters`)
  }
  if (!hasAdditional && whole) warnings.push(t`The additional data (field 62) is missing`)
  if (read.kind === 'static' && read.txid !== null && !/^(?:\*\*\*|[A-Za-z0-9]{1,25})$/.test(read.txid)) {
    warnings.push(t`The txid \`${read.txid}\` is neither \`***\` nor 1 to 25 letters and digits`)
  }
  // A CNPJ has its letters in capitals.
  if (read.key !== null && /[A-Z]/.test(read.key) && !/^[0-9A-Z]{14}$/.test(read.key)) {
    warnings.push(t`The key has upper-case letters, which the directory of keys has in lower case`)
  }
  if (read.crc !== null && read.crc !== read.crc.toUpperCase()) warnings.push(t`The CRC is in lower case`)
  return warnings
}

function characterCount(text: string | null): number {
  return text === null ? 0 : [...text].length
}

/** A field of a BR Code with its English name. `fields` is set if the value consists of fields itself. */
export interface BrCodeField {
  id: string
  name: string
  value: string
  fields?: BrCodeField[]
}

/** The fields of a BR Code, and the errors in its structure as sentences. */
type BrCodeStructure = ReturnType<typeof readStructure>

const PIX_DOMAIN = 'br.gov.bcb.pix'

const NAMES: Readonly<Record<string, string>> = {
  '00': declared`Payload format`,
  '01': declared`Point of initiation`,
  '52': declared`Merchant category`,
  '53': declared`Currency`,
  '54': declared`Amount`,
  '55': declared`Tip indicator`,
  '56': declared`Fixed fee`,
  '57': declared`Percentage fee`,
  '58': declared`Country`,
  '59': declared`Merchant name`,
  '60': declared`Merchant city`,
  '61': declared`Postal code`,
  '62': declared`Additional data`,
  '63': 'CRC',
  '64': declared`Other language`,
}

const PIX_NAMES: Readonly<Record<string, string>> = {
  '00': declared`Domain`,
  '01': 'PIX key',
  '02': declared`Message`,
  '03': declared`Withdrawal service (ISPB)`,
  '25': declared`Address`,
}

const ADDITIONAL_NAMES: Readonly<Record<string, string>> = {
  '01': declared`Bill number`,
  '02': declared`Mobile number`,
  '03': declared`Store label`,
  '04': declared`Loyalty number`,
  '05': declared`Transaction id (txid)`,
  '06': declared`Customer label`,
  '07': declared`Terminal label`,
  '08': declared`Purpose`,
}

const LANGUAGE_NAMES: Readonly<Record<string, string>> = {
  '00': declared`Language`,
  '01': declared`Merchant name`,
  '02': declared`Merchant city`,
}

function readStructure(code: string) {
  const errors: string[] = []
  const { fields, broken } = walkFields(code, null, errors)
  const checksumIndex = fields.findIndex((field) => field.id === '63')
  const checksum = fields[checksumIndex]
  const afterChecksum = checksum !== undefined && (broken !== null || checksumIndex < fields.length - 1)
  errors.push(...repeatedIds(fields, null))
  if (afterChecksum) errors.push(t`There is text after the CRC, which must be the end of the code`)
  else if (broken !== null && /\.{3}|\u2026/.test(code)) {
    errors.push(t`The code was cut: \`...\` is in place of the rest. Copy the whole code`)
  } else if (checksum === undefined) errors.push(wordsForNoEnd([...code], broken))
  return {
    fields: fields.map(({ id, value }) => readField(id, value, errors)),
    /** True if parsing reached the checksum, so that an absent field is really missing. */
    whole: checksum !== undefined,
    errors,
    /** The text up to and including the `6304` of the checksum field, if that field was reached. */
    coveredText: checksum === undefined ? null : [...code].slice(0, checksum.start + 4).join(''),
  }
}

/** True for a template whose domain (sub-field 00) is that of PIX, in any case. */
function isPixTemplate(field: BrCodeField): boolean {
  return fieldValue(field.fields ?? [], '00')?.toLowerCase() === PIX_DOMAIN
}

function isMerchantAccount(id: string): boolean {
  return id >= '26' && id <= '51'
}

/** True for the ids 80–99, one of which may hold a recurrence. */
function isUnreservedTemplate(id: string): boolean {
  return id >= '80'
}

/** True for a URL with a scheme such as `https://`, which a BR Code must omit. */
function hasScheme(url: string): boolean {
  return /^[a-z][a-z0-9+.-]*:\/\//i.test(url)
}

function readField(id: string, value: string, errors: string[]): BrCodeField {
  const name = nameOf(id)
  if (!isTemplate(id)) return { id, name, value }
  const { fields, broken } = walkFields(value, id, errors)
  errors.push(...repeatedIds(fields, id))
  if (broken !== null) errors.push(wordsForBreak(broken, id))
  const names = subNames(id, fieldValue(fields, '00'))
  return {
    id,
    name,
    value,
    fields: fields.map((sub) => ({ id: sub.id, name: names[sub.id] ?? declared`Other`, value: sub.value })),
  }
}

/** Parses the fields of a code or template. Lengths counted in bytes are understood, but reported as an error. */
function walkFields(
  text: string,
  template: string | null,
  errors: string[],
): { fields: TlvField[]; broken: TlvBreak | null } {
  const walked = readTlv(text)
  const inBytes = walked.broken === null ? null : readTlvInBytes(text)
  // A truncated code may happen to end with a complete field.
  if (inBytes === null || (template === null && inBytes.fields.at(-1)?.id !== '63')) {
    const resized = walked.broken === null || template !== null ? null : readTlvResized(text)
    // What generators cut or change after counting are the names; any other break is told where it is.
    if (resized === null || !['59', '60'].includes(resized.wrong.id)) return walked
    const { id, value, stated } = resized.wrong
    errors.push(
      t`The length of field ${id} is ${stated}, but the field has ${[...value].length} characters: it was changed or cut`,
    )
    return { fields: resized.fields, broken: null }
  }
  const { id, value, bytes } = inBytes.miscounted
  const characters = [...value].length
  errors.push(
    template === null
      ? t`The length of field ${id} is counted in bytes (${bytes}), but must be counted in characters (${characters})`
      : t`In field ${template}, the length of field ${id} is counted in bytes (${bytes}), but must be counted in characters (${characters})`,
  )
  return { fields: inBytes.fields, broken: null }
}

function isTemplate(id: string): boolean {
  return isMerchantAccount(id) || id === '62' || id === '64' || isUnreservedTemplate(id)
}

function nameOf(id: string): string {
  const name = NAMES[id]
  if (name !== undefined) return name
  if (id < '52') return declared`Merchant account`
  return isUnreservedTemplate(id) ? declared`Unreserved template` : declared`Reserved`
}

function subNames(id: string, domain: string | null): Readonly<Record<string, string>> {
  if (id === '62') return ADDITIONAL_NAMES
  if (id === '64') return LANGUAGE_NAMES
  if (domain?.toLowerCase() !== PIX_DOMAIN) return { '00': declared`Domain` }
  return isUnreservedTemplate(id) ? { '00': declared`Domain`, '25': declared`Recurrence address` } : PIX_NAMES
}

function repeatedIds(fields: readonly { id: string }[], template: string | null): string[] {
  const ids = fields.map((field) => field.id)
  const repeated = new Set(ids.filter((id, index) => ids.indexOf(id) !== index))
  return [...repeated].map((id) =>
    template === null ? t`Field ${id} occurs more than once` : t`Field ${template} contains field ${id} more than once`,
  )
}

/** The error for a code whose CRC was not reached: it was cut off, or else it breaks before its end. */
function wordsForNoEnd(characters: readonly string[], broken: TlvBreak | null): string {
  const code = characters.join('')
  const [, covered = '', short] = /^(.*6304)([0-9A-F]{1,3})$/is.exec(code) ?? []
  if (short !== undefined && crc16(covered) === short.toUpperCase().padStart(4, '0')) {
    return t`The CRC \`${short}\` has lost its leading zeros: it should be \`${crc16(covered)}\``
  }
  const torn = broken === null ? '' : characters.slice(broken.at).join('')
  const isCut = /^\d{0,3}$/.test(torn) || broken?.reason === 'value'
  if (broken !== null && (!isCut || /6304[0-9A-F]{4}$/i.test(code))) return wordsForBreak(broken, null)
  if (!torn.startsWith('63')) {
    // One digit may be the beginning of `63`.
    const ofField = torn === '' || torn === '6' ? -torn.length : fieldCharacters(torn) - [...torn].length
    return t`The code is cut off: at least ${ofField + CRC_FIELD_CHARACTERS} characters are missing at its end`
  }
  const missing = CRC_FIELD_CHARACTERS - torn.length
  return missing === 1
    ? t`The code is cut off: its last character is missing`
    : t`The code is cut off: its last ${missing} characters are missing`
}

/** How many characters a field has at least, by what is left of its id and length. */
function fieldCharacters(torn: string): number {
  return 4 + Math.max(1, Number(torn.slice(2, 4).padEnd(2, '0')))
}

function wordsForBreak({ at, reason }: TlvBreak, template: string | null): string {
  const position = at + 1
  if (template === null) {
    if (reason === 'id') return t`The code breaks at character ${position}: a field id is two digits`
    if (reason === 'length')
      return t`The code breaks at character ${position}: a field length is two digits from 01 to 99`
    return t`The code breaks at character ${position}: the field there is longer than the rest of the code`
  }
  if (reason === 'id') return t`Field ${template} breaks at its character ${position}: a field id is two digits`
  if (reason === 'length') {
    return t`Field ${template} breaks at its character ${position}: a field length is two digits from 01 to 99`
  }
  return t`Field ${template} breaks at its character ${position}: the field there is longer than the rest`
}

/**
 * The contents of a BR Code: exactly one of `key` and `url` (at most 77 characters of printable ASCII, the url without a
 * scheme), an optional amount in cents, the merchant, and for a static code a txid of 1–25 letters and digits. `once` is
 * true for a single payment and false for several; if omitted, the code does not say.
 */
export interface BrCodeContents {
  key?: string
  url?: string
  amountCents?: number
  merchantName: string
  merchantCity: string
  txid?: string
  once?: boolean
}

/**
 * Writes a BR Code in printable ASCII: accents are dropped, other characters become `?`, the name is cut at 25 characters
 * and the city at 15. Throws a RangeError if the contents do not make a valid code.
 */
export function writeBrCode(contents: BrCodeContents): string {
  const { key, url, amountCents, merchantName, merchantCity, txid = '***', once } = contents
  if ((key === undefined) === (url === undefined)) throw new RangeError('a BR Code has either a key or a url')
  if (url !== undefined && hasScheme(url)) throw new RangeError('the url of a BR Code has no scheme')
  if (!/^(?:\*\*\*|[A-Za-z0-9]{1,25})$/.test(txid)) throw new RangeError('a txid is 1 to 25 letters and digits')
  if (amountCents === 0 && url === undefined) throw new RangeError('the amount of a static BR Code is not zero')
  const fault = key === undefined ? null : faultOfKey(key)
  if (fault !== null) throw new RangeError(fault)
  const recipient = key === undefined ? encodeTlv('25', printable(url ?? '')) : encodeTlv('01', printable(key))
  const covered = [
    encodeTlv('00', '01'),
    once === undefined ? '' : encodeTlv('01', once ? '12' : '11'),
    encodeTlv('26', encodeTlv('00', 'br.gov.bcb.pix') + recipient),
    encodeTlv('52', '0000'),
    encodeTlv('53', '986'),
    amountCents === undefined ? '' : encodeTlv('54', amountOf(amountCents)),
    encodeTlv('58', 'BR'),
    encodeTlv('59', asciiText(merchantName, 25)),
    encodeTlv('60', asciiText(merchantCity, 15)),
    encodeTlv('62', encodeTlv('05', txid)),
    '6304',
  ].join('')
  return covered + crc16(covered)
}

function printable(text: string): string {
  if (!/^[\x21-\x7e]+$/.test(text)) throw new RangeError('a key or url in a BR Code is printable ASCII without spaces')
  return text
}

function amountOf(cents: number): string {
  const text = plainAmount(cents)
  if (!/^\d{1,10}\.\d\d$/.test(text)) throw new RangeError(`a BR Code cannot hold the amount ${text}`)
  return text
}

function asciiText(text: string, charactersMax: number): string {
  const plain = text
    .normalize('NFKD')
    .replace(/\p{M}/gu, '')
    .replace(/[^\x20-\x7e]/gu, '?')
  return plain.trim().slice(0, charactersMax).trim()
}

/** One field of a BR Code: a two-digit id and a value. `start` is the position of the id, in characters. */
interface TlvField {
  id: string
  value: string
  start: number
}

/** Where parsing stopped: after `at` characters, because of the id, the length, or a truncated value. */
interface TlvBreak {
  at: number
  reason: 'id' | 'length' | 'value'
}

/**
 * Parses a string of fields (two-digit id, two-digit length 01–99 in characters, value), as defined by EMV for
 * merchant-presented QR codes. Returns every complete field, and where parsing stopped if the text has anything else.
 */
function readTlv(text: string): { fields: TlvField[]; broken: TlvBreak | null } {
  const characters = [...text]
  const fields: TlvField[] = []
  let at = 0
  while (at < characters.length) {
    const id = characters.slice(at, at + 2).join('')
    if (!/^\d\d$/.test(id)) return { fields, broken: { at, reason: 'id' } }
    const length = characters.slice(at + 2, at + 4).join('')
    if (!/^\d\d$/.test(length) || length === '00') return { fields, broken: { at, reason: 'length' } }
    const end = at + 4 + Number(length)
    if (end > characters.length) return { fields, broken: { at, reason: 'value' } }
    fields.push({ id, value: characters.slice(at + 4, end).join(''), start: at })
    at = end
  }
  return { fields, broken: null }
}

/**
 * Parses fields whose lengths were wrongly counted in UTF-8 bytes. Returns the fields, and the first
 * whose length differs from its character count; null if the text does not consist of such fields.
 */
function readTlvInBytes(text: string): { fields: TlvField[]; miscounted: TlvField & { bytes: number } } | null {
  // Each byte as a character.
  const walked = readTlv(Array.from(new TextEncoder().encode(text), (byte) => String.fromCharCode(byte)).join(''))
  if (walked.broken !== null) return null
  const fields: TlvField[] = []
  let start = 0
  let miscounted: (TlvField & { bytes: number }) | undefined
  for (const { id, value: bytes } of walked.fields) {
    const value = new TextDecoder('utf-8', { ignoreBOM: true }).decode(
      Uint8Array.from(bytes, (byte) => byte.charCodeAt(0)),
    )
    const length = [...value].length
    const field = { id, value, start }
    if (length !== bytes.length) miscounted ??= { ...field, bytes: bytes.length }
    fields.push(field)
    start += 4 + length
  }
  return miscounted === undefined ? null : { fields, miscounted }
}

/**
 * Parses fields of which one has a wrong length, because its value was changed or cut after it was counted: with another length for it, the ids ascend up to the
 * CRC. Returns the fields, and the wrong one with its stated length; null if no length, or
 * more than one, makes such a code of as many fields.
 */
function readTlvResized(text: string): { fields: TlvField[]; wrong: TlvField & { stated: number } } | null {
  const characters = [...text]
  // No code is so long, and each length of each field is tried.
  if (characters.length > CODE_CHARACTERS_MAX) return null
  const isCode = (fields: readonly TlvField[]) =>
    fields.at(-1)?.id === '63' && fields.every(({ id }, place) => place === 0 || (fields[place - 1]?.id ?? '') < id)
  const found: { fields: TlvField[]; wrong: TlvField & { stated: number } }[] = []
  const { fields: before } = readTlv(text)
  const starts = [
    ...before.map(({ start }) => start),
    (before.at(-1)?.start ?? 0) + 4 + [...(before.at(-1)?.value ?? '')].length,
  ]
  for (const [place, start] of starts.entries()) {
    const [id, stated] = [start, start + 2].map((at) => characters.slice(at, at + 2).join(''))
    if (!/^\d\d$/.test(id ?? '') || !/^\d\d$/.test(stated ?? '')) continue
    for (let length = 1; length < FIELD_CHARACTERS_MAX && start + 4 + length < characters.length; length += 1) {
      const rest = readTlv(characters.slice(start + 4 + length).join(''))
      if (length === Number(stated) || rest.broken !== null) continue
      const wrong = { id: id ?? '', value: characters.slice(start + 4, start + 4 + length).join(''), start }
      const moved = rest.fields.map((field) => ({ ...field, start: field.start + start + 4 + length }))
      const fields = [...before.slice(0, place), wrong, ...moved]
      if (isCode(fields)) found.push({ fields, wrong: { ...wrong, stated: Number(stated) } })
    }
  }
  const [best, next] = found.toSorted((one, other) => other.fields.length - one.fields.length)
  return best !== undefined && best.fields.length !== next?.fields.length ? best : null
}

/** The value of the first field with an id, or null. */
function fieldValue(fields: readonly { id: string; value: string }[], id: string): string | null {
  return fields.find((field) => field.id === id)?.value ?? null
}

/** One field as text. Throws a RangeError for a value that is empty or longer than 99 characters. */
function encodeTlv(id: string, value: string): string {
  const length = [...value].length
  if (length < 1 || length > 99) throw new RangeError(`field ${id} cannot hold ${length} characters`)
  return `${id}${String(length).padStart(2, '0')}${value}`
}

/**
 * The checksum of a BR Code: CRC-16/CCITT-FALSE (polynomial 0x1021, initial value 0xFFFF) over bytes, those of UTF-8 for a text,
 * as four upper-case hexadecimal digits with leading zeros.
 */
export function crc16(covered: string | Uint8Array): string {
  let crc = 0xffff
  for (const byte of typeof covered === 'string' ? new TextEncoder().encode(covered) : covered) {
    crc ^= byte << 8
    for (let bit = 0; bit < 8; bit += 1) {
      crc = (crc & 0x8000) === 0 ? (crc << 1) & 0xffff : ((crc << 1) ^ 0x1021) & 0xffff
    }
  }
  return crc.toString(16).toUpperCase().padStart(4, '0')
}
