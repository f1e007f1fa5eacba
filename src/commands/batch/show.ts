import type { Context } from '../../context.ts'
import { standingOf } from '../../money/batch/plan.ts'
import { readRunRows } from '../../money/batch/runRows.ts'
import { parseInstant } from '../../pix/calendar.ts'
import { labelled } from '../../terminal/terminal.ts'
import { t } from '../../text/words.ts'
import { amountText, instantText } from '../../views/payment.ts'
import { defineCommand } from '../command.ts'
import { refuseCsv } from '../optionValues.ts'
import { ledgerTail, standingRun, unknownRun } from './knownRuns.ts'
import { sayNext, summaryRows } from './runScreen.ts'

/** So many rows that are not accepted are listed. */
const OPEN_MAX = 1000

interface OpenRow {
  line: number
  externalId: string
  outcome: string
  amountCents: number | null
}

/** `pixgate batch show`: how a run stands, and which of its rows are not accepted. */
export const batchShow = defineCommand({
  description: 'How the rows of a run stand, and which of them were refused, are in doubt or were not sent',
  arguments: [{ name: '<run>', description: 'name of the run' }],
  examples: [['pixgate batch show run-5f0c2a9b1d3e', 'its figures, and the rows that are open']],
  run: show,
})

async function show(context: Context, { run: name }: { run: string }): Promise<number> {
  refuseCsv(context)
  const tail = await ledgerTail(context)
  const known = tail.index.runs.get(name)
  if (known === undefined) throw unknownRun(name)
  const { record } = known
  const { tally, document } = await standingRun(context, tail, record)
  const open: OpenRow[] = []
  const { baseUrl, clientId, reference } = record
  const rowContext = { account: { baseUrl, clientId }, reference, nowMs: context.now() }
  const { rows } = await readRunRows(context.dataFolder(), name)
  for await (const row of rows) {
    const { as } = standingOf(tail.index, row, rowContext)
    if (as === 'accepted') continue
    const { line, id: externalId, amountCents } = row
    open.push({ line, externalId, outcome: as === 'other' ? 'not-sent' : as, amountCents })
    if (open.length === OPEN_MAX) break
  }
  const { totalCents, fingerprint, user, machine, profile, environment } = record
  const facts = { totalCents, fingerprint, baseUrl, clientId, profile, environment, user, machine }
  const { out } = context.terminal
  context.print.one({ ...document, ...facts, open }, () => [
    ...labelled(
      [
        ...summaryRows(record, tally, out),
        [t`kind`, record.kind],
        [t`file`, record.file ?? '-'],
        [t`reference`, reference],
        [t`address`, baseUrl],
        [t`begun`, instantText(parseInstant(record.at) ?? null)],
        [t`by`, t`${user} on ${machine}`],
        [t`fingerprint`, fingerprint],
      ],
      out,
    ),
    ...open.map(
      ({ line, externalId, outcome, amountCents }) =>
        t`line ${line}  ${externalId}  ${outcome}  ${amountText(amountCents)}`,
    ),
  ])
  sayNext(context, name, tally)
  return 0
}
