import { declared, t } from '../text/translate.ts'
import { fieldValue, readTlv, readTlvInBytes, type TlvBreak, type TlvField } from './tlv.ts'

/** A field of a BR Code with its English name. `fields` is set if the value consists of fields itself. */
export interface BrCodeField {
  id: string
  name: string
  value: string
  fields?: BrCodeField[]
}

/** The fields of a BR Code, and the errors in its structure as sentences. */
export interface BrCodeStructure {
  fields: BrCodeField[]
  /** True if parsing reached the end, so that an absent field is really missing. */
  whole: boolean
  errors: string[]
  /** The text up to and including the `6304` of the checksum field, if that field was reached. */
  checkedText: string | null
}

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

/** Parses the fields of a code and of its templates, and reports where the structure is invalid. */
export function readStructure(code: string): BrCodeStructure {
  const errors: string[] = []
  const { fields, broken } = walkFields(code, null, errors)
  const checksumIndex = fields.findIndex((field) => field.id === '63')
  const checksum = fields[checksumIndex]
  const afterChecksum = checksum !== undefined && (broken !== null || checksumIndex < fields.length - 1)
  errors.push(...repeatedIds(fields, null))
  if (afterChecksum) errors.push(t`There is text after the CRC, which must be the end of the code`)
  else if (broken !== null) errors.push(wordsForBreak(broken, null))
  return {
    fields: fields.map(({ id, value }) => readField(id, value, errors)),
    whole: broken === null || afterChecksum,
    errors,
    checkedText: checksum === undefined ? null : [...code].slice(0, checksum.start + 4).join(''),
  }
}

/** True for a template whose domain (sub-field 00) is that of PIX, in any case. */
export function isPixTemplate(field: BrCodeField): boolean {
  return fieldValue(field.fields ?? [], '00')?.toLowerCase() === PIX_DOMAIN
}

/** True for the ids 26–51 of merchant accounts. */
export function isMerchantAccount(id: string): boolean {
  return id >= '26' && id <= '51'
}

/** True for the ids 80–99, one of which may hold a recurrence. */
export function isUnreservedTemplate(id: string): boolean {
  return id >= '80'
}

/** True for a URL with a scheme such as `https://`, which a BR Code must omit. */
export function hasScheme(url: string): boolean {
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
  if (inBytes === null || (template === null && inBytes.fields.at(-1)?.id !== '63')) return walked
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
