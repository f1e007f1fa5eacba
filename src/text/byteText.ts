/**
 * Text encoded as UTF-8, with each byte as one character (Latin-1). Bytes such as a webhook's body can be added to such a
 * string without decoding them, and written without encoding them again.
 */
export function bytesOf(text: string): string {
  return Buffer.from(text).toString('latin1')
}
