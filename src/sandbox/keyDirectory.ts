import { destinationOf } from '../pix/destination.ts'
import { SANDBOX_NAME } from '../pix/payeeName.ts'
import type { KeyType } from '../pix/pixKey.ts'
import { unformattedTaxId } from '../pix/taxDocument.ts'
import { CASH_OUT_CODES } from './faultKinds.ts'

/** Who owns a PIX key. `taxId` is a plain CPF or CNPJ. */
interface KeyHolder {
  readonly name: string
  readonly taxId: string
  readonly bank: string
}

const BANK = 'BANCO SANDBOX S.A.'
/** Owns every key that is not a document. */
export const PERSON: KeyHolder = { name: `${SANDBOX_NAME}Recebedor`, taxId: '52998224725', bank: BANK }
/** Owns the keys that show what another name than that in a file looks like. */
const OTHER_PERSON: KeyHolder = { ...PERSON, name: 'FULANO DE TAL' }

/** The codes by the keys that make a transfer fail with them. */
export const FAILING_KEYS: ReadonlyMap<string, string> = new Map(
  [...CASH_OUT_CODES, 'CANCELED', 'RETURNED'].map((code) => [
    `${code.toLowerCase().replaceAll('_', '-')}@fail.pixgate.example`,
    code,
  ]),
)

/**
 * The sandbox's directory of PIX keys, without a list. Not found (null) is an e-mail address with `notfound` or
 * `not-found` in it, a phone number that ends in 00000404, the CPF 00000040495 and the random key
 * 00000000-0000-4000-8000-000000000404. Documents own their keys; every other key belongs to the CPF 52998224725, which has the name of another
 * person for an e-mail address that begins with `othername`. A static
 * payment code is looked up by the key in it, a dynamic one always exists.
 */
export function findKeyHolder(key: string, typeKey: KeyType): KeyHolder | null {
  switch (typeKey) {
    case 'document':
      return holderOfDocument(unformattedTaxId(key))
    case 'phoneNumber':
      return key.endsWith('00000404') ? null : PERSON
    case 'email':
      if (/not-?found/i.test(key) && transferFailureOf(key) === undefined) return null
      return /^othername/i.test(key) ? OTHER_PERSON : PERSON
    case 'randomKey':
      return key.toLowerCase() === '00000000-0000-4000-8000-000000000404' ? null : PERSON
    case 'paymentCode':
      return holderOfCode(key)
  }
}

/** True for a key to which every transfer is refused with `NO_FUNDS`: an e-mail address that begins with `nofunds`. */
export function isBeyondFunds(key: string): boolean {
  return /^nofunds/i.test(key)
}

/**
 * The code with which a transfer to this key fails after it was accepted; undefined for a key that is paid. Such a key is
 * a cash-out code, `CANCELED` or `RETURNED` in lower case at `fail.pixgate.example`: `no-funds@fail.pixgate.example`.
 */
export function transferFailureOf(key: string): string | undefined {
  return FAILING_KEYS.get(key.toLowerCase())
}

/** True for an address of the failing host that names no failure: a test of it would pass for the wrong reason. */
export function isMistypedFailure(key: string): boolean {
  return key.toLowerCase().endsWith('@fail.pixgate.example') && transferFailureOf(key) === undefined
}

function holderOfDocument(taxId: string): KeyHolder | null {
  if (taxId === '00000040495') return null
  return { name: taxId.length === 11 ? PERSON.name : `${SANDBOX_NAME}Empresa LTDA`, taxId, bank: BANK }
}

function holderOfCode(code: string): KeyHolder | null {
  const { key, keyType } = destinationOf(code, 'paymentCode')
  return keyType === 'paymentCode' ? PERSON : findKeyHolder(key, keyType)
}
