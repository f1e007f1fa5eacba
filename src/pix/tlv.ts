/** One field of a BR Code: a two-digit id and a value. `start` is the position of the id, in characters. */
export interface TlvField {
  id: string
  value: string
  start: number
}

/** Where parsing stopped: after `at` characters, because of the id, the length, or a truncated value. */
export interface TlvBreak {
  at: number
  reason: 'id' | 'length' | 'value'
}

/**
 * Parses a string of fields (two-digit id, two-digit length 01–99 in characters, value), as defined by EMV for
 * merchant-presented QR codes. Returns every complete field, and where parsing stopped if the text has anything else.
 */
export function readTlv(text: string): { fields: TlvField[]; broken: TlvBreak | null } {
  const characters = [...text]
  const fields: TlvField[] = []
  let at = 0
  while (at < characters.length) {
    const id = characters.slice(at, at + 2).join('')
    if (!/^\d\d$/.test(id)) return { fields, broken: { at, reason: 'id' } }
    const length = characters.slice(at + 2, at + 4).join('')
    if (!/^\d\d$/.test(length) || length === '00') return { fields, broken: { at, reason: 'length' } }
    const end = at + 4 + Number(length)
    if (end > characters.length) return { fields, broken: { at, reason: 'value' } }
    fields.push({ id, value: characters.slice(at + 4, end).join(''), start: at })
    at = end
  }
  return { fields, broken: null }
}

/**
 * Parses fields whose lengths were wrongly counted in UTF-8 bytes. Returns the fields, and the first
 * whose length differs from its character count; null if the text does not consist of such fields.
 */
export function readTlvInBytes(text: string): { fields: TlvField[]; miscounted: TlvField & { bytes: number } } | null {
  // In latin1 each byte is a character.
  const walked = readTlv(Buffer.from(text).toString('latin1'))
  if (walked.broken !== null) return null
  const fields: TlvField[] = []
  let start = 0
  let miscounted: (TlvField & { bytes: number }) | undefined
  for (const { id, value: bytes } of walked.fields) {
    const value = Buffer.from(bytes, 'latin1').toString()
    const length = [...value].length
    const field = { id, value, start }
    if (length !== bytes.length) miscounted ??= { ...field, bytes: bytes.length }
    fields.push(field)
    start += 4 + length
  }
  return miscounted === undefined ? null : { fields, miscounted }
}

/** The value of the first field with an id, or null. */
export function fieldValue(fields: readonly { id: string; value: string }[], id: string): string | null {
  return fields.find((field) => field.id === id)?.value ?? null
}

/** One field as text. Throws a RangeError for a value that is empty or longer than 99 characters. */
export function encodeTlv(id: string, value: string): string {
  const length = [...value].length
  if (length < 1 || length > 99) throw new RangeError(`field ${id} cannot hold ${length} characters`)
  return `${id}${String(length).padStart(2, '0')}${value}`
}

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
