import { t } from '../text/words.ts'
import { Malformed } from './malformed.ts'
import { isCpf, isTaxDocument } from './taxDocument.ts'

/** The service's own names for the types of a PIX key, in the order in which they are listed to people. */
export const KEY_TYPES = ['document', 'phoneNumber', 'email', 'randomKey', 'paymentCode'] as const

/** One of {@link KEY_TYPES}. */
export type KeyType = (typeof KEY_TYPES)[number]

const EMAIL_CHARACTERS_MAX = 77
const NATIONAL_MOBILE = /^(?:1[1-9]|[2-9]\d)9\d{8}$/
const UUID = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/i
/** The pattern that Banco Central's directory of keys publishes, with a dot required in the domain. */
const EMAIL =
  /^[a-z0-9.!#$&'*+/=?^_`{|}~-]+@[a-z0-9](?:[a-z0-9-]{0,61}[a-z0-9])?(?:\.[a-z0-9](?:[a-z0-9-]{0,61}[a-z0-9])?)+$/

const CHECKS: Readonly<Record<KeyType, (key: string) => void>> = {
  document: checkDocument,
  phoneNumber: checkPhone,
  email: checkEmail,
  randomKey: checkRandomKey,
  paymentCode: checkPaymentCode,
}

/**
 * The type of a key, told from its form. Throws Malformed for what is no key, and for 11 digits that are both a CPF and
 * a mobile number: money must not follow a guess.
 */
export function detectKeyType(key: string): KeyType {
  checkEnds(key)
  const keyType = typeByForm(key)
  CHECKS[keyType](key)
  return keyType
}

/**
 * Throws Malformed unless the key is of the given type exactly as it stands, because it goes out as typed. Of a payment
 * code only the beginning is looked at; `readBrCode` judges the rest.
 */
export function checkKey(key: string, keyType: KeyType): void {
  checkEnds(key)
  CHECKS[keyType](key)
}

function checkEnds(key: string): void {
  if (key.trim() === '') throw new Malformed(t`The key is empty`, t`Type the PIX key that is to be paid`)
  if (key !== key.trim()) throw new Malformed(t`The key has white space around it`, t`Type \`${key.trim()}\``)
}

function typeByForm(key: string): KeyType {
  if (/^\d{11}$/.test(key)) return typeOfElevenDigits(key)
  const bare = withoutPunctuation(key)
  if (isTaxDocument(bare.toUpperCase()) || /^\d{14}$/.test(key)) return 'document'
  if (UUID.test(key) || /^[0-9a-f]{32}$/i.test(bare)) return 'randomKey'
  if (key.startsWith('000201') && !EMAIL.test(key)) return 'paymentCode'
  if (key.includes('@')) return 'email'
  if (key.startsWith('+') || isMobile(phoneDigits(key))) return 'phoneNumber'
  if (/^[0-9a-z]{12}\d{2}$/i.test(bare) || /^\d{3}\.\d{3}\.\d{3}-\d{2}$/.test(key)) return 'document'
  throw new Malformed(
    t`\`${key}\` is no PIX key that is known here`,
    t`A key is a CPF, a CNPJ, a mobile number, an e-mail address, a random key with its dashes, or a payment code`,
  )
}

function typeOfElevenDigits(key: string): KeyType {
  const mobile = NATIONAL_MOBILE.test(key)
  if (isCpf(key) && mobile) {
    throw new Malformed(
      t`\`${key}\` is both a CPF and a mobile number`,
      t`Say which one is meant with \`--key-type document\` or \`--key-type phoneNumber\``,
    )
  }
  if (isCpf(key)) return 'document'
  if (mobile) return 'phoneNumber'
  throw new Malformed(
    t`\`${key}\` is neither a CPF (its check digits are wrong) nor a mobile number`,
    t`Check the 11 digits; a mobile number is an area code, a 9 and 8 digits`,
  )
}

function checkDocument(key: string): void {
  if (isTaxDocument(key)) return
  const plain = withoutPunctuation(key).toUpperCase()
  if (isTaxDocument(plain)) {
    throw new Malformed(
      t`A CPF or CNPJ key has no punctuation and no lower-case letters`,
      t`The key goes out as typed: type \`${plain}\``,
    )
  }
  throw new Malformed(
    t`\`${key}\` is neither a CPF nor a CNPJ`,
    t`Type the 11 digits of a CPF or the 14 characters of a CNPJ; leading zeros and the last two digits count`,
  )
}

function checkPhone(key: string): void {
  if (isMobile(key)) return
  const digits = phoneDigits(key)
  if (isMobile(digits)) {
    throw new Malformed(t`\`${key}\` is not written as a phone key`, t`The key goes out as typed: type \`${digits}\``)
  }
  throw new Malformed(
    t`\`${key}\` is no Brazilian mobile number`,
    t`Type \`+55\`, the area code, a 9 and 8 digits, such as \`+5511987654321\``,
  )
}

function checkEmail(key: string): void {
  if (key.length > EMAIL_CHARACTERS_MAX) {
    throw new Malformed(
      t`The e-mail key has ${key.length} characters`,
      t`An e-mail key has at most ${EMAIL_CHARACTERS_MAX}`,
    )
  }
  if (EMAIL.test(key)) return
  if (isAscii(key) && EMAIL.test(key.toLowerCase())) {
    throw new Malformed(
      t`An e-mail key has no upper-case letters`,
      t`The key goes out as typed: type \`${key.toLowerCase()}\``,
    )
  }
  throw new Malformed(
    t`\`${key}\` is no e-mail address`,
    t`Type it like \`name@example.com\`, without accents or spaces`,
  )
}

function checkRandomKey(key: string): void {
  if (UUID.test(key)) return
  const bare = key.replaceAll('-', '')
  if (/^[0-9a-f]{32}$/i.test(bare)) {
    const dashed = [bare.slice(0, 8), bare.slice(8, 12), bare.slice(12, 16), bare.slice(16, 20), bare.slice(20)].join(
      '-',
    )
    throw new Malformed(t`A random key has its dashes in four places`, t`The key goes out as typed: type \`${dashed}\``)
  }
  throw new Malformed(
    t`\`${key}\` is no random key`,
    t`Type 32 hexadecimal digits in groups of 8, 4, 4, 4 and 12, such as \`123e4567-e12b-12d1-a456-426655440000\``,
  )
}

function checkPaymentCode(key: string): void {
  if (key.startsWith('000201')) return
  throw new Malformed(
    t`The payment code does not begin with \`000201\``,
    t`Copy the whole code, from \`000201\` to the four characters after \`6304\``,
  )
}

function isMobile(text: string): boolean {
  return NATIONAL_MOBILE.test(text.startsWith('+55') ? text.slice(3) : text)
}

/** The digits of a phone number written for people, with `+55` where a country code was there. */
function phoneDigits(text: string): string {
  const digits = text.replace(/[ ().-]/g, '')
  return /^55\d{11}$/.test(digits) ? `+${digits}` : digits
}

function withoutPunctuation(text: string): string {
  return text.replace(/[./-]/g, '')
}

function isAscii(text: string): boolean {
  return /^[\x20-\x7e]*$/.test(text)
}

/** The same key in its other spellings: a national mobile number with or without +55, letters of either case. */
export function comparableKey(key: string): string {
  const lower = key.trim().toLowerCase()
  return /^\+55\d{11}$/.test(lower) ? lower.slice(3) : lower
}
