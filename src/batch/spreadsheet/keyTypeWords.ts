import { Malformed } from '../../pix/malformed.ts'
import { type DeclaredKeyType, KEY_TYPES, keyTypeOf } from '../../pix/pixKey.ts'
import { t } from '../../text/words.ts'

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
  const keyType = WORDS.get(folded(text))
  if (keyType !== undefined) return keyType
  throw new Malformed(
    t`\`${text}\` is not a type of key`,
    t`Write CPF, CNPJ, Celular, E-mail, Aleatória, ${KEY_TYPES.join(', ')}, or leave the cell empty`,
  )
}

/** The type that the header of a column names for all its keys; null if it names none, or several that differ. */
export function keyTypeOfHeader(name: string): DeclaredKeyType | null {
  const text = folded(name)
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

function folded(text: string): string {
  return text
    .normalize('NFD')
    .replace(/\p{M}/gu, '')
    .toLowerCase()
    .replace(/[_\s]+/g, ' ')
    .replace(/ ?\/ ?/g, '/')
    .trim()
}
