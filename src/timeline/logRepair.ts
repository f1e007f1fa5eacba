import { constants } from 'node:fs'
import { chmod, copyFile, type FileHandle, open, rename, rm } from 'node:fs/promises'
import { dirname } from 'node:path'
import { joinedLine, mendedLine, partedLines } from './bitMending.ts'
import { BYTES_BEFORE_JSON, isWholeLine } from './lineScan.ts'
import type { DamagedPlace, ExaminedFile } from './logExamination.ts'
import { readBytes, syncFile, syncFolder } from './logFile.ts'
import type { Look } from './recordLook.ts'

/** A damaged line that could not be mended, and what can still be read of it. */
export interface LostLine {
  line: number
  legible: Legible
}

/** What stands in a damaged line under these names, as far as it is legible; none of it is certain. */
type Legible = Partial<Record<(typeof LEGIBLE)[number], string>>

/** What was done to a file. */
export interface RepairedFile {
  path: string
  /** Where the file as it was stands now; null for one that was gone. */
  copy: string | null
  /** Lines that are again what they were, because the checksum told which bit had become another. */
  mended: number[]
  lost: LostLine[]
  /** Lines that stay as they are, damaged. */
  kept: LostLine[]
  isMissing: boolean
  isShorter: boolean
  /** True where nothing of it is damaged any more. */
  isSound: boolean
}

const LEGIBLE = [
  'type',
  'kind',
  'of',
  'id',
  'at',
  'user',
  'run',
  'externalId',
  'originalTransactionId',
  'requestNumber',
  'idTransaction',
  'amountCents',
] as const
const PIECE_BYTES = 1024 * 1024

/** What is a line of the log, and what stands where one was lost: a line with its line end, or nothing. */
export interface RepairRules {
  look: Look
  /** Null leaves the damaged line where it is. */
  inPlaceOf(lost: LostLine): string | null
  /** False keeps what tells of lines that are gone from the end of the file. */
  isLossAccepted: boolean
}

/** What stands in the place of damaged lines. */
interface Patch {
  start: number
  /** Behind the line end of the last of them. */
  end: number
  bytes: Buffer
}

/**
 * Puts a file of a log right: it is copied beside itself first, then all its lines that are whole or can be mended are written
 * to a new file, which takes its place. The caller holds the lock of the log. Throws the system's error; the file is as it was then.
 */
export async function repairFile(examined: ExaminedFile, copy: string, rules: RepairRules): Promise<RepairedFile> {
  const { path, index, isMissing, isShorter } = examined
  const repaired: RepairedFile = {
    path,
    copy: isMissing ? null : copy,
    mended: [],
    lost: [],
    kept: [],
    isMissing,
    isShorter,
    isSound: true,
  }
  if (!isMissing) await keepCopy(path, copy)
  const next = `${path}.repaired`
  const target = await open(next, 'w', 0o600)
  try {
    if (!isMissing) await writeRepaired(target, examined, repaired, rules)
    await target.sync()
  } catch (error) {
    await rm(next, { force: true })
    throw error
  } finally {
    await target.close()
  }
  repaired.isSound = repaired.kept.length === 0 && (rules.isLossAccepted || !isShorter)
  if (
    !isMissing &&
    repaired.mended.length === 0 &&
    repaired.lost.length === 0 &&
    !(isShorter && rules.isLossAccepted)
  ) {
    await Promise.all([next, copy].map((each) => rm(each, { force: true })))
    return { ...repaired, copy: null }
  }
  await rename(next, path)
  await syncFolder(dirname(path))
  // The index tells what is missing, so it goes last: whatever ends this before, the next repair sees the loss again.
  if (rules.isLossAccepted || !isShorter) await rm(index, { force: true })
  return repaired
}

async function keepCopy(path: string, copy: string): Promise<void> {
  await copyFile(path, copy, constants.COPYFILE_EXCL)
  await chmod(copy, 0o600)
  await syncFile(copy)
  await syncFolder(dirname(copy))
}

async function writeRepaired(
  target: FileHandle,
  { path, damaged }: ExaminedFile,
  repaired: RepairedFile,
  rules: RepairRules,
): Promise<void> {
  const source = await open(path, 'r')
  try {
    let at = 0
    for (let index = 0; index < damaged.length; ) {
      const { patch, count } = await patchOf(source, damaged.slice(index, index + 2), repaired, rules)
      await copyBytes(source, target, at, patch.start)
      await target.writeFile(patch.bytes)
      at = patch.end
      index += count
    }
    await copyBytes(source, target, at, (await source.stat()).size)
  } finally {
    await source.close()
  }
}

/** What stands in the place of the first of these lines, or of both; `count` tells. */
async function patchOf(
  source: FileHandle,
  [place, next]: readonly DamagedPlace[],
  { mended, lost, kept }: RepairedFile,
  { look, inPlaceOf }: RepairRules,
): Promise<{ patch: Patch; count: number }> {
  if (place === undefined) throw new Error('a patch is made of a damaged line')
  const line = await readBytes(source, place.start, place.end - place.start)
  const own = whole(line, look)
  if (own !== undefined) {
    mended.push(place.line)
    return { patch: { start: place.start, end: place.end + 1, bytes: own }, count: 1 }
  }
  if (next !== undefined && next.start === place.end + 1) {
    const joined = joinedLine(line, await readBytes(source, next.start, next.end - next.start))
    if (joined !== undefined) {
      mended.push(place.line, next.line)
      return { patch: { start: place.start, end: next.end + 1, bytes: withLineEnd(joined) }, count: 2 }
    }
  }
  const gone: LostLine = { line: place.line, legible: legibleIn(line) }
  const instead = inPlaceOf(gone)
  if (instead === null) {
    kept.push(gone)
    const bytes = await readBytes(source, place.start, place.end + 1 - place.start)
    return { patch: { start: place.start, end: place.end + 1, bytes }, count: 1 }
  }
  lost.push(gone)
  return { patch: { start: place.start, end: place.end + 1, bytes: Buffer.from(instead) }, count: 1 }
}

/** The line, or the two of it, with line ends, as they were; undefined for one that cannot be mended. */
function whole(line: Buffer, look: Look): Buffer | undefined {
  const withoutLast = line.subarray(0, -1)
  if (isWholeLine(withoutLast, 0, withoutLast.length)) return withLineEnd(withoutLast)
  const parted = partedLines(line)
  if (parted !== undefined) return Buffer.concat(parted.map(withLineEnd))
  const mended = mendedLine(line)
  if (mended === undefined || look(mended, BYTES_BEFORE_JSON, mended.length) === undefined) return undefined
  return withLineEnd(mended)
}

function withLineEnd(line: Buffer): Buffer {
  return Buffer.concat([line, Buffer.from('\n')])
}

async function copyBytes(source: FileHandle, target: FileHandle, from: number, to: number): Promise<void> {
  for (let at = from; at < to; ) {
    const bytes = await readBytes(source, at, Math.min(PIECE_BYTES, to - at))
    if (bytes.length === 0) return
    await target.writeFile(bytes)
    at += bytes.length
  }
}

function legibleIn(line: Buffer): Legible {
  const text = line.toString('utf8')
  const legible: Legible = {}
  for (const name of LEGIBLE) {
    const found = new RegExp(`"${name}":(?:"([^"\\\\]*)"|(\\d+))`).exec(text)
    const value = found?.[1] ?? found?.[2]
    if (value !== undefined) legible[name] = value
  }
  return legible
}
