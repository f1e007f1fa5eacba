import { statSync } from 'node:fs'
import { defineCommand } from '../../commandDefinition.ts'
import type { Context } from '../../context.ts'
import { chainEnd } from '../../ledger/chain.ts'
import { exportLines } from '../../ledger/copies.ts'
import { hasAccountLedger } from '../../openLedgers.ts'
import { readText } from '../../optionParsers.ts'
import { safeJson } from '../../text/safeText.ts'
import { t } from '../../text/translate.ts'
import type { Printed } from '../../views/outputSchemas.ts'
import { UsageError } from '../../wire/errors.ts'

export const historyBackup = defineCommand({
  arguments: [{ name: '<file>', description: 'a new file; an existing file is never overwritten', parse: readText }],
  examples: [['pixgate history backup ledger-2026-11-22.db', 'every day, from a scheduler']],
  run: backup,
})

async function backup(context: Context, { file: path }: { file: string }): Promise<number> {
  if (!(await hasAccountLedger(context))) {
    throw new UsageError(t`There is no ledger in \`${context.dataFolder()}\` yet`, {
      hint: t`Send a payment first, or set \`PIXGATE_DATA_DIR\` to the folder that holds the ledger`,
    })
  }
  const ledger = await context.ledger()
  const { seq } = await ledger.backUp(path)
  const { size: bytes } = statSync(path)
  context.print.one<Printed<'history-backup'>>({ file: path, records: seq, bytes }, () => [
    seq === 1 ? t`1 record was copied to ${path}` : t`${seq} records were copied to ${path}`,
  ])
  return 0
}

/** The records that are read in one transaction. */
const PAGE_RECORDS = 200

export const historyExport = defineCommand({
  examples: [['pixgate history export > ledger.ndjson', 'for another system, or an auditor']],
  run: exportRecords,
})

async function exportRecords(context: Context): Promise<number> {
  const ledger = await context.ledger()
  const { seq: lastSeq } = await ledger.read(chainEnd)
  for (let after = 0; after < lastSeq; after += PAGE_RECORDS) {
    const to = Math.min(after + PAGE_RECORDS, lastSeq)
    const lines = await ledger.read((database) => exportLines(database, after, to))
    if (lines.length > 0) context.terminal.data(safeJson(lines.join('\n')))
    if (!(await context.terminal.flush())) break
  }
  return 0
}
