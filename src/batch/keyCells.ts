import { Malformed } from '../pix/malformed.ts'
import {
  AmbiguousKey,
  assertPixKey,
  type DeclaredKeyType,
  KEY_TYPES,
  type KeyType,
  keyTypeOf,
  readPixKey,
} from '../pix/pixKey.ts'
import { isCnpj, isCpf, parseTaxDocument } from '../pix/taxDocument.ts'
import { assertOrdinarySpaces } from '../spreadsheet/rowCells.ts'
import { foldedText } from '../text/foldedText.ts'
import { currentLanguage, t } from '../text/translate.ts'

const CPF_DIGITS = 11
const CNPJ_DIGITS = 14

/**
 * Reads a PIX key of a row. Without a declared type its form decides. Throws Malformed for text that is not a key, for 11
 * bare digits that may be a phone number or may not, and, with the likely cause, for digits that a spreadsheet took for a
 * number.
 */
export function readKey(text: string, declared: DeclaredKeyType | null): { key: string; keyType: KeyType } {
  assertOrdinarySpaces(text)
  try {
    const { key, keyType, isGuessedPhone } = readPixKey(text, declared ?? undefined)
    if (isGuessedPhone) throw undeclaredPhone(key)
    return { key, keyType }
  } catch (error) {
    if (!(error instanceof Malformed)) throw error
    if (error instanceof AmbiguousKey) throw new Malformed(error.message, typeHint())
    throw lostDigits(text) ?? error
  }
}

function undeclaredPhone(key: string): AmbiguousKey {
  return new AmbiguousKey(
    t`\`${key}\` looks like a mobile number, but the file does not say that it is one`,
    typeHint(),
  )
}

function typeHint(): string {
  return t`Write \`CPF\` or \`Celular\` in the column \`typeKey\` of this row, or, if all rows are mobile numbers, rename the key column to \`Celular\` and add \`--map key=Celular\``
}

/** The plain CPF or CNPJ that must own a key. Throws Malformed like {@link readKey}. */
export function readOwner(text: string): string {
  try {
    return parseTaxDocument(text).plain
  } catch (error) {
    if (!(error instanceof Malformed)) throw error
    throw lostDigits(text) ?? error
  }
}

/** The same key in its other spellings: a phone number with `+55`, a document without punctuation, letters of one case. */
export function canonicalKey(key: string, keyType: KeyType): string {
  if (keyType === 'paymentCode') return key
  if (keyType === 'phoneNumber') return key.startsWith('+55') ? key : `+55${key}`
  if (keyType === 'document') return key.replace(/[./-]/g, '').toUpperCase()
  return key.toLowerCase()
}

/**
 * Detects digits that a spreadsheet converted to a number: leading zeros lost, a phone number without its `+`, decimals
 * added. Nothing is repaired, because money must not be sent on a guess.
 */
function lostDigits(text: string): Malformed | undefined {
  const whole = /^(\d+)[.,]0+$/.exec(text)?.[1]
  if (whole !== undefined) {
    return new Malformed(t`\`${text}\` was converted to a number`, t`Format the column as text and type \`${whole}\``)
  }
  if (!/^\d{3,13}$/.test(text)) return undefined
  const cpf = text.padStart(CPF_DIGITS, '0')
  const cnpj = text.padStart(CNPJ_DIGITS, '0')
  const likely = [
    ...(text.length < CPF_DIGITS && isCpf(cpf) ? [t`the CPF \`${cpf}\` without its leading zeros`] : []),
    ...(isCnpj(cnpj) ? [t`the CNPJ \`${cnpj}\` without its leading zeros`] : []),
    ...(isKeyOf(`+${text}`, 'phoneNumber') ? [t`the mobile number \`+${text}\` without its \`+\``] : []),
  ]
  if (likely.length === 0) return undefined
  return new Malformed(
    t`\`${text}\` may be ${alternatives(likely)}`,
    t`Format the column as text and type the whole value: spreadsheets drop these characters from numbers`,
  )
}

/** `a or b` in the language of the texts. */
function alternatives(words: readonly string[]): string {
  return new Intl.ListFormat(currentLanguage(), { type: 'disjunction' }).format(words)
}

function isKeyOf(key: string, keyType: KeyType): boolean {
  try {
    assertPixKey(key, keyType)
    return true
  } catch (error) {
    if (error instanceof Malformed) return false
    throw error
  }
}

/** What people write in a column of key types, without accents, in lower case. */
const WORDS: ReadonlyMap<string, DeclaredKeyType> = new Map([
  ...KEY_TYPES.map((keyType): [string, DeclaredKeyType] => [keyType.toLowerCase(), keyType]),
  ['cpf', 'cpf'],
  ['cnpj', 'cnpj'],
  ['cpf/cnpj', 'document'],
  ['documento', 'document'],
  ['celular', 'phoneNumber'],
  ['telefone', 'phoneNumber'],
  ['e-mail', 'email'],
  ['aleatoria', 'randomKey'],
  ['chave aleatoria', 'randomKey'],
])

/** What a header says of the keys under it. */
const HEADER_WORDS: readonly (readonly [pattern: RegExp, keyType: DeclaredKeyType])[] = [
  [/\bcpf\b/, 'cpf'],
  [/\bcnpj\b/, 'cnpj'],
  [/\bdocument(?:o|os)?\b/, 'document'],
  [/\b(?:celular|telefone)(?:es|s)?\b|\bphone ?number\b/, 'phoneNumber'],
  [/\be-?mails?\b/, 'email'],
  [/\baleatorias?\b|\brandom ?key\b/, 'randomKey'],
]

/**
 * The type of a key that a cell names, as the service or a Brazilian spreadsheet calls it: `phoneNumber`, `Celular`,
 * `CPF`. Throws Malformed for another word.
 */
export function readKeyTypeWord(text: string): DeclaredKeyType {
  const keyType = WORDS.get(foldedText(text))
  if (keyType !== undefined) return keyType
  throw new Malformed(
    t`\`${text}\` is not a type of key`,
    t`Write CPF, CNPJ, Celular, E-mail, Aleatória, ${KEY_TYPES.join(', ')}, or leave the cell empty`,
  )
}

/** The type that the header of a column names for all its keys; null if it names none, or several that differ. */
export function keyTypeOfHeader(name: string): DeclaredKeyType | null {
  const text = foldedText(name)
  const named = HEADER_WORDS.filter(([pattern]) => pattern.test(text)).map(([, keyType]) => keyType)
  const [first] = named
  if (first === undefined) return null
  if (named.length === 1) return first
  return named.every((each) => keyTypeOf(each) === keyTypeOf(first)) ? keyTypeOf(first) : null
}

/** The narrower of two declared types of one key; null if no key can be both. */
export function narrowerType(one: DeclaredKeyType, other: DeclaredKeyType): DeclaredKeyType | null {
  if (one === other || keyTypeOf(one) === other) return one
  return one === keyTypeOf(other) ? other : null
}
