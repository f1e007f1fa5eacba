import { runDocument, tallyOf } from '../../batch/runTally.ts'
import type { Context } from '../../context.ts'
import { countRun } from '../../ledger/runRows.ts'
import { listRuns } from '../../ledger/runs.ts'
import { parseInstant } from '../../pix/calendar.ts'
import type { Document } from '../../terminal/printer.ts'
import { t } from '../../text/words.ts'
import { instantText } from '../../views/payment.ts'
import { defineCommand } from '../command.ts'

const COLUMNS = [
  { path: 'run' },
  { path: 'kind' },
  { path: 'file' },
  { path: 'reference' },
  { path: 'rows' },
  { path: 'accepted' },
  { path: 'refused' },
  { path: 'unknown' },
  { path: 'notSent' },
  { path: 'startedAt', text: ({ startedAt }: Document) => instantText(parseInstant(String(startedAt)) ?? null) },
  { path: 'finished' },
]
const NARROW = ['run', 'reference', 'rows', 'accepted', 'refused', 'unknown', 'notSent']
const COLUMNS_NEEDED = 160

export const batchList = defineCommand({
  description: 'The runs of this machine, newest first, and the outcomes of their rows',
  examples: [['pixgate batch list', 'what was sent, and what is left']],
  run: list,
})

async function list(context: Context): Promise<number> {
  const ledger = await context.ledger()
  const runs = await ledger.read(listRuns)
  const documents: Document[] = []
  for (const { record } of runs) {
    const counts = await ledger.read((database) => countRun(database, record.run))
    documents.push(runDocument(record, tallyOf(counts)))
  }
  if (documents.length === 0 && context.print.format === 'text') {
    context.terminal.note(t`No batch was sent from this machine yet`)
    return 0
  }
  const { terminal, print } = context
  const isNarrow = print.format === 'text' && terminal.outIsTerminal && terminal.columns < COLUMNS_NEEDED
  await print.list(documents, isNarrow ? COLUMNS.filter(({ path }) => NARROW.includes(path)) : COLUMNS)
  return 0
}
