/**
 * Text in UTF-8, each byte as a character: what stands in bytes already, as a webhook's body, need not be decoded to become
 * a part of it, nor encoded to be written.
 */
export function bytesOf(text: string): string {
  return Buffer.from(text).toString('latin1')
}
