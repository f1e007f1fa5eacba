/**
 * The characters 0x80 to 0x9f of Windows-1252; programs use the control character for unassigned ones. The own decoder of some Node versions reads
 * them as ISO 8859-1.
 */
export const WINDOWS_1252 =
  '\u20ac\x81\u201a\u0192\u201e\u2026\u2020\u2021\u02c6\u2030\u0160\u2039\u0152\x8d\u017d\x8f' +
  '\x90\u2018\u2019\u201c\u201d\u2022\u2013\u2014\u02dc\u2122\u0161\u203a\u0153\x9d\u017e\u0178'

/** The text of bytes in Windows-1252. */
export function windows1252Text(bytes: Uint8Array): string {
  const text = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength).toString('latin1')
  return text.replace(/[\x80-\x9f]/g, (character) => WINDOWS_1252.charAt(character.charCodeAt(0) - 0x80))
}

/** Text whose UTF-8 was taken for Windows-1252, as it was before: `SaÃ­da` is `Saída`. Any other text is as it is. */
export function decodedOnce(text: string): string {
  if (!/[\u00c2-\u00f4]/.test(text)) return text
  const codes = [...text].map((character) => {
    const place = WINDOWS_1252.indexOf(character)
    return place === -1 ? (character.codePointAt(0) ?? 0) : 0x80 + place
  })
  const before = codes.every((code) => code < 0x100) ? Buffer.from(codes).toString('utf8') : text
  return before.includes('\ufffd') ? text : before
}
