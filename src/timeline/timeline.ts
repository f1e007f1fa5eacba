import { existsSync } from 'node:fs'
import { type FileHandle, mkdir, open, readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { crc32 } from 'node:zlib'
import type { TimelineEntry, TimelineRecord } from './records.ts'

/** The one durable, append-only log of what was asked and what became of it. */
export interface Timeline {
  /** Gives the entry an id and a time, and returns once it is on the disk. Throws the system's error where it is not. */
  append<Entry extends TimelineEntry>(entry: Entry): Promise<TimelineRecord<Entry>>
  /** All whole records, oldest first. A torn or damaged line is left out and counted. */
  read(): Promise<{ records: TimelineRecord[]; damagedLines: number[] }>
}

const FILE = 'timeline.log'

/** The timeline in this folder, made when first written to. A line is the CRC-32 of its JSON in hex, a space, the JSON. */
export function openTimeline(folder: string, now: () => number, newId: () => string): Timeline {
  const path = join(folder, FILE)
  return {
    async append(entry) {
      const record = { id: newId(), at: new Date(now()).toISOString(), ...entry }
      const file = await openForAppend(folder, path)
      try {
        const line = lineOf(record)
        await writeWhole(file, Buffer.from((await endsTorn(file)) ? `\n${line}` : line))
        await file.sync()
      } finally {
        await file.close()
      }
      return record
    },
    async read() {
      const lines = (await readOrNothing(path)).split('\n')
      const records: TimelineRecord[] = []
      const damagedLines: number[] = []
      for (const [index, line] of lines.entries()) {
        if (line === '') continue
        const record = readLine(line)
        if (record === undefined) damagedLines.push(index + 1)
        else records.push(record)
      }
      return { records, damagedLines }
    },
  }
}

/** The folder's entry must be on the disk too, or a crash may lose a new file with its first record. */
async function openForAppend(folder: string, path: string): Promise<FileHandle> {
  await mkdir(folder, { recursive: true, mode: 0o700 })
  const isNew = !existsSync(path)
  const file = await open(path, 'a+', 0o600)
  if (!isNew) return file
  const directory = await open(folder, 'r')
  try {
    await directory.sync()
  } finally {
    await directory.close()
  }
  return file
}

async function writeWhole(file: FileHandle, bytes: Buffer): Promise<void> {
  let written = 0
  while (written < bytes.length) {
    written += (await file.write(bytes, written)).bytesWritten
  }
}

async function endsTorn(file: FileHandle): Promise<boolean> {
  const { size } = await file.stat()
  if (size === 0) return false
  const last = Buffer.alloc(1)
  await file.read(last, 0, 1, size - 1)
  return last[0] !== 0x0a
}

function lineOf(record: TimelineRecord): string {
  const json = JSON.stringify(record)
  return `${checksum(json)} ${json}\n`
}

function readLine(line: string): TimelineRecord | undefined {
  const json = line.slice(9)
  if (line[8] !== ' ' || line.slice(0, 8) !== checksum(json)) return undefined
  // The checksum vouches that this is what was written from a record.
  return JSON.parse(json) as TimelineRecord
}

function checksum(json: string): string {
  return crc32(json).toString(16).padStart(8, '0')
}

async function readOrNothing(path: string): Promise<string> {
  try {
    return await readFile(path, 'utf8')
  } catch (error) {
    if (isMissing(error)) return ''
    throw error
  }
}

function isMissing(error: unknown): boolean {
  return error instanceof Error && 'code' in error && error.code === 'ENOENT'
}
