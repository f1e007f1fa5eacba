import { existsSync } from 'node:fs'
import type { Database } from '../storage/sqlite.ts'
import { t } from '../text/words.ts'
import { UsageError } from '../wire/errors.ts'
import { storedRecord } from './chain.ts'

/**
 * Writes a consistent copy of a ledger to a new file while others write. It must not be called in a transaction. Throws UsageError if
 * the file exists, and SQLite's error if it cannot be written.
 */
export function backUp(database: Database, path: string): void {
  if (existsSync(path)) {
    throw new UsageError(t`\`${path}\` exists already`, { hint: t`Name a new file: a backup never replaces one` })
  }
  database.run('VACUUM INTO ?', path)
}

/** The records after a number up to another, as lines of JSON, each with its number, checksum and content. */
export function* exportLines(database: Database, afterSeq: number, toSeq: number): Generator<string> {
  const query = 'SELECT * FROM record WHERE seq > ? AND seq <= ? ORDER BY seq'
  for (const row of database.each(query, afterSeq, toSeq)) {
    const { content, type, payment, ...stamp } = storedRecord(row)
    const parsed: unknown = JSON.parse(content)
    yield JSON.stringify({ ...stamp, ...(typeof parsed === 'object' ? parsed : {}), digest: row.digest })
  }
}
