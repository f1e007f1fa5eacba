/** Ranges [first, last] of code points that can control a terminal or mislead a reader. */
const DANGEROUS: readonly (readonly [number, number])[] = [
  [0x00, 0x1f],
  [0x7f, 0x9f],
  [0xad, 0xad],
  [0x34f, 0x34f],
  [0x600, 0x605],
  [0x61c, 0x61c],
  [0x6dd, 0x6dd],
  [0x70f, 0x70f],
  [0x890, 0x891],
  [0x8e2, 0x8e2],
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
  [0x110bd, 0x110bd],
  [0x110cd, 0x110cd],
  [0x13430, 0x1345f],
  [0x1bca0, 0x1bca3],
  [0x1d173, 0x1d17a],
  [0xe0000, 0xe0fff],
]

const RANGES = DANGEROUS.map(([first, last]) => `\\u{${first.toString(16)}}-\\u{${last.toString(16)}}`).join('')
/** More marks than any writing puts on one letter: the further ones would cover other lines. */
const TOO_MANY_MARKS = '(?<=\\p{M}{8})\\p{M}'
const DANGEROUS_ANYWHERE = new RegExp(`[${RANGES}]|${TOO_MANY_MARKS}`, 'u')
/** Characters that join and colour emoji are invisible elsewhere. Made at its first use, which takes 40 ms. */
let dangerousOrEmoji: RegExp | undefined
/** All dangerous characters except the line break, which separates lines of JSON. */
const ALL_DANGEROUS_IN_LINES = new RegExp(`(?!\\n)[${RANGES}]|${TOO_MANY_MARKS}`, 'gu')
/** Most text consists of these characters only, and testing for them is much faster than replacing. */
const PLAIN = /^[\x20-\x7e\xa0-\xac\xae-\u02ff]*$/
const PLAIN_LINES = /^[\n\x20-\x7e\xa0-\xac\xae-\u02ff]*$/

/**
 * Makes text from outside safe for a terminal: control characters, escape sequences, bidi overrides, invisible characters and
 * unpaired surrogates become visible, as in `\u{1b}`, and so do all combining marks of a character but the first eight. Emoji and everything else is unchanged.
 * The result is always one line.
 */
export function safeText(text: string): string {
  if (PLAIN.test(text) || !DANGEROUS_ANYWHERE.test(text)) return text
  dangerousOrEmoji ??= new RegExp(`\\p{RGI_Emoji}|([${RANGES}]|${TOO_MANY_MARKS})`, 'gv')
  return text.replace(dangerousOrEmoji, (found, dangerous?: string) =>
    dangerous === undefined ? found : `\\u{${(dangerous.codePointAt(0) ?? 0).toString(16)}}`,
  )
}

/** Like {@link safeText}, for text of several lines: line breaks are kept, and a tab becomes two spaces. */
export function safeLines(text: string): string[] {
  return text.split(/\r\n|\n|\r/).map((line) => safeText(line.replaceAll('\t', '  ')))
}

/** Makes JSON safe for a terminal by writing dangerous characters as JSON escapes, so that no value changes. */
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

/** True if the text contains a control character (C0, DEL or C1). */
export function hasControlCharacter(text: string): boolean {
  return /[\x00-\x1f\x7f-\x9f]/.test(text)
}
