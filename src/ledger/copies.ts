import { randomBytes } from 'node:crypto'
import { closeSync, lstatSync, openSync, renameSync, rmSync } from 'node:fs'
import { type Database, loadSqlite } from '../storage/sqlite.ts'
import { systemTrouble } from '../storage/systemTrouble.ts'
import { t } from '../text/translate.ts'
import { isObject } from '../wire/answers.ts'
import { isSystemError, UsageError } from '../wire/errors.ts'
import { parseJson } from '../wire/jsonTree.ts'
import { type ChainPoint, chainEnd, storedRecord } from './chain.ts'

/**
 * Writes a consistent copy of a ledger to a new file, for this user alone, while others write. Returns the last record of the copy. It
 * must not be called in a transaction. Throws UsageError if the file exists or cannot be created, and SQLite's error if it cannot be
 * written.
 */
export async function backUp(database: Database, path: string): Promise<ChainPoint> {
  // A process that is killed must not leave half a copy under this name.
  const part = `${path}.${randomBytes(4).toString('hex')}.part`
  try {
    if (lstatSync(path, { throwIfNoEntry: false }) !== undefined) {
      throw new UsageError(t`\`${path}\` already exists`, { hint: t`Name a new file: a backup never overwrites one` })
    }
    // SQLite would create it with mode 0644.
    closeSync(openSync(part, 'wx', 0o600))
  } catch (error) {
    throw cannotCreate(path, error)
  }
  try {
    database.run('VACUUM INTO ?', part)
    renameSync(part, path)
  } catch (error) {
    rmSync(part, { force: true })
    throw error
  }
  const open = await loadSqlite()
  const copy = open(path, { readOnly: true })
  try {
    return chainEnd(copy)
  } finally {
    copy.close()
  }
}

function cannotCreate(path: string, error: unknown): unknown {
  if (!isSystemError(error)) return error
  return new UsageError(t`\`${path}\` cannot be created: ${systemTrouble(error, '').reason}`, {
    hint: t`Name a file in a folder that you may write to`,
  })
}

/** The records after a number up to another, as lines of JSON, each with its number, checksum and content. */
export function exportLines(database: Database, afterSeq: number, toSeq: number): string[] {
  const query = 'SELECT * FROM record WHERE seq > ? AND seq <= ? ORDER BY seq'
  return database.all(query, afterSeq, toSeq).map((row) => {
    const { seq, id, at, user, machine, type, content } = storedRecord(row)
    const parsed = parseJson(content)
    const said = isObject(parsed) ? parsed : { type, content }
    // Spread would take three times as long, and nearly twice the memory.
    return JSON.stringify(Object.assign({ seq, id, at, user, machine }, said, { digest: row.digest }))
  })
}
