import { type Database, type Row, textOf } from '../../storage/sqlite.ts'
import { type ChainedRecord, storedRecord } from '../chain.ts'
import { forgetStop } from '../stop.ts'
import { DERIVED_TABLE_NAMES, DERIVED_TABLES } from '../tables.ts'
import { acceptServer } from './foundServer.ts'
import { replicate } from './replication.ts'
import type { ServerIdentity } from './serverIdentity.ts'

const PAGE_RECORDS = 1000
const KEPT = 'record_is_never_deleted'

/**
 * Makes a copy anew from the records of its server, which another database holds, in one transaction: other processes of this machine, which may use the
 * copy meanwhile, see the one or the other. What concerns this machine alone stays: its processes, its listeners, the rows of its batches.
 */
export function copyAnew(database: Database, source: Database, identity: ServerIdentity): void {
  database.exec('PRAGMA defer_foreign_keys = ON')
  const trigger = database.get('SELECT sql FROM sqlite_schema WHERE name = ?', KEPT)
  database.exec(
    DERIVED_TABLE_NAMES.map((table) => `DROP TABLE ${table};`)
      .reverse()
      .join(''),
  )
  database.exec(`DROP TRIGGER ${KEPT}; UPDATE run SET seq = NULL; DELETE FROM record`)
  database.exec(`${textOf(trigger ?? {}, 'sql')};${DERIVED_TABLES}`)
  forgetStop(database)
  acceptServer(database, identity)
  for (const page of pagesOf(source)) replicate(database, page)
}

function* pagesOf(source: Database): Generator<ChainedRecord[]> {
  let page: ChainedRecord[] = []
  for (const row of source.each('SELECT * FROM record ORDER BY seq')) {
    page.push(chainedRecordOf(row))
    if (page.length < PAGE_RECORDS) continue
    yield page
    page = []
  }
  yield page
}

function chainedRecordOf(row: Row): ChainedRecord {
  return { ...storedRecord(row), digest: textOf(row, 'digest') }
}
