/** Text may be escaped repeatedly. This bound covers realistic cases and keeps the search fast. */
const BACKSLASHES_MAX = 8
/** How many bytes of a Base64 group of three may precede the text. */
const OFFSETS = [0, 1, 2] as const

/**
 * The source of a case-insensitive pattern that finds a visible ASCII text in other text: plain, escaped for JSON, CSV, HTML
 * or URLs (some or all characters, once or repeatedly), in hex, and in Base64 or base64url at any offset.
 */
export function encodedFormsPattern(text: string): string {
  const hex = Buffer.from(text).toString('hex')
  return [escaped(text), hex, ...OFFSETS.map((offset) => base64At(text, offset))].join('|')
}

function escaped(text: string): string {
  // Adjacent backslashes count as one, because it is unknown how often each was doubled.
  return Array.from(text.replace(/\\+/g, '\\'), (character) => formsOf(character)).join('')
}

/**
 * Lower-case fragments of the encoded forms. Text that has no escapes and, in lower case, none of these fragments contains
 * no encoded form. Checking that is much faster than building the pattern.
 */
export function fragmentsOf(text: string): string[] {
  const encoded = OFFSETS.map((offset) => ownBase64(text, offset))
  return [text, Buffer.from(text).toString('hex'), ...encoded].map(longestWord)
}

/** True if letters and digits in the text may be escaped, which needs a percent sign or a backslash. */
export function isEscaped(text: string): boolean {
  return text.includes('%') || text.includes('\\')
}

function longestWord(text: string): string {
  const words = text.toLowerCase().match(/[a-z0-9]+/g) ?? []
  return words.reduce((longest, word) => (word.length > longest.length ? word : longest), '')
}

/** A pattern for all encoded forms of one character. */
function formsOf(character: string): string {
  const point = character.codePointAt(0) ?? 0
  if (point > 0x7e) return character
  const hex = point.toString(16).padStart(2, '0')
  const inUrlOrJson = [`%(?:25){0,3}${hex}`, `\\\\{1,${BACKSLASHES_MAX}}u00${hex}`]
  if (/[a-z0-9]/i.test(character)) return group([character, ...inUrlOrJson])
  const inHtml = [`&(?:amp;)?#(?:x0{0,4}${hex}|0{0,4}${point});`, ...(NAMED.get(character) ?? [])]
  const forms = group([...inUrlOrJson, ...inHtml, plainForm(character)])
  return character === '\\' ? `${forms}{1,${2 * BACKSLASHES_MAX}}` : forms
}

const NAMED: ReadonlyMap<string, readonly string[]> = new Map([
  ['&', ['&amp;']],
  ['<', ['&(?:amp;)?lt;']],
  ['>', ['&(?:amp;)?gt;']],
  ['"', ['&(?:amp;)?quot;']],
  ["'", ['&(?:amp;)?apos;']],
])

function plainForm(character: string): string {
  if (character === ' ') return '[ +]'
  if (character === '\\') return '\\\\'
  const own = `\\x${character.charCodeAt(0).toString(16).padStart(2, '0')}`
  return `\\\\{0,${BACKSLASHES_MAX}}${own}${character === '"' ? '{1,2}' : ''}`
}

/** A pattern for the text in Base64 after `offset` other bytes, with optional padding at the end. */
function base64At(text: string, offset: number): string {
  const end = (Buffer.byteLength(text) + offset) % 3 === 0 ? '' : '(?:[\\w+/-]?(?:=|%3d){1,2})?'
  return Array.from(ownBase64(text, offset), base64Forms).join('') + end
}

/** The Base64 characters that depend only on the text if it follows `offset` other bytes. */
function ownBase64(text: string, offset: number): string {
  const bytes = Buffer.concat([Buffer.alloc(offset), Buffer.from(text)])
  return bytes.toString('base64').slice(Math.ceil((offset * 8) / 6), Math.floor((bytes.length * 8) / 6))
}

function base64Forms(character: string): string {
  if (character === '+') return group([formsOf('+'), '-'])
  if (character === '/') return group([formsOf('/'), '_'])
  return character
}

function group(forms: readonly string[]): string {
  return `(?:${forms.join('|')})`
}
