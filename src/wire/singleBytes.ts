/** What Windows-1252 has in the places 0x80 to 0x9f; where it has nothing, programs use the control character. */
const WINDOWS_1252 = '€\u0081‚ƒ„…†‡ˆ‰Š‹Œ\u008dŽ\u008f\u0090‘’“”•–—˜™š›œ\u009džŸ'
const FIRST = 0x80
const PLACES = new Map(Array.from(WINDOWS_1252, (character, place) => [character, FIRST + place]))

/** A character set of one byte a character. */
export type SingleByteSet = 'latin1' | 'windows-1252'

/** The text that these bytes are in the character set. */
export function readSingleBytes(bytes: Uint8Array, set: SingleByteSet): string {
  const text = Buffer.from(bytes).toString('latin1')
  if (set === 'latin1') return text
  return text.replace(/[\u0080-\u009f]/g, (character) => WINDOWS_1252[character.charCodeAt(0) - FIRST] ?? character)
}

/** The text as bytes of the character set; undefined where it has a character that is not in the set. */
export function writeSingleBytes(text: string, set: SingleByteSet): Buffer | undefined {
  const known = set === 'latin1' ? text : text.replace(/[^\u0000-\u007f\u00a0-\u00ff]/g, windowsByte)
  return /^[\u0000-\u00ff]*$/.test(known) ? Buffer.from(known, 'latin1') : undefined
}

function windowsByte(character: string): string {
  const place = PLACES.get(character)
  return place === undefined ? character : String.fromCharCode(place)
}
