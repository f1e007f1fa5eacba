import { rm } from 'node:fs/promises'
import { join } from 'node:path'
import { t } from '../../text/words.ts'
import { type LogContents, logPieces, openLog } from '../../timeline/logFile.ts'
import { isObject } from '../../wire/answers.ts'
import { isSystemError, UsageError } from '../../wire/errors.ts'
import type { KeptRow } from './keptRow.ts'

/** The rows of a run as they stand on the disk. */
export interface RunRows {
  /** The names of the file's columns. */
  columns: readonly string[]
  /** From the first to the last; each iteration reads them anew. Throws UsageError where they are damaged or gone. */
  rows: AsyncIterable<KeptRow>
}

const FOLDER = 'runs'
const WRITTEN_AT_ONCE = 2000

/** The folder of what runs keep. */
export function runsFolder(dataFolder: string): string {
  return join(dataFolder, FOLDER)
}

/**
 * Keeps the rows of a run; they are on the disk when it returns. Throws UsageError where they cannot be kept, and leaves
 * nothing behind then.
 */
export async function writeRunRows(
  dataFolder: string,
  run: string,
  columns: readonly string[],
  rows: AsyncIterable<KeptRow>,
): Promise<void> {
  const path = pathOf(dataFolder, run)
  try {
    await writeLines(path, columns, rows)
  } catch (error) {
    await rm(path, { force: true })
    throw isSystemError(error) ? cannotKeep(path, error.code) : error
  }
}

async function writeLines(path: string, columns: readonly string[], rows: AsyncIterable<KeptRow>): Promise<void> {
  const log = await openLog(path)
  try {
    let waiting = [JSON.stringify({ columns })]
    for await (const row of rows) {
      waiting.push(JSON.stringify(row))
      if (waiting.length < WRITTEN_AT_ONCE) continue
      await log.append(waiting)
      waiting = []
    }
    await log.append(waiting)
  } finally {
    await log.close()
  }
}

/** The rows of a run. Throws UsageError where nothing is kept of it. */
export async function readRunRows(dataFolder: string, run: string): Promise<RunRows> {
  const path = pathOf(dataFolder, run)
  for await (const [first] of wholePieces(path)) {
    const head: unknown = JSON.parse(first?.json ?? 'null')
    if (!isHead(head)) break
    return { columns: head.columns, rows: { [Symbol.asyncIterator]: () => rowsIn(path) } }
  }
  throw damaged(path)
}

async function* rowsIn(path: string): AsyncGenerator<KeptRow> {
  let isHeadRead = false
  for await (const entries of wholePieces(path)) {
    for (const { json } of entries) {
      const value: unknown = JSON.parse(json)
      if (isRow(value)) yield value
      else if (isHeadRead) throw damaged(path)
      isHeadRead = true
    }
  }
}

/** The lines of a file; a generator for each of them takes longer than to read it. */
async function* wholePieces(path: string): AsyncGenerator<LogContents['entries']> {
  for await (const { entries, damagedLines } of logPieces(path, 0)) {
    if (damagedLines.length > 0) throw damaged(path)
    yield entries
  }
}

function pathOf(dataFolder: string, run: string): string {
  return join(runsFolder(dataFolder), `${run}.rows`)
}

function isHead(value: unknown): value is { columns: string[] } {
  return isObject(value) && Array.isArray(value.columns)
}

function isRow(value: unknown): value is KeptRow {
  return isObject(value) && typeof value.line === 'number' && typeof value.id === 'string' && Array.isArray(value.cells)
}

/** That the folder of the runs cannot be written to. */
export function cannotKeep(path: string, code: string): UsageError {
  return new UsageError(t`What a run needs cannot be kept in ${path}: ${code}`, {
    details: [t`Nothing was sent, because nobody could go on with it after a crash`],
    hint: t`Make room on the disk and the folder writable, or name another with \`PIXGATE_DATA_DIR\``,
  })
}

function damaged(path: string): UsageError {
  return new UsageError(t`The rows of this run cannot be read from ${path}`, {
    details: [t`Nothing was sent now`],
    hint: t`Send the file again under the same reference: what was sent before is left out`,
  })
}
