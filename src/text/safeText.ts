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

/**
 * Text from outside made harmless for a terminal: control characters, escape sequences, bidi overrides, invisible and
 * unpaired characters become visible as `\u{1b}`. Everything else stays as it is. The result is always one line.
 */
export function safeText(text: string): string {
  let safe = ''
  for (const character of text) {
    const point = character.codePointAt(0) ?? 0
    safe += isDangerous(point) ? `\\u{${point.toString(16)}}` : character
  }
  return safe
}

/** Like {@link safeText} for text of several lines: line breaks stay, and a tab becomes two spaces. */
export function safeLines(text: string): string[] {
  return text.split(/\r\n|\n|\r/).map((line) => safeText(line.replaceAll('\t', '  ')))
}

/** JSON text whose strings hold nothing that could deceive a terminal: written as JSON escapes, so that no value changes. */
export function safeJson(json: string): string {
  let safe = ''
  for (let index = 0; index < json.length; index++) {
    const point = json.codePointAt(index) ?? 0
    const units = json.slice(index, index + (point > 0xffff ? 2 : 1))
    index += units.length - 1
    safe += point !== 0x0a && isDangerous(point) ? escapeUnits(units) : units
  }
  return safe
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
  for (const character of text) {
    const point = character.codePointAt(0) ?? 0
    if (point <= 0x1f || (point >= 0x7f && point <= 0x9f)) return true
  }
  return false
}

function isDangerous(point: number): boolean {
  if (point < 0x7f) return point <= 0x1f
  for (const [first, last] of DANGEROUS) {
    if (point >= first && point <= last) return true
  }
  return false
}
