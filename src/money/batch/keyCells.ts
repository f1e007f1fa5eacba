import { Malformed } from '../../pix/malformed.ts'
import { checkKey, detectKeyType, KEY_TYPES, type KeyType } from '../../pix/pixKey.ts'
import { isCnpj, isCpf, parseTaxDocument } from '../../pix/taxDocument.ts'
import { t } from '../../text/words.ts'
import { checkSpaces } from './cellDamage.ts'

const CPF_DIGITS = 11
const CNPJ_DIGITS = 14

/** One of the service's types of keys. Throws Malformed for another word. */
export function readKeyType(text: string): KeyType {
  const keyType = KEY_TYPES.find((each) => each === text)
  if (keyType !== undefined) return keyType
  throw new Malformed(t`\`${text}\` is no type of key`, t`Write ${KEY_TYPES.join(', ')}, or leave the cell empty`)
}

/**
 * A PIX key and its type, told from its form where the row does not name one. Throws Malformed for what is none, for what
 * is ambiguous, and, with the likely cause, for digits that a spreadsheet took for a number.
 */
export function readKey(key: string, typed: KeyType | null): { key: string; keyType: KeyType } {
  checkSpaces(key)
  if (typed === null && isCpf(key) && isKeyOf(key, 'phoneNumber')) {
    throw new Malformed(
      t`\`${key}\` is both a CPF and a mobile number`,
      t`Write \`document\` or \`phoneNumber\` in the column \`typeKey\` of this row`,
    )
  }
  return explained(key, () => {
    if (typed === null) return { key, keyType: detectKeyType(key) }
    checkKey(key, typed)
    return { key, keyType: typed }
  })
}

/** The plain CPF or CNPJ that must own a key. Throws Malformed like {@link readKey}. */
export function readOwner(text: string): string {
  return explained(text, () => parseTaxDocument(text).document)
}

/** The same key in its other spellings: a phone number with `+55`, a document without punctuation, letters of one case. */
export function canonicalKey(key: string, keyType: KeyType): string {
  if (keyType === 'paymentCode') return key
  if (keyType === 'phoneNumber') return key.startsWith('+55') ? key : `+55${key}`
  if (keyType === 'document') return key.replace(/[./-]/g, '').toUpperCase()
  return key.toLowerCase()
}

/** What `read` gives; where it throws Malformed, the likelier cause of it. */
function explained<Value>(text: string, read: () => Value): Value {
  try {
    return read()
  } catch (error) {
    if (!(error instanceof Malformed)) throw error
    throw lostDigits(text) ?? error
  }
}

/**
 * What became of digits that a spreadsheet took for a number: zeros in front lost, a phone number without its `+`, decimals
 * added. Nothing is mended, because money must not follow a guess.
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
    t`A spreadsheet drops them from numbers: format the column as text and type it whole`,
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
