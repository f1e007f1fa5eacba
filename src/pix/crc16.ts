/**
 * The checksum of a BR Code: CRC-16/CCITT-FALSE (polynomial 0x1021, initial value 0xFFFF) over the UTF-8 bytes of the text,
 * as four upper-case hexadecimal digits with leading zeros.
 */
export function crc16(text: string): string {
  let crc = 0xffff
  for (const byte of new TextEncoder().encode(text)) {
    crc ^= byte << 8
    for (let bit = 0; bit < 8; bit += 1) {
      crc = (crc & 0x8000) === 0 ? (crc << 1) & 0xffff : ((crc << 1) ^ 0x1021) & 0xffff
    }
  }
  return crc.toString(16).toUpperCase().padStart(4, '0')
}
