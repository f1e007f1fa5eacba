import { t } from '../text/translate.ts'
import { Malformed, valueOrError } from './expectedError.ts'
import {
  comparableTaxDocument,
  isCnpj,
  isCpf,
  isTaxDocument,
  malformedTaxDocument,
  plainTaxDocument,
} from './taxDocument.ts'

/** The 67 area codes in use, by ANATEL's numbering plan. */
const AREA_CODES: ReadonlySet<string> = new Set(
  (
    '11 12 13 14 15 16 17 18 19 21 22 24 27 28 31 32 33 34 35 37 38 41 42 43 44 45 46 47 48 49 51 53 54 55 ' +
    '61 62 63 64 65 66 67 68 69 71 73 74 75 77 79 81 82 83 84 85 86 87 88 89 91 92 93 94 95 96 97 98 99'
  ).split(' '),
)

const COUNTRY_CODE = '+55'

/**
 * A phone number with spaces, parentheses, dots or dashes, such as `(11) 98765-4321`. Its area code is separated, or the
 * last four digits are, so that it cannot be read as a CPF.
 */
const FORMATTED =
  /^(?:(?:\+55[ .-]?)?(?:(?:\(\d{2}\) ?|\d{2}[ .-])\d[ .-]?\d{4}[ .-]?\d{4}|\d{7}-\d{4})|\+55[ .-]\d{11})$/

/** True for 11 digits that are an area code in use, a 9 and 8 digits. */
export function isNationalMobile(text: string): boolean {
  return /^\d{2}9\d{8}$/.test(text) && hasAreaCode(text)
}

function hasAreaCode(digits: string): boolean {
  return AREA_CODES.has(digits.slice(0, 2))
}

/** True for a Brazilian mobile number in plain digits, with or without `+55`. */
function isMobile(text: string): boolean {
  return isNationalMobile(withoutCountryCode(text))
}

/** A phone number without `+55`. */
function withoutCountryCode(text: string): string {
  return text.startsWith(COUNTRY_CODE) ? text.slice(COUNTRY_CODE.length) : text
}

/**
 * The digits of a phone number that is typed with punctuation, and `+55` if it was typed; undefined for any other text.
 * Does not check whether the number can exist.
 */
function plainPhone(text: string): string | undefined {
  return FORMATTED.test(text) ? text.replace(/[ ().-]/g, '') : undefined
}

/** A mobile number in plain digits with its punctuation, `(11) 98765-4321`, and `+55` if it has it; any other text unchanged. */
export function formatMobile(key: string): string {
  return key.replace(
    /^(\+55)?(\d{2})(\d{5})(\d{4})$/,
    (_, country: string | undefined, area: string, first: string, last: string) =>
      `${country === undefined ? '' : `${country} `}(${area}) ${first}-${last}`,
  )
}

/** Throws Malformed unless `key` is a mobile number in plain digits. `typed` is the spelling to show. */
function assertMobile(key: string, typed: string): void {
  if (isMobile(key)) return
  const national = withoutCountryCode(key)
  if (isElevenDigits(national)) {
    throw new Malformed(
      t`\`${typed}\` is not a mobile number: ${whyNoMobile(national)}`,
      t`Type the area code, a 9 and 8 digits, such as \`11987654321\``,
    )
  }
  const digits = key.replace(/[ ().-]/g, '')
  if (/^55\d{11}$/.test(digits) && isNationalMobile(digits.slice(2))) {
    throw new Malformed(t`\`${typed}\` has a country code without its \`+\``, t`Type \`+${digits}\``)
  }
  throw new Malformed(
    t`\`${typed}\` is not a Brazilian mobile number`,
    t`Type \`+55\`, the area code, a 9 and 8 digits, such as \`+5511987654321\``,
  )
}

/** Why 11 digits are no mobile number. */
function whyNoMobile(national: string): string {
  return hasAreaCode(national) ? t`there is no 9 after the area code` : t`${national.slice(0, 2)} is not an area code`
}

/** The service's names for the types of a PIX key, in the order in which they are listed in help. */
export const KEY_TYPES = ['document', 'phoneNumber', 'email', 'randomKey', 'paymentCode'] as const

export type KeyType = (typeof KEY_TYPES)[number]

/** True for one of the service's names. */
export function isKeyType(value: unknown): value is KeyType {
  return KEY_TYPES.some((each) => each === value)
}

/** A declared key type. A CPF and a CNPJ are both sent as `document`. */
export type DeclaredKeyType = KeyType | 'cpf' | 'cnpj'

export interface PixKey {
  /** Exactly as it is sent: without the punctuation of a CPF, CNPJ or phone number, a random key in lower case. */
  key: string
  keyType: KeyType
  /**
   * True for 11 bare digits without a declared type that are taken as a phone number. A mistyped CPF looks the same, so a
   * person must check the key before money is sent.
   */
  isGuessedPhone: boolean
}

/** Thrown for 11 digits that are both a CPF and a mobile number, if their type was not declared. */
export class AmbiguousKey extends Malformed {}

/** True for text that is a PIX key, or may be one of two kinds. */
export function mayBePixKey(text: string): boolean {
  const read = valueOrError(Malformed, () => readPixKey(text))
  return !(read instanceof Malformed) || read instanceof AmbiguousKey
}

const EMAIL_CHARACTERS_MAX = 77
const UUID = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/i
/**
 * The pattern that Banco Central's directory of keys publishes, with a dot required in the domain and no digit behind the last one, where the rest of a torn
 * payment code would be.
 */
const EMAIL =
  /^[a-z0-9.!#$&'*+/=?^_`{|}~-]+@[a-z0-9](?:[a-z0-9-]{0,61}[a-z0-9])?(?:\.[a-z0-9](?:[a-z0-9-]{0,61}[a-z0-9])?)*\.(?:[a-z]+|xn--[a-z0-9-]*[a-z0-9])$/

/** What every payment code of PIX has, and no address. */
const CODE_ACCOUNT = /\d{4}br\.gov\.bcb\.pix/i

/** Throws Malformed unless `key`, as it is to be sent, is of the type. `typed` is the spelling to show. */
type AssertKey = (key: string, typed: string) => void

const ASSERTIONS: Readonly<Record<DeclaredKeyType, AssertKey>> = {
  document: assertTaxDocument,
  cpf: assertCpf,
  cnpj: assertCnpj,
  phoneNumber: assertMobile,
  email: assertEmail,
  randomKey: assertRandomKey,
  paymentCode: assertPaymentCode,
}

/**
 * Parses a key as a person types it. Outer spaces are removed, and so is the punctuation of a formatted CPF, CNPJ or
 * phone number; `+55` is kept but never added, a random key is written in lower case, as the directory of keys has it, and
 * anything else is sent as typed. Without a declared type the form of the key decides. Throws Malformed for text that is
 * not a key or not of the declared type, and AmbiguousKey.
 *
 * Only the beginning of a payment code is checked; `readBrCode` judges the rest.
 */
export function readPixKey(typed: string, declared?: DeclaredKeyType): PixKey {
  const text = typed.trim()
  if (text === '') throw emptyKey()
  assertNoBoleto(text)
  const formatted = readFormatted(text)
  const form = declared ?? formatted?.keyType ?? typeByForm(text)
  const keyType = keyTypeOf(form)
  const plain = formatted?.keyType === keyType ? formatted.key : text
  ASSERTIONS[form](plain, text)
  const key = keyType === 'randomKey' ? plain.toLowerCase() : plain
  return { key, keyType, isGuessedPhone: declared === undefined && keyType === 'phoneNumber' && isElevenDigits(text) }
}

/**
 * Throws Malformed unless the key, exactly as it is, can be sent under the given type. Of a payment code only the
 * beginning is checked; `readBrCode` judges the rest.
 */
export function assertPixKey(key: string, keyType: KeyType): void {
  if (key.trim() === '') throw emptyKey()
  if (key !== key.trim()) throw new Malformed(t`The key has white space around it`, t`Type \`${key.trim()}\``)
  ASSERTIONS[keyType](key, key)
}

/** The type of a key whose digits equal the CPF of its owner: it is that CPF, though it could be a mobile number as well. Undefined for any other. */
export function cpfOfOwner(key: string, owner: string | undefined): 'document' | undefined {
  const text = key.trim()
  return isCpf(text) && owner !== undefined && comparableTaxDocument(owner) === text ? 'document' : undefined
}

/** The declared type of a key, else that by its owner. Throws Malformed for the CPF of its owner that is called a mobile number: either may be meant. */
export function typeWithOwner(
  key: string,
  declared: DeclaredKeyType | undefined,
  owner: string | undefined,
): DeclaredKeyType | undefined {
  const ofOwner = cpfOfOwner(key, owner)
  if (ofOwner === undefined || declared !== 'phoneNumber') return declared ?? ofOwner
  throw new Malformed(
    t`\`${key.trim()}\` is the CPF of the owner, and is called a mobile number`,
    t`Type \`+55${key.trim()}\` if the mobile number is meant, or add \`--key-type document\``,
  )
}

/** The service's key type for a declared one. */
export function keyTypeOf(declared: DeclaredKeyType): KeyType {
  return declared === 'cpf' || declared === 'cnpj' ? 'document' : declared
}

/**
 * The type of a key in the form in which Banco Central's directory has it, the only one that a payment code may hold: without punctuation, a mobile
 * number with `+55`. Letters of an e-mail address and a random key may be capitals. Throws Malformed.
 */
export function directoryKeyType(key: string): KeyType {
  if (/^ 55\d{11}$/.test(key))
    throw new Malformed(t`\`${key}\` has a space in place of its \`+\``, t`Type \`+${key.trim()}\``)
  const plain = readFormatted(key)?.key ?? key.trim()
  if (plain !== key) throw new Malformed(t`\`${key}\` has punctuation or white space`, t`Type \`${plain}\``)
  if (isNationalMobile(key) && !isCpf(key)) {
    throw new Malformed(t`\`${key}\` is a mobile number without its \`+55\``, t`Type \`+${`55${key}`}\``)
  }
  const keyType = isCpf(key) ? 'document' : typeByForm(key)
  if (keyType === 'paymentCode') throw noKey(key)
  ASSERTIONS[keyType](keyType === 'email' || keyType === 'randomKey' ? key.toLowerCase() : key, key)
  return keyType
}

/** The types that a bare CPF, CNPJ or mobile number can have; none for any other text. */
export function typesByForm(key: string): KeyType[] {
  return [
    ...(isTaxDocument(key.toUpperCase()) ? (['document'] as const) : []),
    ...(isMobile(key) ? (['phoneNumber'] as const) : []),
  ]
}

/** The type of a key with punctuation and the key without it; undefined if it has none. */
export function readFormatted(text: string): { key: string; keyType: 'document' | 'phoneNumber' } | undefined {
  const taxDocument = plainTaxDocument(text)
  if (taxDocument !== undefined) return { key: taxDocument, keyType: 'document' }
  const phone = plainPhone(text)
  return phone === undefined ? undefined : { key: phone, keyType: 'phoneNumber' }
}

function typeByForm(key: string): KeyType {
  if (isElevenDigits(key)) return typeOfElevenDigits(key)
  if (/^\d{14}$/.test(key) || isCnpj(key)) return 'document'
  if (UUID.test(key) || isUndashedUuid(key)) return 'randomKey'
  if (CODE_ACCOUNT.test(key) || (key.startsWith('000201') && !isEmail(key))) return 'paymentCode'
  if (key.includes('@')) return 'email'
  if (key.startsWith('+') || isMobile(`+${key.replace(/[ ().-]/g, '')}`)) return 'phoneNumber'
  if (/^[0-9a-z]{12}\d{2}$/i.test(key)) return 'document'
  throw noKey(key)
}

/** Digits with the points, dashes and blanks that a boleto has among its own, and no other digit or letter beside them. */
const SPACED_DIGITS = /(?<![\p{L}\p{N}])\d(?:[\s.-]*\d){43,47}(?![\p{L}\p{N}])/gu
/** The line to type, or the digits of the bars: those of a bill of a utility, or those of a bank with `9` for the real, which other numbers lack. */
const BOLETO = /^(?:\d{47,48}|8\d{43}|\d{3}9\d{40})$/

/** Throws Malformed for text with the digits of a boleto, whose check digits do not matter: it is not paid by PIX anyway. */
export function assertNoBoleto(text: string): void {
  if (!(text.match(SPACED_DIGITS) ?? []).some((found) => BOLETO.test(found.replace(/\D/g, '')))) return
  throw new Malformed(
    t`The digits are those of a boleto, which is not paid by PIX`,
    t`Ask the receiver for a PIX key or code; some boletos have a PIX code, which begins with \`000201\``,
  )
}

function noKey(key: string): Malformed {
  return new Malformed(
    t`\`${key}\` is not a PIX key`,
    t`Type a CPF, a CNPJ, a mobile number, an e-mail address, a random key with its dashes, or a payment code`,
  )
}

function typeOfElevenDigits(key: string): KeyType {
  const mobile = isNationalMobile(key)
  if (isCpf(key) && mobile) {
    throw new AmbiguousKey(
      t`\`${key}\` is both a CPF and a mobile number`,
      t`Add \`--key-type document\` for the CPF, or \`--key-type phoneNumber\` for the mobile number`,
    )
  }
  if (isCpf(key)) return 'document'
  if (mobile) return 'phoneNumber'
  const hint = t`Compare the 11 digits with what the receiver sent you`
  if (/^(\d)\1+$/.test(key)) throw new Malformed(t`\`${key}\` is not a PIX key: all its digits are the same`, hint)
  throw new Malformed(
    t`\`${key}\` is neither a CPF (its check digits are wrong) nor a mobile number (${whyNoMobile(key)})`,
    hint,
  )
}

function assertTaxDocument(key: string, typed: string): void {
  if (isTaxDocument(key)) return
  if (isTaxDocument(key.toUpperCase())) {
    throw new Malformed(t`The CNPJ \`${typed}\` has lower-case letters`, t`Type \`${key.toUpperCase()}\``)
  }
  throw malformedTaxDocument(typed, key)
}

function assertCpf(key: string, typed: string): void {
  if (isCpf(key)) return
  if (isElevenDigits(key)) throw malformedTaxDocument(typed, key)
  throw new Malformed(t`\`${typed}\` is not a CPF`, t`Type its 11 digits, leading zeros included`)
}

function assertCnpj(key: string, typed: string): void {
  if (isCnpj(key)) return
  if (/^[0-9a-z]{12}\d{2}$/i.test(key)) assertTaxDocument(key, typed)
  throw new Malformed(t`\`${typed}\` is not a CNPJ`, t`Type its 14 characters, leading zeros included`)
}

function assertEmail(key: string): void {
  if (key.length > EMAIL_CHARACTERS_MAX) {
    throw new Malformed(
      t`The e-mail key has ${key.length} characters`,
      t`Type an e-mail key of at most ${EMAIL_CHARACTERS_MAX} characters`,
    )
  }
  if (isEmail(key)) return
  if (isAscii(key) && isEmail(key.toLowerCase())) {
    throw new Malformed(t`The e-mail key \`${key}\` has upper-case letters`, t`Type \`${key.toLowerCase()}\``)
  }
  throw new Malformed(
    t`\`${key}\` is not an e-mail address`,
    t`Type it like \`name@example.com\`, without accents or spaces`,
  )
}

/** True for an address; a payment code that is cut off behind one has the form of another address. */
function isEmail(key: string): boolean {
  return EMAIL.test(key) && !CODE_ACCOUNT.test(key)
}

function assertRandomKey(key: string): void {
  if (UUID.test(key)) return
  if (isUndashedUuid(key)) {
    const bare = key.replaceAll('-', '')
    const groups = [bare.slice(0, 8), bare.slice(8, 12), bare.slice(12, 16), bare.slice(16, 20), bare.slice(20)]
    throw new Malformed(t`The random key \`${key}\` has missing or misplaced dashes`, t`Type \`${groups.join('-')}\``)
  }
  throw new Malformed(
    t`\`${key}\` is not a random key`,
    t`Type 32 hexadecimal digits in groups of 8, 4, 4, 4 and 12, such as \`123e4567-e12b-12d1-a456-426655440000\``,
  )
}

function assertPaymentCode(key: string): void {
  if (key.startsWith('000201')) return
  throw new Malformed(
    t`The payment code does not begin with \`000201\``,
    t`Copy the whole code, from \`000201\` to the four characters after \`6304\``,
  )
}

function emptyKey(): Malformed {
  return new Malformed(t`The key is empty`, t`Type the PIX key of the receiver`)
}

function isElevenDigits(text: string): boolean {
  return /^\d{11}$/.test(text)
}

function isUndashedUuid(text: string): boolean {
  return /^[0-9a-f]{32}$/i.test(text.replaceAll('-', ''))
}

function isAscii(text: string): boolean {
  return /^[\x20-\x7e]*$/.test(text)
}
