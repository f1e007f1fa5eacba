import { existsSync } from 'node:fs'
import { type FileHandle, mkdir, open, readFile } from 'node:fs/promises'
import { dirname } from 'node:path'
import { crc32 } from 'node:zlib'

const NEWLINE = 0x0a

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
    const start = await wholeLength(file)
    await file.truncate(start)
    const line = Buffer.from(`${checksum(json)} ${json}\n`)
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
  const text = await readOrNothing(path)
  const contents: LogContents = { entries: [], damagedLines: [], isTorn: text !== '' && !text.endsWith('\n') }
  const lines = text.split('\n').slice(0, -1)
  for (const [index, line] of lines.entries()) {
    const json = line.slice(9)
    if (line[8] === ' ' && line.slice(0, 8) === checksum(json)) contents.entries.push({ line: index + 1, json })
    else contents.damagedLines.push(index + 1)
  }
  return contents
}

/** The folder's entry must be on the disk too, or a crash may lose a new file with its first record. */
async function openForWriting(path: string): Promise<FileHandle> {
  const folder = dirname(path)
  await mkdir(folder, { recursive: true, mode: 0o700 })
  if (existsSync(path)) return open(path, 'r+')
  const file = await open(path, 'wx+', 0o600)
  const directory = await open(folder, 'r')
  try {
    await directory.sync()
  } finally {
    await directory.close()
  }
  return file
}

/** The length of the file up to its last line end. */
async function wholeLength(file: FileHandle): Promise<number> {
  const { size } = await file.stat()
  const block = Buffer.alloc(4096)
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

async function readOrNothing(path: string): Promise<string> {
  try {
    return await readFile(path, 'utf8')
  } catch (error) {
    if (error instanceof Error && 'code' in error && error.code === 'ENOENT') return ''
    throw error
  }
}
