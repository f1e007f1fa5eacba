import { constants, writeSync } from 'node:fs'
import { type FileHandle, open } from 'node:fs/promises'
import { dirname } from 'node:path'
import { crc32 } from 'node:zlib'
import { makePrivateFolder } from '../locks/privateFolder.ts'
import { readTextOrNothing } from '../locks/textFile.ts'

const NEWLINE = 0x0a
const BLOCK_BYTES = 4096
/** What is read of a larger piece is still there when the next garbage is collected, and then for long. */
const PIECE_BYTES = 128 * 1024
/** After eight hex digits and a space. */
const JSON_START = 9
/** So many bytes take up a character of a string at most. */
const UTF8_BYTES_MAX = 3
/** No permission, and systems or file systems where a folder cannot be synced. */
const CANNOT_SYNC: readonly unknown[] = ['EACCES', 'EPERM', 'EISDIR', 'EINVAL', 'ENOTSUP', 'EROFS']

/** What a log file holds: its whole lines as JSON, and where it is not whole. */
export interface LogContents {
  /** In the order of the file, each with its line number from 1. */
  entries: { line: number; json: string }[]
  /** Lines whose checksum does not fit, other than a torn last one. */
  damagedLines: number[]
  /** True where the last line was not written whole; its record never counted as written. */
  isTorn: boolean
}

/** Where lines stand: in which file, whatever its name is, and from where to where in bytes. */
export interface Span {
  file: string
  start: number
  end: number
}

/** A log file that is open for appending. */
export interface OpenLog {
  /**
   * Returns once the lines are on the disk, with where they stand at the end of the file. Throws the system's error; nothing
   * of the lines is in the file then.
   */
  append(jsons: readonly string[]): Promise<Span>
  close(): Promise<void>
}

/**
 * Opens a log file, each line the CRC-32 of the JSON in hex and the JSON. The caller holds the lock of the file until it
 * has closed it. A torn last line is cut off, and lines are cut off again where the disk fills up in the middle of them.
 */
export async function openLog(path: string): Promise<OpenLog> {
  const file = await openForWriting(path)
  try {
    const whole = await endOfWhole(file)
    const identity = await identityOf(file)
    let end = whole.start
    if (whole.missesLineEnd) end += await writeDurably(file, Buffer.from('\n'), end)
    else await file.truncate(end)
    if (end === 0) await syncFoldersOf(path)
    return {
      async append(jsons) {
        const start = end
        if (jsons.length > 0) end += await writeDurably(file, linesOf(jsons), start)
        return { file: identity, start, end }
      },
      close: () => file.close(),
    }
  } catch (error) {
    await file.close()
    throw error
  }
}

/** What no other file has, and this one keeps under another name. */
export async function identityOf(file: FileHandle): Promise<string> {
  const { dev, ino } = await file.stat({ bigint: true })
  return `${dev}:${ino}`
}

/** Returns how many bytes these were. */
async function writeDurably(file: FileHandle, bytes: Buffer, start: number): Promise<number> {
  try {
    // To copy a few lines into the system's memory takes less than to ask another thread for it.
    for (let written = 0; written < bytes.length; ) {
      written += writeSync(file.fd, bytes, written, bytes.length - written, start + written)
    }
    await file.datasync()
  } catch (error) {
    await file.truncate(start)
    throw error
  }
  return bytes.length
}

/** A record as a line of a log, with its line end. */
export function logLine(json: string): string {
  return `${checksum(json)} ${json}\n`
}

/** The same of several, at two thirds of the time: what was made bytes is not made bytes for its checksum again. */
function linesOf(jsons: readonly string[]): Buffer {
  let bytesMax = 0
  for (const json of jsons) bytesMax += JSON_START + json.length * UTF8_BYTES_MAX + 1
  const bytes = Buffer.allocUnsafe(bytesMax)
  let length = 0
  for (const json of jsons) {
    const start = length + JSON_START
    const end = start + bytes.write(json, start)
    bytes.write(`${checksum(bytes.subarray(start, end))} `, length, 'latin1')
    bytes[end] = NEWLINE
    length = end + 1
  }
  return bytes.subarray(0, length)
}

/** Reads a log file; one that does not exist is empty. */
export async function readLog(path: string): Promise<LogContents> {
  return contentsOf(await readTextOrNothing(path))
}

/**
 * Reads what stands behind this many bytes, which must end a line, in pieces of whole lines, each with lines counted from 1
 * and where it ends, so that a large file does not fill the memory. A file that does not exist, or is shorter, has none.
 */
export async function* logPieces(path: string, offset: number): AsyncGenerator<LogContents & { end: number }> {
  const file = await openOrNothing(path)
  if (file === undefined) return
  try {
    yield* piecesOf(file, offset)
  } finally {
    await file.close()
  }
}

/** The same of a file that is open, which stays open. */
export async function* piecesOf(file: FileHandle, offset: number): AsyncGenerator<LogContents & { end: number }> {
  let end = offset
  for (let length = PIECE_BYTES; ; ) {
    const bytes = await readBytes(file, end, length)
    const whole = bytes.lastIndexOf(NEWLINE) + 1
    if (whole > 0) {
      end += whole
      length = PIECE_BYTES
      yield { ...contentsOf(bytes.subarray(0, whole).toString('utf8')), end }
    } else if (bytes.length < length) return
    else length *= 2
  }
}

/** What the text of a log file holds. */
export function contentsOf(text: string): LogContents {
  const lines = text.split('\n')
  const tail = lines.pop() ?? ''
  const contents: LogContents = { entries: [], damagedLines: [], isTorn: false }
  for (const [index, line] of lines.entries()) {
    if (isWhole(line)) contents.entries.push({ line: index + 1, json: line.slice(JSON_START) })
    else contents.damagedLines.push(index + 1)
  }
  if (tail === '') return contents
  const line = lines.length + 1
  if (isWhole(tail)) contents.entries.push({ line, json: tail.slice(JSON_START) })
  else if (hasSpoiltEnd(tail)) contents.damagedLines.push(line)
  else contents.isTorn = true
  return contents
}

/** Fewer bytes than asked for where the file ends. */
export async function readBytes(file: FileHandle, offset: number, bytesMax: number): Promise<Buffer> {
  const bytes = Buffer.allocUnsafe(bytesMax)
  let length = 0
  while (length < bytesMax) {
    const { bytesRead } = await file.read(bytes, length, bytesMax - length, offset + length)
    if (bytesRead === 0) break
    length += bytesRead
  }
  return bytes.subarray(0, length)
}

/** The file for reading; undefined where there is none. */
export async function openOrNothing(path: string): Promise<FileHandle | undefined> {
  try {
    return await open(path, 'r')
  } catch (error) {
    if (error instanceof Error && 'code' in error && error.code === 'ENOENT') return undefined
    throw error
  }
}

function isWhole(line: string): boolean {
  return line[JSON_START - 1] === ' ' && line.slice(0, JSON_START - 1) === checksum(line.slice(JSON_START))
}

/** A whole record whose line end has become something else was written once, so it is damaged and not torn. */
function hasSpoiltEnd(tail: string): boolean {
  return isWhole(tail.slice(0, -1))
}

async function openForWriting(path: string): Promise<FileHandle> {
  makePrivateFolder(dirname(path))
  return open(path, constants.O_RDWR | constants.O_CREAT, 0o600)
}

/**
 * The entries of a new file and of the folders above it must be on the disk too, or a crash may lose the file with its first
 * record. Folders that this user may not open stood before.
 */
async function syncFoldersOf(path: string): Promise<void> {
  for (let folder = dirname(path); ; folder = dirname(folder)) {
    await syncFolder(folder)
    if (folder === dirname(folder)) return
  }
}

/** Makes what was written to a file durable. Throws the system's error. */
export async function syncFile(path: string): Promise<void> {
  const file = await open(path, 'r+')
  try {
    await file.sync()
  } finally {
    await file.close()
  }
}

/** Makes what was made or renamed in a folder durable, where the system can. Throws the system's error. */
export async function syncFolder(folder: string): Promise<void> {
  try {
    const directory = await open(folder, 'r')
    try {
      await directory.sync()
    } finally {
      await directory.close()
    }
  } catch (error) {
    if (!(error instanceof Error && 'code' in error && CANNOT_SYNC.includes(error.code))) throw error
  }
}

/** Where the next line begins: after the last line end, or after a whole record that only misses its own. */
async function endOfWhole(file: FileHandle): Promise<{ start: number; missesLineEnd: boolean }> {
  const { size } = await file.stat()
  const start = await afterLastLineEnd(file, size)
  if (start === size) return { start, missesLineEnd: false }
  const bytes = Buffer.alloc(size - start)
  await file.read(bytes, 0, bytes.length, start)
  const tail = bytes.toString('utf8')
  if (hasSpoiltEnd(tail)) throw Object.assign(new Error('the last line is damaged'), { code: 'DAMAGED_LAST_LINE' })
  return isWhole(tail) ? { start: size, missesLineEnd: true } : { start, missesLineEnd: false }
}

async function afterLastLineEnd(file: FileHandle, size: number): Promise<number> {
  const block = Buffer.alloc(BLOCK_BYTES)
  for (let end = size; end > 0; ) {
    const start = Math.max(0, end - block.length)
    const { bytesRead } = await file.read(block, 0, end - start, start)
    const at = block.subarray(0, bytesRead).lastIndexOf(NEWLINE)
    if (at !== -1) return start + at + 1
    end = start
  }
  return 0
}

function checksum(json: string | Buffer): string {
  return crc32(json).toString(16).padStart(8, '0')
}
