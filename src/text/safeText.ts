/** Ranges of code points that a terminal or a reader could be deceived by, as [first, last]. */
const DANGEROUS: readonly (readonly [number, number])[] = [
  [0x00, 0x1f],
  [0x7f, 0x9f],
  [0xad, 0xad],
  [0x34f, 0x34f],
  [0x61c, 0x61c],
  [0x115f, 0x1160],
  [0x17b4, 0x17b5],
  [0x180b, 0x180f],
  [0x200b, 0x200f],
  [0x2028, 0x202e],
  [0x2060, 0x206f],
  [0x3164, 0x3164],
  [0xd800, 0xdfff],
  [0xfe00, 0xfe0f],
  [0xfeff, 0xfeff],
  [0xffa0, 0xffa0],
  [0xfff0, 0xfffb],
  [0x1bca0, 0x1bca3],
  [0x1d173, 0x1d17a],
  [0xe0000, 0xe0fff],
]

const RANGES = DANGEROUS.map(([first, last]) => `\\u{${first.toString(16)}}-\\u{${last.toString(16)}}`).join('')
const ALL_DANGEROUS = new RegExp(`[${RANGES}]`, 'gu')
/** The same without the line end, which stands between the lines of JSON. */
const ALL_DANGEROUS_IN_LINES = new RegExp(`(?!\\n)[${RANGES}]`, 'gu')
/** Most texts hold nothing else, in any Latin letters; to see that takes a fraction of the time of a search. */
const PLAIN = /^[\x20-\x7e\xa0-\xac\xae-\u034e]*$/
const PLAIN_LINES = /^[\n\x20-\x7e\xa0-\xac\xae-\u034e]*$/

/**
 * Text from outside made harmless for a terminal: control characters, escape sequences, bidi overrides, invisible and
 * unpaired characters become visible as `\u{1b}`. Everything else stays as it is. The result is always one line.
 */
export function safeText(text: string): string {
  if (PLAIN.test(text)) return text
  return text.replace(ALL_DANGEROUS, (character) => `\\u{${(character.codePointAt(0) ?? 0).toString(16)}}`)
}

/** Like {@link safeText} for text of several lines: line breaks stay, and a tab becomes two spaces. */
export function safeLines(text: string): string[] {
  return text.split(/\r\n|\n|\r/).map((line) => safeText(line.replaceAll('\t', '  ')))
}

/** JSON text whose strings hold nothing that could deceive a terminal: written as JSON escapes, so that no value changes. */
export function safeJson(json: string): string {
  return PLAIN_LINES.test(json) ? json : json.replace(ALL_DANGEROUS_IN_LINES, escapeUnits)
}

function escapeUnits(units: string): string {
  let escaped = ''
  for (let index = 0; index < units.length; index++) {
    escaped += `\\u${units.charCodeAt(index).toString(16).padStart(4, '0')}`
  }
  return escaped
}

/** True where the text holds a control character (C0, DEL or C1), which no identifier may carry. */
export function hasControlCharacter(text: string): boolean {
  return /[\x00-\x1f\x7f-\x9f]/.test(text)
}
