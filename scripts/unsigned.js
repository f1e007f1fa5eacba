/** Where things are in a Windows executable (PE32+), by Microsoft's "PE Format": the offset of the PE header, and from there on of the others. */
const PE_OFFSET = 0x3c
const OPTIONAL_HEADER = 24
const PE32_PLUS = 0x20b
/** The fifth data directory, from the beginning of the optional header. */
const CERTIFICATE_TABLE = 112 + 4 * 8

/**
 * A Windows executable without its signature, which would be invalid once the file is changed. Throws if it is no executable for 64 bits, or if
 * something comes after the signature.
 */
export function unsigned(executable) {
  const optionalHeader = executable.readUInt32LE(PE_OFFSET) + OPTIONAL_HEADER
  if (executable.readUInt16LE(optionalHeader) !== PE32_PLUS)
    throw new Error('The file is not a Windows executable for 64 bits')
  const entry = optionalHeader + CERTIFICATE_TABLE
  const offset = executable.readUInt32LE(entry)
  const size = executable.readUInt32LE(entry + 4)
  if (size === 0) return executable
  if (offset + size !== executable.length) throw new Error('The signature is not at the end of the file')
  const rest = Buffer.from(executable.subarray(0, offset))
  rest.fill(0, entry, entry + 8)
  return rest
}
