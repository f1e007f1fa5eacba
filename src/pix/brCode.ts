import { t } from '../text/translate.ts'
import {
  type BrCodeField,
  type BrCodeStructure,
  hasScheme,
  isMerchantAccount,
  isPixTemplate,
  isUnreservedTemplate,
  readStructure,
} from './brCodeFields.ts'
import { crc16, fieldValue, readTlv } from './tlv.ts'

export type { BrCodeField }

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
interface Recipient {
  templates: BrCodeField[]
  key: string | null
  url: string | null
  recurrenceUrl: string | null
  isWithdrawal: boolean
}

const CODE_CHARACTERS_MAX = 512
const NAME_CHARACTERS_MAX = 25
const CITY_CHARACTERS_MAX = 15
const AMOUNT_CHARACTERS_MAX = 13

/**
 * Parses a BR Code, the text of a PIX QR code or "copia e cola", by the rules of Banco Central's BR Code manual.
 * Never throws: for text that is not a code `looksLikeBrCode` is false, and an invalid code has errors.
 */
export function readBrCode(text: string): BrCode {
  const code = text.trim()
  if (!looksLikeBrCode(code)) return notACode(code)
  const structure = readStructure(code)
  const recipient = readRecipient(structure.fields)
  const url = recipient.url ?? (recipient.key === null ? recipient.recurrenceUrl : null)
  const amountText = fieldValue(structure.fields, '54')
  const additional = structure.fields.find((field) => field.id === '62')
  const read = {
    looksLikeBrCode: true,
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
  const errors = [
    ...(code.length > CODE_CHARACTERS_MAX ? [t`The code is longer than ${CODE_CHARACTERS_MAX} characters`] : []),
    ...errorsOfFormat(structure.fields),
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

function errorsOfFormat([first]: readonly BrCodeField[]): string[] {
  if (first === undefined) return []
  if (first.id !== '00') {
    return [t`The code begins with field ${first.id}, not with the payload format (field 00): \`000201\``]
  }
  return first.value === '01' ? [] : [t`The payload format (field 00) is \`${first.value}\`, not \`01\``]
}

function notACode(code: string): BrCode {
  const error = code === '' ? t`The code is empty` : t`The text is not a BR Code, which begins with \`000201\``
  return {
    looksLikeBrCode: false,
    valid: false,
    kind: null,
    key: null,
    url: null,
    amountCents: null,
    amountText: null,
    merchantName: null,
    merchantCity: null,
    txid: null,
    crc: null,
    fields: [],
    errors: [error],
    warnings: [],
  }
}

function readRecipient(fields: readonly BrCodeField[]): Recipient {
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
  return errors
}

function errorsOfAmount(text: string | null, cents: number | null, zeroAllowed: boolean): string[] {
  if (text === null) return []
  if (cents === null)
    return [t`The amount \`${text}\` is malformed: expected at most 13 characters with at most two decimals`]
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

function errorsOfCrc({ fields, whole, checkedText }: BrCodeStructure): string[] {
  const crc = fieldValue(fields, '63')
  if (crc === null || checkedText === null) {
    return whole ? [t`The code does not end with its CRC (field 63); it may be incomplete`] : []
  }
  if (!/^[0-9a-f]{4}$/i.test(crc)) return [t`The CRC \`${crc}\` is not four hexadecimal digits`]
  const right = crc16(checkedText)
  return crc.toUpperCase() === right ? [] : [t`The CRC is \`${crc}\`, but should be \`${right}\``]
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
  if (read.crc !== null && read.crc !== read.crc.toUpperCase()) warnings.push(t`The CRC is in lower case`)
  return warnings
}

function characterCount(text: string | null): number {
  return text === null ? 0 : [...text].length
}
