import { foldedText } from '../text/foldedText.ts'
import { t } from '../text/translate.ts'
import { Malformed } from './expectedError.ts'
import { type DeclaredKeyType, KEY_TYPES, keyTypeOf } from './pixKey.ts'

/** The words by which people, banks and the service call a type of key, without accents, in lower case. */
const WORDS: Readonly<Record<DeclaredKeyType, string>> = {
  cpf: 'cpf cpfs',
  cnpj: 'cnpj cnpjs',
  document: 'document documents documento documentos doc',
  phoneNumber: 'phonenumber phone mobile celular celulares cel telefone telefones tel fone whatsapp',
  email: 'email emails mail mails',
  randomKey: 'randomkey random aleatoria aleatorias aleatorio evp uuid',
  paymentCode: 'paymentcode payment code copia cola copiaecola qr qrcode brcode br codigo pagamento',
}

const TYPES: ReadonlyMap<string, DeclaredKeyType> = new Map(
  [...KEY_TYPES, 'cpf' as const, 'cnpj' as const].flatMap((type) =>
    WORDS[type].split(' ').map((word): [string, DeclaredKeyType] => [word, type]),
  ),
)

/** Words that say nothing about the type: `Chave aleatória`, `CPF ou CNPJ`, `E-mail`. */
const FILLERS = new Set('chave pix tipo key type number numero n de do da e ou or and'.split(' '))

/**
 * The type of a key that somebody names: `phoneNumber`, `Celular`, `CPF/CNPJ`, `EVP`, `Chave aleatória`. Throws Malformed for other words.
 */
export function readKeyTypeWord(text: string): DeclaredKeyType {
  const words = wordsOf(text).filter((word) => !FILLERS.has(word))
  const types = words.map((word) => TYPES.get(word))
  const keyType = types.includes(undefined) ? null : commonType(types.filter((type) => type !== undefined))
  if (keyType !== null) return keyType
  throw new Malformed(
    t`\`${text}\` is not a type of key`,
    t`Write CPF, CNPJ, Celular, E-mail, Aleatória or ${KEY_TYPES.join(', ')}; without a type it is detected`,
  )
}

/** The type that the header of a column names for all its keys; null if it names none, or several that differ. A column of codes can have keys, too. */
export function keyTypeOfHeader(name: string): DeclaredKeyType | null {
  const types = wordsOf(name).flatMap((word) => TYPES.get(word) ?? [])
  return commonType(types.filter((type) => type !== 'paymentCode'))
}

function wordsOf(text: string): string[] {
  return foldedText(text).match(/[a-z0-9]+/g) ?? []
}

/** The type that words name together: a CPF and a CNPJ are both documents. */
function commonType(types: readonly DeclaredKeyType[]): DeclaredKeyType | null {
  const [first] = types
  if (first === undefined) return null
  if (types.every((type) => type === first)) return first
  return types.every((type) => keyTypeOf(type) === keyTypeOf(first)) ? keyTypeOf(first) : null
}
