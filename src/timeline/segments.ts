import { existsSync } from 'node:fs'
import { type FileHandle, rename, stat } from 'node:fs/promises'
import { basename, dirname } from 'node:path'
import { namesIn } from '../locks/folderNames.ts'
import { type OpenLog, openLog, openOrNothing, syncFile, syncFolder } from './logFile.ts'

/** A log goes on in a new file when it has so many bytes. What is in the last file every command reads whole. */
export const SEGMENT_BYTES_MAX = 16 * 1024 * 1024

const EXTENSION = '.log'
const NUMBER_DIGITS = 6

/** One of the files of a log, open for reading. */
export interface OpenSegment {
  /** Undefined where there is none: one that was sealed is missing then, the last one was not begun yet. */
  file: FileHandle | undefined
  path: string
  /** False for the last one, which grows. */
  isSealed: boolean
}

/** The path of the sealed segment of this number, counted from 1, of the log at a path: `timeline.000001.log`. */
export function sealedPath(path: string, number: number): string {
  return `${path.slice(0, -EXTENSION.length)}.${String(number).padStart(NUMBER_DIGITS, '0')}${EXTENSION}`
}

/** The path of what is remembered of a sealed segment: `timeline.000001.index`. */
export function indexPath(path: string, number: number): string {
  return `${sealedPath(path, number).slice(0, -EXTENSION.length)}.index`
}

/**
 * How many segments of the log at this path were sealed: the highest number that one of them, or what is remembered of it,
 * has. Throws the system's error.
 */
function sealedCount(path: string): number {
  const name = basename(path, EXTENSION)
  let count = 0
  for (const entry of namesIn(dirname(path))) {
    const number = /^\.(\d{6,15})\.(?:log|index)$/.exec(entry.slice(name.length))?.[1]
    if (entry.startsWith(name) && number !== undefined) count = Math.max(count, Number(number))
  }
  return count
}

/** The paths of all files of a log, oldest first, the one that grows at the end. They need not exist. */
export function segmentPaths(path: string): string[] {
  const sealed = Array.from({ length: sealedCount(path) }, (_, index) => sealedPath(path, index + 1))
  return [...sealed, path]
}

/** Bytes of all files of a log. */
export async function logBytes(path: string): Promise<number> {
  let bytes = 0
  for (const each of segmentPaths(path)) bytes += (await stat(each).catch(() => undefined))?.size ?? 0
  return bytes
}

/**
 * Opens the segment of this number, which may be sealed at this very moment. Those before it must have been there. Throws
 * the system's error.
 */
export async function openSegment(path: string, number: number): Promise<OpenSegment> {
  const sealed = sealedPath(path, number)
  for (;;) {
    const file = existsSync(sealed) ? await openOrNothing(sealed) : undefined
    if (file !== undefined) return { file, path: sealed, isSealed: true }
    const last = await openOrNothing(path)
    // Counted after it was opened: what has not been sealed by now was this one.
    if (sealedCount(path) < number) return { file: last, path, isSealed: false }
    await last?.close()
    if (!existsSync(sealed)) return { file: undefined, path: sealed, isSealed: true }
  }
}

/**
 * Opens the last file of a log for appending, like `openLog`. Where it has grown to so many bytes it is sealed first, that
 * is renamed, and a new one is begun. The caller holds the lock of the log until it has closed it.
 */
export async function openLastSegment(path: string, bytesMax: number): Promise<OpenLog> {
  const log = await openLog(path)
  if ((await log.append([])).end < bytesMax) return log
  await log.close()
  // A torn line that was cut off must not come back.
  await syncFile(path)
  try {
    await rename(path, sealedPath(path, sealedCount(path) + 1))
  } catch (error) {
    // What holds the file for a moment, as backups do, is no reason to lose an answer: the next turn seals it.
    if (error instanceof Error && 'code' in error) return openLog(path)
    throw error
  }
  // A new file that came to the disk before the old one's new name would take the place of it.
  await syncFolder(dirname(path))
  return openLog(path)
}
