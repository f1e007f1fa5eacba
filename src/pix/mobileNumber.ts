import { t } from '../text/translate.ts'
import { Malformed } from './malformed.ts'

/** The 67 area codes in use, by ANATEL's numbering plan. */
const AREA_CODES: ReadonlySet<string> = new Set(
  (
    '11 12 13 14 15 16 17 18 19 21 22 24 27 28 31 32 33 34 35 37 38 41 42 43 44 45 46 47 48 49 51 53 54 55 ' +
    '61 62 63 64 65 66 67 68 69 71 73 74 75 77 79 81 82 83 84 85 86 87 88 89 91 92 93 94 95 96 97 98 99'
  ).split(' '),
)

const COUNTRY_CODE = '+55'

/**
 * A phone number with spaces, parentheses, dots or dashes, such as `(11) 98765-4321`. Its area code is separated, or the
 * last four digits are, so that it cannot be read as a CPF.
 */
const FORMATTED =
  /^(?:(?:\+55[ -]?)?(?:(?:\(\d{2}\) ?|\d{2}[ .-])\d[ .-]?\d{4}[ .-]?\d{4}|\d{7}-\d{4})|\+55[ -]\d{11})$/

/** True for 11 digits that are an area code in use, a 9 and 8 digits. */
export function isNationalMobile(text: string): boolean {
  return /^\d{2}9\d{8}$/.test(text) && hasAreaCode(text)
}

/** True if the first two digits are an area code in use. */
export function hasAreaCode(digits: string): boolean {
  return AREA_CODES.has(digits.slice(0, 2))
}

/** True for a Brazilian mobile number in plain digits, with or without `+55`. */
export function isMobile(text: string): boolean {
  return isNationalMobile(withoutCountryCode(text))
}

/** A number without the `+55` in front of it. */
export function withoutCountryCode(text: string): string {
  return text.startsWith(COUNTRY_CODE) ? text.slice(COUNTRY_CODE.length) : text
}

/**
 * The digits of a phone number that is typed with punctuation, and `+55` if it was typed; undefined for any other text.
 * Does not check whether the number can exist.
 */
export function plainPhone(text: string): string | undefined {
  return FORMATTED.test(text) ? text.replace(/[ ().-]/g, '') : undefined
}

/** A mobile number in plain digits with its punctuation, `(11) 98765-4321`, and `+55` if it has it; any other text unchanged. */
export function formatMobile(key: string): string {
  return key.replace(
    /^(\+55)?(\d{2})(\d{5})(\d{4})$/,
    (_, country: string | undefined, area: string, first: string, last: string) =>
      `${country === undefined ? '' : `${country} `}(${area}) ${first}-${last}`,
  )
}

/** Throws Malformed unless `key` is a mobile number in plain digits. `typed` is the spelling to show. */
export function assertMobile(key: string, typed: string): void {
  if (isMobile(key)) return
  const national = withoutCountryCode(key)
  if (/^\d{11}$/.test(national)) {
    if (hasAreaCode(national)) {
      throw new Malformed(
        t`\`${typed}\` is not a mobile number: there is no 9 after the area code`,
        t`Type the area code, a 9 and 8 digits, such as \`11987654321\``,
      )
    }
    throw new Malformed(
      t`\`${typed}\` is not a mobile number: ${national.slice(0, 2)} is not an area code`,
      t`Type the area code, a 9 and 8 digits, such as \`11987654321\``,
    )
  }
  const digits = key.replace(/[ ().-]/g, '')
  if (/^55\d{11}$/.test(digits) && isNationalMobile(digits.slice(2))) {
    throw new Malformed(t`\`${typed}\` has a country code without its \`+\``, t`Type \`+${digits}\``)
  }
  throw new Malformed(
    t`\`${typed}\` is not a Brazilian mobile number`,
    t`Type \`+55\`, the area code, a 9 and 8 digits, such as \`+5511987654321\``,
  )
}
