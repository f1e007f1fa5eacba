/** Escaping may be done again to what is escaped already; deeper than this nobody does it, and no search takes long. */
const BACKSLASHES_MAX = 8
/** How many bytes of a group of three may stand before a text in Base64. */
const OFFSETS = [0, 1, 2] as const

/**
 * The source of a pattern, to be used without regard to case, that finds a text of visible ASCII in other text: plain, as
 * JSON, CSV, HTML and URLs escape it (all or some of its characters, once or again), in hex, and in Base64 and base64url
 * wherever in the encoded bytes it begins.
 */
export function disguises(text: string): string {
  const hex = Buffer.from(text).toString('hex')
  return [escaped(text), hex, ...OFFSETS.map((offset) => base64At(text, offset))].join('|')
}

function escaped(text: string): string {
  // Backslashes side by side count as one, because nobody knows how often each was doubled.
  return Array.from(text.replace(/\\+/g, '\\'), (character) => formsOf(character)).join('')
}

/**
 * Lower-case pieces of the disguises. Text that is neither escaped as URLs or JSON are, nor has one of these in it in lower
 * case, has none of the disguises: to see that takes far less time than to make the pattern.
 */
export function tracesOf(text: string): string[] {
  const encoded = OFFSETS.map((offset) => ownBase64(text, offset))
  return [text, Buffer.from(text).toString('hex'), ...encoded].map(longestWord)
}

/** Letters and digits have no other form than themselves, but for escapes that begin with a percent sign or a backslash. */
export function isEscaped(text: string): boolean {
  return text.includes('%') || text.includes('\\')
}

function longestWord(text: string): string {
  const words = text.toLowerCase().match(/[a-z0-9]+/g) ?? []
  return words.reduce((longest, word) => (word.length > longest.length ? word : longest), '')
}

/** All that one character may have become. */
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

/** The text in Base64 where this many other bytes stand before it, with the padding where it ends there. */
function base64At(text: string, offset: number): string {
  const end = (Buffer.byteLength(text) + offset) % 3 === 0 ? '' : '(?:[\\w+/-]?(?:=|%3d){1,2})?'
  return Array.from(ownBase64(text, offset), base64Forms).join('') + end
}

/** The characters of Base64 that depend on the text alone, when this many other bytes stand before it. */
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
