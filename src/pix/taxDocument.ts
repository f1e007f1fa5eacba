import { t } from '../text/translate.ts'
import { Malformed } from './expectedError.ts'

const FORMATTED_CPF = /^\d{3}\.?\d{3}\.?\d{3}-\d{2}$/
const FORMATTED_CNPJ = /^[0-9A-Z]{2}\.?[0-9A-Z]{3}\.?[0-9A-Z]{3}(?:\/[0-9A-Z]{4}-?|[0-9A-Z]{4}-)\d{2}$/i

/**
 * Removes the punctuation from a formatted CPF or CNPJ such as `529.982.247-25`; undefined for any other text. The
 * check digits are not checked, and letters keep their case.
 */
export function plainTaxDocument(text: string): string | undefined {
  if (!FORMATTED_CPF.test(text) && !FORMATTED_CNPJ.test(text)) return undefined
  return text.replace(/[./-]/g, '')
}

/** A tax document as it is compared with others: without spaces and punctuation, letters in upper case. Nothing else of it is checked. */
export function comparableTaxDocument(text: string): string {
  return text.replace(/[./\s-]/g, '').toUpperCase()
}

/** A tax document without its punctuation, letters in upper case. */
export function unformattedTaxId(text: string): string {
  // Letter by letter, because some letters outside ASCII have an upper case inside it.
  return text.replace(/[./-]/g, '').replace(/[a-z]/g, (letter) => letter.toUpperCase())
}

/** True for the 11 plain digits of a CPF with correct mod-11 check digits, unless all digits are equal. */
export function isCpf(text: string): boolean {
  if (!/^\d{11}$/.test(text) || allEqual(text)) return false
  return checkDigits(text.slice(0, 9), 11) === text.slice(9)
}

/**
 * True for the 14 plain characters of a CNPJ, the alphanumeric one included: 12 of `0-9A-Z` and two check digits.
 * The rule of the tax authority: a character's value is its ASCII code minus 48, the weights are 2 to 9 from the right.
 */
export function isCnpj(text: string): boolean {
  if (!/^[0-9A-Z]{12}\d{2}$/.test(text) || allEqual(text)) return false
  return checkDigits(text.slice(0, 12), 9) === text.slice(12)
}

/** True for a plain CNPJ with letters, which exist since July 2026. */
export function isAlphanumericCnpj(text: string): boolean {
  return isCnpj(text) && /[A-Z]/.test(text)
}

/** True for a plain CPF or CNPJ, as {@link isCpf} and {@link isCnpj} judge them. */
export function isTaxDocument(text: string): boolean {
  return isCpf(text) || isCnpj(text)
}

/**
 * A CPF or CNPJ as people write it, in plain characters: outer spaces, `.`, `/` and `-` are removed, letters become upper case.
 * Throws Malformed if it is none.
 */
export function parseTaxDocument(text: string): string {
  const typed = text.trim()
  const plain = unformattedTaxId(typed)
  if (isTaxDocument(plain)) return plain
  throw malformedTaxDocument(typed, plain)
}

/** Why a text, whose characters without punctuation are `plain`, is neither a CPF nor a CNPJ. */
export function malformedTaxDocument(typed: string, plain: string): Malformed {
  if (/^\d{11}$/.test(plain)) {
    return new Malformed(t`\`${typed}\` is not a CPF: its check digits are wrong`, t`Check the 11 digits`)
  }
  if (/^[0-9a-z]{12}\d{2}$/i.test(plain)) {
    return new Malformed(t`\`${typed}\` is not a CNPJ: its check digits are wrong`, t`Check the 14 characters`)
  }
  return new Malformed(
    t`\`${typed}\` is neither a CPF nor a CNPJ`,
    t`Type the 11 digits of a CPF or the 14 characters of a CNPJ, leading zeros included`,
  )
}

/** A plain CPF or CNPJ with its punctuation, `529.982.247-25` or `11.222.333/0001-81`; any other text unchanged. */
export function formatTaxDocument(text: string): string {
  if (/^\d{11}$/.test(text)) return text.replace(/^(...)(...)(...)(..)$/, '$1.$2.$3-$4')
  if (/^[0-9A-Z]{12}\d{2}$/.test(text)) return text.replace(/^(..)(...)(...)(....)(..)$/, '$1.$2.$3/$4-$5')
  return text
}

/**
 * Masks the ends of a tax document: `***.456.789-**` or `**.222.333/0001-**`. Text that is already masked is unchanged;
 * anything else becomes `***`.
 */
export function maskTaxDocument(text: string): string {
  const bare = text.replace(/[^0-9A-Za-z]/g, '')
  // Our mask of a CNPJ shows ten characters, so text with a star and more than ten was not masked by us.
  if (text.includes('*') && bare.length <= 10) return text
  if (/^\d{11}$/.test(bare)) return `***.${bare.slice(3, 6)}.${bare.slice(6, 9)}-**`
  if (bare.length === 14) return `**.${bare.slice(2, 5)}.${bare.slice(5, 8)}/${bare.slice(8, 12)}-**`
  return '***'
}

/** Computes two check digits. Weights rise from 2 at the right end to `weightMax`, then start again. */
function checkDigits(base: string, weightMax: number): string {
  const first = checkDigit(base, weightMax)
  return first + checkDigit(base + first, weightMax)
}

function checkDigit(text: string, weightMax: number): string {
  let sum = 0
  let weight = 2
  for (let index = text.length - 1; index >= 0; index -= 1) {
    sum += (text.charCodeAt(index) - 48) * weight
    weight = weight === weightMax ? 2 : weight + 1
  }
  const remainder = sum % 11
  return String(remainder < 2 ? 0 : 11 - remainder)
}

function allEqual(text: string): boolean {
  return text === text.charAt(0).repeat(text.length)
}
