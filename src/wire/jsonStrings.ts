/** How a serialiser writes a string: which characters it escapes, and how. */
export interface StringStyle {
  /** Matches every UTF-16 unit or text that is escaped. */
  pattern: RegExp
  /** Escapes that are not `\uXXXX`. */
  short: Readonly<Record<string, string>>
  upperCase: boolean
}

const QUOTES = { '"': '\\"', '\\': '\\\\' }
const SHORT = { ...QUOTES, '\b': '\\b', '\f': '\\f', '\n': '\\n', '\r': '\\r', '\t': '\\t' }
const SHORT_AND_SLASH = { ...SHORT, '/': '\\/' }
/** An unpaired surrogate, which UTF-8 cannot represent. */
const LONE = '[\\ud800-\\udbff](?![\\udc00-\\udfff])|(?<![\\ud800-\\udbff])[\\udc00-\\udfff]'
const MUST = '"\\\\\\u0000-\\u001f'
const LINES = '\\u2028\\u2029'
const NOT_ASCII = '\\u0080-\\uffff'

function style(characters: string, short: Readonly<Record<string, string>> = SHORT, upperCase = false): StringStyle {
  return { pattern: new RegExp(`[${MUST}${characters}]|${LONE}`, 'g'), short, upperCase }
}

export const JAVASCRIPT_STRINGS = style('')
export const PYTHON_ASCII = style(`\\u007f${NOT_ASCII}`)
/** PHP's `json_encode` without flags. */
export const PHP_STRINGS = style(`/${NOT_ASCII}`, SHORT_AND_SLASH)
export const PHP_UNESCAPED_SLASHES = style(NOT_ASCII)
export const PHP_UNESCAPED_UNICODE = style(`/${LINES}`, SHORT_AND_SLASH)
export const PHP_UNESCAPED_BOTH = style(LINES)
/** PHP's flags for HTML, which the responses of Symfony and Laravel set. */
export const PHP_FOR_HTML = style(`/<>&'${NOT_ASCII}`, {
  ...SHORT_AND_SLASH,
  '<': '\\u003C',
  '>': '\\u003E',
  '&': '\\u0026',
  "'": '\\u0027',
  '"': '\\u0022',
})
export const GO_STRINGS = style(`<>&${LINES}`)
/** Before Go 1.22, `\b` and `\f` had no short form. */
export const OLD_GO_STRINGS = style(`<>&${LINES}`, { ...QUOTES, '\n': '\\n', '\r': '\\r', '\t': '\\t' })
export const GSON_STRINGS = style(`<>&='${LINES}`)
export const JACKSON_STRINGS = style('', SHORT, true)
export const JACKSON_ASCII = style(NOT_ASCII, SHORT, true)
/** `org.json` of Java escapes a slash only if it would end an HTML tag. */
export const ORG_JSON_STRINGS: StringStyle = {
  pattern: new RegExp(`[${MUST}\\u0080-\\u009f\\u2000-\\u20ff]|<\\/|${LONE}`, 'g'),
  short: { ...SHORT, '</': '<\\/' },
  upperCase: false,
}
export const DOTNET_STRINGS = style(`&'+<>\`\\u007f${NOT_ASCII}`, { ...SHORT, '"': '\\u0022' }, true)
/** `UnsafeRelaxedJsonEscaping`, which still escapes characters outside the Basic Multilingual Plane. */
export const DOTNET_RELAXED = style(`\\u007f-\\u009f${LINES}\\ud800-\\udfff`, SHORT, true)
export const NEWTONSOFT_STRINGS = style(`\\u0085${LINES}`)

/** Writes a JSON string, with quotes, in this style. */
export function writeString(text: string, { pattern, short, upperCase }: StringStyle): string {
  return `"${text.replace(pattern, (found) => short[found] ?? unicodeEscape(found, upperCase))}"`
}

function unicodeEscape(unit: string, upperCase: boolean): string {
  const hex = unit.charCodeAt(0).toString(16).padStart(4, '0')
  return `\\u${upperCase ? hex.toUpperCase() : hex}`
}
