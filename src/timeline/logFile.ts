import { constants } from 'node:fs'
import { type FileHandle, open } from 'node:fs/promises'
import { dirname } from 'node:path'
import { crc32 } from 'node:zlib'
import { makePrivateFolder } from '../locks/privateFolder.ts'
import { readTextOrNothing } from '../locks/textFile.ts'

const NEWLINE = 0x0a
const BLOCK_BYTES = 4096
/** After eight hex digits and a space. */
const JSON_START = 9
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

/**
 * Appends one line, the CRC-32 of the JSON in hex and the JSON, and returns once it is on the disk. The caller holds the
 * lock of the file. A torn last line is cut off before, and again where the disk fills up in the middle of this one. Throws
 * the system's error; nothing of the line is in the file then.
 */
export async function appendLine(path: string, json: string): Promise<void> {
  const file = await openForWriting(path)
  try {
    const { start, missesLineEnd } = await endOfWhole(file)
    if (!missesLineEnd) await file.truncate(start)
    if (start === 0) await syncFoldersOf(path)
    const line = Buffer.from(`${missesLineEnd ? '\n' : ''}${checksum(json)} ${json}\n`)
    try {
      for (let written = 0; written < line.length; ) {
        written += (await file.write(line, written, line.length - written, start + written)).bytesWritten
      }
      await file.sync()
    } catch (error) {
      await file.truncate(start)
      throw error
    }
  } finally {
    await file.close()
  }
}

/** Reads a log file; one that does not exist is empty. */
export async function readLog(path: string): Promise<LogContents> {
  const lines = (await readTextOrNothing(path)).split('\n')
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

function isWhole(line: string): boolean {
  return line[JSON_START - 1] === ' ' && line.slice(0, JSON_START - 1) === checksum(line.slice(JSON_START))
}

/** A whole record whose line end has become something else was written once, so it is damaged and not torn. */
function hasSpoiltEnd(tail: string): boolean {
  return isWhole(tail.slice(0, -1))
}

async function openForWriting(path: string): Promise<FileHandle> {
  await makePrivateFolder(dirname(path))
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

async function syncFolder(folder: string): Promise<void> {
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

function checksum(json: string): string {
  return crc32(json).toString(16).padStart(8, '0')
}
