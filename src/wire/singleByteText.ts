/** The characters 0x80 to 0x9f of Windows-1252; programs use the control character for unassigned ones. */
const WINDOWS_1252 = '€\u0081‚ƒ„…†‡ˆ‰Š‹Œ\u008dŽ\u008f\u0090‘’“”•–—˜™š›œ\u009džŸ'
const FIRST = 0x80
const PLACES = new Map(Array.from(WINDOWS_1252, (character, place) => [character, FIRST + place]))

/** A single-byte character set. */
export type SingleByteEncoding = 'latin1' | 'windows-1252'

/** Decodes bytes in this character set. */
export function decodeSingleByte(bytes: Uint8Array, set: SingleByteEncoding): string {
  const text = Buffer.from(bytes).toString('latin1')
  if (set === 'latin1') return text
  return text.replace(/[\u0080-\u009f]/g, (character) => WINDOWS_1252[character.charCodeAt(0) - FIRST] ?? character)
}

/** Encodes text in this character set; undefined if it contains another character. */
export function encodeSingleByte(text: string, set: SingleByteEncoding): Buffer | undefined {
  const known = set === 'latin1' ? text : text.replace(/[^\u0000-\u007f\u00a0-\u00ff]/g, windowsByte)
  return /^[\u0000-\u00ff]*$/.test(known) ? Buffer.from(known, 'latin1') : undefined
}

function windowsByte(character: string): string {
  const place = PLACES.get(character)
  return place === undefined ? character : String.fromCharCode(place)
}
