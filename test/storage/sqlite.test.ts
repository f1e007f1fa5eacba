import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, it, onTestFinished } from 'vitest'
import { type Database, loadSqlite, SQLITE_CORRUPT, sqliteCode } from '../../src/storage/sqlite.ts'

const PAGE_BYTES = 4096

it.each([
  ['all', (database: Database) => database.all('SELECT * FROM note')],
  ['each', (database: Database) => [...database.each('SELECT * FROM note')]],
  ['get', (database: Database) => database.get('SELECT sum(length(text)) FROM note')],
  ['run', (database: Database) => database.run("UPDATE note SET text = 'y'")],
])('%s of a damaged database fails with the code for damage', async (_name, read) => {
  const database = await damagedDatabase()
  onTestFinished(() => database.close())
  let error: unknown
  try {
    read(database)
  } catch (thrown) {
    error = thrown
  }
  expect(sqliteCode(error)).toBe(SQLITE_CORRUPT)
})

async function damagedDatabase(): Promise<Database> {
  const folder = mkdtempSync(join(tmpdir(), 'pixgate-sqlite-'))
  onTestFinished(() => rmSync(folder, { recursive: true }))
  const path = join(folder, 'notes.db')
  const open = await loadSqlite()
  const database = open(path)
  database.exec('CREATE TABLE note (id INTEGER PRIMARY KEY, text TEXT)')
  database.exec('BEGIN')
  for (let note = 0; note < 1000; note++) database.run('INSERT INTO note (text) VALUES (?)', 'x'.repeat(100))
  database.exec('COMMIT')
  database.close()
  const bytes = readFileSync(path)
  writeFileSync(path, bytes.fill(0xff, 5 * PAGE_BYTES, 8 * PAGE_BYTES))
  return open(path)
}
