import type { Context } from '../../context.ts'
import { chainEnd } from '../../ledger/chain.ts'
import { exportLines } from '../../ledger/copies.ts'
import { defineCommand } from '../command.ts'
import { refuseCsv } from '../optionValues.ts'

/** The records that are read in one transaction. */
const PAGE_RECORDS = 200

/** `pixgate history export`: all records as NDJSON. */
export const historyExport = defineCommand({
  description:
    'Print every record of the ledger as one line of JSON, with its number and checksum; keys and tax documents are whole',
  examples: [['pixgate history export > ledger.ndjson', 'for another system, or an auditor']],
  run: exportRecords,
})

async function exportRecords(context: Context): Promise<number> {
  refuseCsv(context)
  const ledger = await context.ledger()
  const { seq: lastSeq } = await ledger.read(chainEnd)
  for (let after = 0; after < lastSeq; after += PAGE_RECORDS) {
    const to = Math.min(after + PAGE_RECORDS, lastSeq)
    const lines = await ledger.read((database) => exportLines(database, after, to))
    if (lines.length > 0) context.terminal.data(lines.join('\n'))
    if (!(await context.terminal.flush())) break
  }
  return 0
}
