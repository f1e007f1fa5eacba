import { t } from '../text/words.ts'
import { Malformed } from './malformed.ts'

/** A tax document by its kind; `document` is the plain text without punctuation, letters in upper case. */
export interface TaxDocument {
  kind: 'cpf' | 'cnpj'
  document: string
}

const FORMATTED_CPF = /^\d{3}\.?\d{3}\.?\d{3}-\d{2}$/
const FORMATTED_CNPJ = /^[0-9A-Z]{2}\.?[0-9A-Z]{3}\.?[0-9A-Z]{3}(?:\/[0-9A-Z]{4}-?|[0-9A-Z]{4}-)\d{2}$/i

/**
 * A CPF or CNPJ that is typed with punctuation, such as `529.982.247-25`, without it; undefined for any other text. The
 * check digits are not checked, and letters keep their case.
 */
export function plainTaxDocument(text: string): string | undefined {
  if (!FORMATTED_CPF.test(text) && !FORMATTED_CNPJ.test(text)) return undefined
  return text.replace(/[./-]/g, '')
}

/** True for the 11 plain digits of a CPF whose two mod-11 check digits are right and which are not all equal. */
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

/** True for a plain CPF or CNPJ, as {@link isCpf} and {@link isCnpj} judge them. */
export function isTaxDocument(text: string): boolean {
  return isCpf(text) || isCnpj(text)
}

/**
 * A CPF or CNPJ as people write it: outer space, `.`, `/` and `-` are dropped, letters become upper case.
 * Throws Malformed when what is left is neither, by length or by check digits.
 */
export function parseTaxDocument(text: string): TaxDocument {
  const typed = text.trim()
  const bare = typed.replace(/[./-]/g, '')
  // Upper-casing only after this look: some letters outside ASCII turn into ASCII ones.
  if (!/^[0-9A-Za-z]*$/.test(bare)) {
    throw new Malformed(
      t`\`${typed}\` holds characters that no CPF or CNPJ has`,
      t`Type only digits and letters; \`.\`, \`/\` and \`-\` may stand between them`,
    )
  }
  const document = bare.toUpperCase()
  if (isCpf(document)) return { kind: 'cpf', document }
  if (isCnpj(document)) return { kind: 'cnpj', document }
  if (/^\d{11}$/.test(document)) {
    throw new Malformed(t`\`${typed}\` is no CPF: its check digits are wrong`, t`Check the 11 digits`)
  }
  if (document.length === 14) {
    throw new Malformed(t`\`${typed}\` is no CNPJ: its check digits are wrong`, t`Check the 14 characters`)
  }
  throw new Malformed(
    t`\`${typed}\` is neither a CPF nor a CNPJ`,
    t`Type the 11 digits of a CPF or the 14 characters of a CNPJ; leading zeros count`,
  )
}

/**
 * A tax document with its ends hidden: `***.456.789-**` or `**.222.333/0001-**`. Text that came masked stays as it is;
 * anything else becomes `***`.
 */
export function maskTaxDocument(text: string): string {
  const bare = text.replace(/[^0-9A-Za-z]/g, '')
  // Our own mask of a CNPJ shows ten characters; a text with a star that shows more was not masked.
  if (text.includes('*') && bare.length <= 10) return text
  if (/^\d{11}$/.test(bare)) return `***.${bare.slice(3, 6)}.${bare.slice(6, 9)}-**`
  if (bare.length === 14) return `**.${bare.slice(2, 5)}.${bare.slice(5, 8)}/${bare.slice(8, 12)}-**`
  return '***'
}

/** Two check digits; weights rise from 2 at the right end up to `weightMax`, then begin again. */
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
