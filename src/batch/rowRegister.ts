import { type Database, integerOf, loadSqlite } from '../storage/sqlite.ts'

const TABLES = `
PRAGMA journal_mode = OFF;
PRAGMA synchronous = OFF;
CREATE TABLE equal_row (digest BLOB PRIMARY KEY, rows INTEGER NOT NULL) STRICT, WITHOUT ROWID;
CREATE TABLE row_id (id TEXT PRIMARY KEY, line INTEGER NOT NULL) STRICT, WITHOUT ROWID;
BEGIN;
`

/**
 * Counts equal rows and remembers ids while a file is read. It is a private database that SQLite writes to a temporary file when it grows,
 * so that a file of a million rows needs no more memory than one of ten.
 */
export class RowRegister {
  readonly #database: Database

  private constructor(database: Database) {
    this.#database = database
  }

  static async open(): Promise<RowRegister> {
    const open = await loadSqlite()
    // An empty name is a private database that disappears when it is closed.
    const database = open('')
    database.exec(TABLES)
    return new RowRegister(database)
  }

  /** Counts a row; returns how many with the same digest were counted before. */
  countEqual(digest: Buffer): number {
    const row = this.#database.get(
      `INSERT INTO equal_row (digest, rows) VALUES (?, 1) ON CONFLICT (digest) DO UPDATE SET rows = rows + 1 RETURNING rows`,
      digest,
    )
    if (row === undefined) throw new Error('a row was not counted')
    return integerOf(row, 'rows') - 1
  }

  /** Remembers the line of an id; returns the line that has it already, undefined if none has. */
  addId(id: string, line: number): number | undefined {
    const isNew =
      this.#database.run('INSERT INTO row_id (id, line) VALUES (?, ?) ON CONFLICT DO NOTHING', id, line) === 1
    if (isNew) return undefined
    const row = this.#database.get('SELECT line FROM row_id WHERE id = ?', id)
    return row === undefined ? undefined : integerOf(row, 'line')
  }

  close(): void {
    this.#database.close()
  }
}
