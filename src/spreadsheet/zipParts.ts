import { constants, crc32, createInflateRaw } from 'node:zlib'
import { t } from '../text/translate.ts'

/** Thrown for an archive that cannot be read, with the reason. */
export class BrokenArchive extends Error {}

/** Thrown if the parts are larger than allowed when they are unpacked. */
export class ArchiveTooLarge extends Error {}

/** Records of a ZIP archive and where their fields are, by PKWARE's APPNOTE.TXT, sections 4.3.7, 4.3.12 and 4.3.16. */
const END_RECORD = { signature: 0x06054b50, bytes: 22, entries: 10, directory: 16, comment: 20 }
const ENTRY = {
  signature: 0x02014b50,
  bytes: 46,
  flags: 8,
  method: 10,
  checksum: 16,
  packed: 20,
  size: 24,
  name: 28,
  extra: 30,
  comment: 32,
  offset: 42,
}
const LOCAL_HEADER = { signature: 0x04034b50, bytes: 30, name: 26, extra: 28 }
const COMMENT_BYTES_MAX = 0xffff
const END_START = Buffer.from('PK\x05\x06', 'latin1')
const ENCRYPTED = 1
const STORED = 0
const DEFLATED = 8
/** In the place of sizes and offsets of 4 GiB and more. */
const ZIP64 = 0xffffffff
const CHUNK_BYTES = 64 * 1024

/** A part of an archive that is unpacked as it is read. */
export interface ZipPart {
  name: string
  /** Its size in bytes. */
  size: number
  /** Unpacks it from its beginning, and lets other work of the process go on between two chunks. Throws BrokenArchive. */
  chunks(): AsyncGenerator<Uint8Array>
}

/**
 * The parts of a ZIP archive whose names are wanted, as its directory lists them, which is how spreadsheets read it. `bytesMax` is the largest size
 * of all of them; none is unpacked to more than the directory says. `onChunk` is called before each chunk is given. Throws ArchiveTooLarge, and BrokenArchive for anything that is not as the
 * format demands, such as two parts of one name.
 */
export function partsOf(
  bytes: Uint8Array,
  isWanted: (name: string) => boolean,
  bytesMax: number,
  onChunk: () => void,
): ReadonlyMap<string, ZipPart> {
  const archive = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength)
  const parts = new Map<string, ZipPart>()
  let leftBytes = bytesMax
  for (const entry of directoryOf(archive)) {
    const { name, size } = entry
    if (!isWanted(name)) continue
    if (parts.has(name)) throw new BrokenArchive(t`two parts are called ${name}`)
    leftBytes -= size
    if (leftBytes < 0) throw new ArchiveTooLarge()
    parts.set(name, { name, size, chunks: () => unpacked(archive, entry, onChunk) })
  }
  return parts
}

interface Entry {
  name: string
  method: number
  checksum: number
  /** The sizes in bytes as the directory has them. */
  packed: number
  size: number
  offset: number
}

function* directoryOf(archive: Buffer): Generator<Entry> {
  const end = endRecordOf(archive)
  let at = archive.readUInt32LE(end + END_RECORD.directory)
  for (let left = archive.readUInt16LE(end + END_RECORD.entries); left > 0; left -= 1) {
    assertRecord(archive, at, ENTRY)
    const [nameBytes, extraBytes, commentBytes] = [ENTRY.name, ENTRY.extra, ENTRY.comment].map((field) =>
      archive.readUInt16LE(at + field),
    )
    const next = at + ENTRY.bytes + (nameBytes ?? 0)
    const name = archive.toString('utf8', at + ENTRY.bytes, next)
    if ((archive.readUInt16LE(at + ENTRY.flags) & ENCRYPTED) !== 0) throw new BrokenArchive(t`it is encrypted`)
    const [packed, size, offset] = [ENTRY.packed, ENTRY.size, ENTRY.offset].map((field) =>
      archive.readUInt32LE(at + field),
    )
    if (packed === undefined || size === undefined || offset === undefined || [packed, size, offset].includes(ZIP64)) {
      throw new BrokenArchive(t`it has parts of 4 GiB or more`)
    }
    const method = archive.readUInt16LE(at + ENTRY.method)
    yield { name, method, checksum: archive.readUInt32LE(at + ENTRY.checksum), packed, size, offset }
    at = next + (extraBytes ?? 0) + (commentBytes ?? 0)
  }
}

/** Where the record is that ends the directory: it is the only one, or the only one whose comment ends with the archive. */
function endRecordOf(archive: Buffer): number {
  const found: number[] = []
  let at = archive.length - END_RECORD.bytes
  const first = Math.max(0, at - COMMENT_BYTES_MAX)
  for (
    at = archive.lastIndexOf(END_START, at);
    at >= first;
    at = at === 0 ? -1 : archive.lastIndexOf(END_START, at - 1)
  ) {
    found.push(at)
  }
  const whole = found.filter(
    (each) => each + END_RECORD.bytes + archive.readUInt16LE(each + END_RECORD.comment) === archive.length,
  )
  const [end, other] = found.length > 1 ? whole : found
  if (found.length > 1 && (end === undefined || other !== undefined)) throw new BrokenArchive(t`it has two directories`)
  if (end === undefined) throw new BrokenArchive(t`it was cut off`)
  return end
}

async function* unpacked(
  archive: Buffer,
  { name, method, checksum, packed, size, offset }: Entry,
  onChunk: () => void,
): AsyncGenerator<Uint8Array> {
  assertRecord(archive, offset, LOCAL_HEADER)
  const nameBytes = archive.readUInt16LE(offset + LOCAL_HEADER.name)
  const nameEnd = offset + LOCAL_HEADER.bytes + nameBytes
  if (archive.toString('utf8', offset + LOCAL_HEADER.bytes, nameEnd) !== name)
    throw new BrokenArchive(t`its part ${name} has another name in front of its content`)
  const start = nameEnd + archive.readUInt16LE(offset + LOCAL_HEADER.extra)
  const content = archive.subarray(start, start + packed)
  if (content.length !== packed) throw new BrokenArchive(t`its part ${name} was cut off`)
  if (method !== STORED && method !== DEFLATED)
    throw new BrokenArchive(t`its part ${name} is packed in a way that workbooks do not use`)
  let left = size
  let sum = 0
  for await (const chunk of method === STORED ? piecesOf(content) : inflated(content, name)) {
    onChunk()
    left -= chunk.length
    if (left < 0) break
    sum = crc32(chunk, sum)
    yield chunk
  }
  if (left !== 0) throw new BrokenArchive(t`its part ${name} has another size than the archive says`)
  if (sum !== checksum) throw new BrokenArchive(t`its part ${name} is damaged`)
}

async function* piecesOf(content: Buffer): AsyncGenerator<Buffer> {
  for (let start = 0; start < content.length; start += CHUNK_BYTES) {
    yield content.subarray(start, start + CHUNK_BYTES)
    await new Promise((resolve) => setImmediate(resolve))
  }
}

async function* inflated(content: Buffer, name: string): AsyncGenerator<Buffer> {
  const inflate = createInflateRaw({ chunkSize: CHUNK_BYTES, finishFlush: constants.Z_SYNC_FLUSH })
  inflate.end(content)
  const chunks: AsyncIterator<Buffer> = inflate[Symbol.asyncIterator]()
  try {
    for (;;) {
      const next = await chunks.next().catch((error: unknown) => {
        throw isZlibError(error) ? new BrokenArchive(t`its part ${name} cannot be unpacked`) : error
      })
      if (next.done === true) return
      yield next.value
    }
  } finally {
    inflate.destroy()
  }
}

function isZlibError(error: unknown): boolean {
  return error instanceof Error && 'code' in error && typeof error.code === 'string' && error.code.startsWith('Z_')
}

function assertRecord(archive: Buffer, at: number, { signature, bytes }: { signature: number; bytes: number }): void {
  if (at + bytes <= archive.length && archive.readUInt32LE(at) === signature) return
  throw new BrokenArchive(t`its directory is damaged`)
}
