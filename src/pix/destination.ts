import { readBrCode } from './brCode.ts'
import { Malformed, valueOr } from './expectedError.ts'
import { directoryKeyType, formatMobile, type KeyType, readFormatted, typesByForm } from './pixKey.ts'
import { formatTaxDocument } from './taxDocument.ts'

/** To where a transfer goes. */
interface Destination {
  /** The key, also that in a static payment code; of a dynamic code its address, the host in one spelling. */
  key: string
  /** The type of that key; `paymentCode` for an address. */
  keyType: KeyType
  /** The name in a payment code, chosen by its author; null without one. */
  tradeName: string | null
}

/**
 * What a key that is sent pays: a static payment code is a payment to the key that it contains, a dynamic one pays the one charge at its address. All
 * that compares, finds, masks or shows destinations goes by it.
 */
export function destinationOf(key: string, keyType: KeyType): Destination {
  return insideCode(key) ?? { key, keyType, tradeName: null }
}

/** What a payment code holds; undefined for other text, and for a code that cannot be paid. */
function insideCode(text: string): Destination | undefined {
  if (!text.startsWith('000201')) return undefined
  const { kind, key, url, merchantName } = readBrCode(text)
  const tradeName = merchantName?.trim() || null
  if (kind === 'static' && key !== null) return { key, keyType: typeInCode(key), tradeName }
  if (kind !== 'dynamic' || url === null) return undefined
  // What is behind a # does not reach the server.
  return { key: url.replace(/#.*$/, '').replace(/^[^/]*/, comparableHost), keyType: 'paymentCode', tradeName }
}

/** A host in one spelling: in lower case, without the dot of the root and the port that is meant anyway. */
function comparableHost(host: string): string {
  return host.toLowerCase().replace(/\.*(?::0*443)?$/, '')
}

/** A code that was paid before such keys were refused can hold one that is not valid; then nothing of it is shown where keys are masked. */
function typeInCode(key: string): KeyType {
  return valueOr('document', Malformed, () => directoryKeyType(key))
}

/** The address of a dynamic payment code, which is one charge, whatever amount is paid; null for every other destination. */
export function chargeAddress(key: string): string | null {
  const inside = insideCode(key)
  return inside?.keyType === 'paymentCode' ? inside.key : null
}

/**
 * The identity of a destination: the key as the directory has it, the same for a key in any spelling and for the static payment codes that contain it. A CPF
 * and a mobile number of the same digits differ there by `+55`. Of a dynamic code it is the address.
 */
export function comparableKey(sent: string, sentType: KeyType): string {
  const { key, keyType } = destinationOf(sent, sentType)
  return inDirectory(key, keyType)
}

/** The identities that a key can have if its type is not known: eleven digits may be a CPF or a mobile number. */
export function comparableKeysOf(typed: string): readonly string[] {
  const text = typed.trim()
  const inside = insideCode(text)
  if (inside !== undefined) return [inDirectory(inside.key, inside.keyType)]
  const formatted = readFormatted(text)
  if (formatted !== undefined) return [inDirectory(formatted.key, formatted.keyType)]
  const types = typesByForm(text)
  return (types.length === 0 ? [null] : types).map((keyType) => inDirectory(text, keyType))
}

/** A key as the directory has it: a mobile number with `+55`, a document without punctuation, letters of one case. */
function inDirectory(key: string, keyType: KeyType | null): string {
  if (keyType === 'paymentCode') return key
  if (keyType === 'phoneNumber') return key.startsWith('+55') ? key : `+55${key}`
  if (keyType === 'document') return key.replace(/[./-]/g, '').toUpperCase()
  return key.toLowerCase()
}

/** The same key in its other spellings. Of a static payment code it is the key in it; a dynamic one stays as it is. */
export function canonicalKey(sent: string, sentType: KeyType): string {
  const { key, keyType } = destinationOf(sent, sentType)
  return keyType === 'paymentCode' ? sent : inDirectory(key, keyType)
}

/** A destination as people write it: the key with the punctuation of a CPF, CNPJ or mobile number, `529.982.247-25`, `+55 (11) 98765-4321`. */
export function formatKey(sent: string, sentType: KeyType): string {
  const { key, keyType } = destinationOf(sent, sentType)
  if (keyType === 'document') return formatTaxDocument(key)
  return keyType === 'phoneNumber' ? formatMobile(key) : key
}

/** The same with the name in a payment code: `529.982.247-25 (BAR DO TESTE)`. */
export function destinationText(key: string, keyType: KeyType): string {
  const { tradeName } = destinationOf(key, keyType)
  return tradeName === null ? formatKey(key, keyType) : `${formatKey(key, keyType)} (${tradeName})`
}
