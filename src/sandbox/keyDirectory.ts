import { readBrCode } from '../pix/brCode.ts'
import { Malformed } from '../pix/malformed.ts'
import { type KeyType, readPixKey } from '../pix/pixKey.ts'

/** Who owns a PIX key. `taxId` is a plain CPF or CNPJ. */
export interface KeyHolder {
  readonly name: string
  readonly taxId: string
  readonly bank: string
}

const BANK = 'BANCO SANDBOX S.A.'
/** Owns every key that is no document. */
export const PERSON: KeyHolder = { name: 'FULANO DE TAL', taxId: '52998224725', bank: BANK }

/**
 * The sandbox's directory of PIX keys, without a list. Not found (null) is an e-mail address with `notfound` or
 * `not-found` in it, a phone number that ends in 00000404, the CPF 00000040495 and the random key
 * 00000000-0000-4000-8000-000000000404. A document owns itself; every other key belongs to the CPF 52998224725. A static
 * payment code is looked up by the key in it, a dynamic one always exists.
 */
export function findKeyHolder(key: string, typeKey: KeyType): KeyHolder | null {
  switch (typeKey) {
    case 'document':
      return holderOfDocument(plainDocument(key))
    case 'phoneNumber':
      return key.endsWith('00000404') ? null : PERSON
    case 'email':
      return /not-?found/i.test(key) ? null : PERSON
    case 'randomKey':
      return key.toLowerCase() === '00000000-0000-4000-8000-000000000404' ? null : PERSON
    case 'paymentCode':
      return holderOfCode(key)
  }
}

/** A tax document without its punctuation, letters in upper case. */
export function plainDocument(text: string): string {
  // Letter by letter, because some letters outside ASCII have an upper case inside it.
  return text.replace(/[./-]/g, '').replace(/[a-z]/g, (letter) => letter.toUpperCase())
}

function holderOfDocument(taxId: string): KeyHolder | null {
  if (taxId === '00000040495') return null
  return { name: taxId.length === 11 ? PERSON.name : 'EMPRESA EXEMPLO LTDA', taxId, bank: BANK }
}

function holderOfCode(code: string): KeyHolder | null {
  const { key: keyInCode } = readBrCode(code)
  if (keyInCode === null) return PERSON
  try {
    const { key, keyType } = readPixKey(keyInCode)
    return findKeyHolder(key, keyType)
  } catch (error) {
    // A code may carry a key that is ambiguous or of no known form; to the directory it is then just a key.
    if (error instanceof Malformed) return PERSON
    throw error
  }
}
