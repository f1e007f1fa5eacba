import { Malformed } from '../../pix/malformed.ts'
import { AmbiguousKey, checkKey, type DeclaredKeyType, type KeyType, readPixKey } from '../../pix/pixKey.ts'
import { isCnpj, isCpf, parseTaxDocument } from '../../pix/taxDocument.ts'
import { t } from '../../text/words.ts'
import { checkSpaces } from './rowCells.ts'

const CPF_DIGITS = 11
const CNPJ_DIGITS = 14

/**
 * Reads a PIX key of a row. Without a declared type its form decides. Throws Malformed for text that is not a key, for 11
 * bare digits that may be a phone number or may not, and, with the likely cause, for digits that a spreadsheet took for a
 * number.
 */
export function readKey(text: string, declared: DeclaredKeyType | null): { key: string; keyType: KeyType } {
  checkSpaces(text)
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
  return t`Write \`CPF\` or \`Celular\` in the column \`typeKey\` of this row; a key column named \`Celular\`, with \`--map key=Celular\`, says it for all its rows`
}

/** The plain CPF or CNPJ that must own a key. Throws Malformed like {@link readKey}. */
export function readOwner(text: string): string {
  try {
    return parseTaxDocument(text).document
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
 * What became of digits that a spreadsheet took for a number: zeros in front lost, a phone number without its `+`, decimals
 * added. Nothing is repaired, because money must not follow a guess.
 */
function lostDigits(text: string): Malformed | undefined {
  const whole = /^(\d+)[.,]0+$/.exec(text)?.[1]
  if (whole !== undefined) {
    return new Malformed(t`\`${text}\` was made a number`, t`Format the column as text and type \`${whole}\``)
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
    t`\`${text}\` may be ${likely.join(t` or `)}`,
    t`Format the column as text and type it whole: a spreadsheet drops them from numbers`,
  )
}

function isKeyOf(key: string, keyType: KeyType): boolean {
  try {
    checkKey(key, keyType)
    return true
  } catch (error) {
    if (error instanceof Malformed) return false
    throw error
  }
}
