import type { BigIntStats } from 'node:fs'
import { type FileHandle, readFile, rm, writeFile } from 'node:fs/promises'
import { endianness } from 'node:os'
import { crc32 } from 'node:zlib'
import type { LineTable } from './lineTable.ts'

const NEWLINE = 0x0a
/** Eight hex digits, the CRC-32 of all that follows, and a space. */
const CHECKSUM_BYTES = 9
/** Another one where what is seen of a line, or how it stands in an index, is another. */
const VERSION = 1

/** The file that an index is about, and where its lines begin in the table. */
export interface Indexed {
  stats: BigIntStats
  table: LineTable
  /** The address of the file's first byte. */
  base: number
}

/**
 * Adds the lines of a sealed file to a table as its index has them, which saves reading it. `shorter` where the file had
 * more bytes when the index was made; `unfit` where there is no index, or a damaged one, or one of another file.
 */
export async function takeIndex(path: string, { stats, table, base }: Indexed): Promise<'taken' | 'shorter' | 'unfit'> {
  const index = await readIndex(path)
  if (index === undefined) return 'unfit'
  if (stats.size < index.fileBytes) return 'shorter'
  if (index.change !== changeOf(stats)) return 'unfit'
  return table.addBytes(index.table, index.lines, base) ? 'taken' : 'unfit'
}

/** True where a sealed file, which never changes, has lost what stood at its end. */
export async function isShorterThanIndexed(file: FileHandle, path: string): Promise<boolean> {
  const index = await readIndex(path)
  return index !== undefined && (await file.stat()).size < index.fileBytes
}

/** What an index says of its file; undefined where there is none that is whole and of this version. */
async function readIndex(
  path: string,
): Promise<{ lines: number; fileBytes: number; change: string; table: Buffer } | undefined> {
  const bytes = await readOrNothing(path)
  const headEnd = bytes?.indexOf(NEWLINE) ?? -1
  if (bytes === undefined || headEnd === -1) return undefined
  const sum = crc32(bytes.subarray(CHECKSUM_BYTES))
  if (bytes.toString('latin1', 0, CHECKSUM_BYTES) !== checksumText(sum)) return undefined
  const [format, lines, fileBytes, change = ''] = bytes.toString('latin1', CHECKSUM_BYTES, headEnd).split('/')
  if (format !== formatName()) return undefined
  return { lines: Number(lines), fileBytes: Number(fileBytes), change, table: bytes.subarray(headEnd + 1) }
}

/** Writes the index of a sealed file: the lines of the table from `first` on. */
export async function writeIndex(path: string, { stats, table, base }: Indexed, first: number): Promise<void> {
  const head = [formatName(), table.count - first, stats.size, changeOf(stats)].join('/')
  const bytes = Buffer.concat([Buffer.from(`${head}\n`), table.bytesFrom(first, base)])
  try {
    await writeFile(path, [checksumText(crc32(bytes)), bytes], { mode: 0o600 })
  } catch (error) {
    // It only saves time, so it may be missing where nothing can be written.
    if (!(error instanceof Error && 'code' in error)) throw error
    await rm(path, { force: true }).catch(() => undefined)
  }
}

function formatName(): string {
  return `lines ${VERSION} ${endianness()}`
}

/** What tells whether a file was written to, or put in the place of another one. */
function changeOf({ size, mtimeNs, ctimeNs, ino }: BigIntStats): string {
  return `${size} ${mtimeNs} ${ctimeNs} ${ino}`
}

function checksumText(sum: number): string {
  return `${sum.toString(16).padStart(8, '0')} `
}

async function readOrNothing(path: string): Promise<Buffer | undefined> {
  try {
    return await readFile(path)
  } catch (error) {
    if (error instanceof Error && 'code' in error) return undefined
    throw error
  }
}
