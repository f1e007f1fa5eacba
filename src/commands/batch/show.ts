import { nameColumn, resultPages, rowDetail } from '../../batch/rowResults.ts'
import { leftOutDocument, runDocument, stateDocument, tallyOf } from '../../batch/runTally.ts'
import type { Context } from '../../context.ts'
import type { Ledger } from '../../ledger/ledger.ts'
import { countLeftOut, countRun } from '../../ledger/runRows.ts'
import type { Run as BatchRun } from '../../ledger/runs.ts'
import { formatReais } from '../../pix/amount.ts'
import { parseInstant } from '../../pix/calendar.ts'
import type { Column, Document } from '../../terminal/printer.ts'
import { type LabelledRow, labelled } from '../../terminal/terminal.ts'
import { t } from '../../text/words.ts'
import { amountText, instantText } from '../../views/payment.ts'
import { defineCommand } from '../command.ts'
import { runNamed, unknownRun } from './knownRuns.ts'
import { showNext } from './runScreen.ts'

/** A person reads no more rows than this; CSV and JSON have all of them. */
const TEXT_ROWS_MAX = 1000

export const batchShow = defineCommand({
  description: 'The rows of a run with their final states, and the sums of each state',
  arguments: [{ name: '<run>', description: 'name of the run' }],
  examples: [['pixgate batch show run-5f0c2a9b1d3e', 'what became of each payment']],
  run: show,
})

async function show(context: Context, { run: name }: { run: string }): Promise<number> {
  const known = await runNamed(context, name)
  if (known === undefined) throw unknownRun(name)
  const { print } = context
  const ledger = await context.ledger()
  const rowsDetail = await detailsOf(ledger, known, print.format === 'text' ? TEXT_ROWS_MAX : null)
  const columns = columnsOf(known)
  if (print.format === 'csv') {
    await print.list(rowsDetail, columns)
    return 0
  }
  const { counts, leftOut } = await ledger.read((database) => ({
    counts: countRun(database, name),
    leftOut: countLeftOut(database, name),
  }))
  const { record } = known
  const tally = tallyOf(counts)
  const { totalCents, fingerprint, user, machine, owner } = record
  const { profile, environment, baseUrl, clientId } = owner
  const states = stateDocument(counts)
  const document = {
    ...runDocument(record, tally),
    ...states,
    ...leftOutDocument(leftOut),
    totalCents,
    fingerprint,
    baseUrl,
    clientId,
    profile,
    environment,
    user,
    machine,
  }
  const { out } = context.terminal
  if (print.format === 'json') {
    print.one({ ...document, rowsDetail }, () => [])
    return 0
  }
  print.one(document, () => labelled([...runRows(known), ...stateRows(document, out)], out))
  await print.list(rowsDetail, columns)
  if (record.rows + document.leftOut > rowsDetail.length) {
    context.terminal.note(t`The first ${rowsDetail.length} rows are shown; \`-o csv\` lists all of them`)
  }
  showNext(context, name, tally)
  return 0
}

async function detailsOf(ledger: Ledger, run: BatchRun, max: number | null): Promise<Document[]> {
  const namePlace = nameColumn(run)
  const details: Document[] = []
  for await (const page of resultPages(ledger, run)) {
    details.push(...page.map((result) => rowDetail(result, namePlace)))
    if (max !== null && details.length >= max) break
  }
  return max === null ? details : details.slice(0, max)
}

function columnsOf(run: BatchRun): Column[] {
  const isTransfer = run.record.kind === 'transfer'
  return [
    { path: 'line' },
    { path: isTransfer ? 'key' : 'originalTransactionId' },
    ...(nameColumn(run) === undefined ? [] : [{ path: 'name' }]),
    {
      path: 'amount',
      text: ({ amount }) => (typeof amount === 'number' ? formatReais(Math.round(amount * 100)) : '—'),
    },
    { path: 'state' },
    { path: 'status' },
    { path: 'errorCode' },
    { path: 'externalId' },
    { path: 'idTransaction' },
    { path: 'message' },
    { path: 'sentAt', text: ({ sentAt }) => instantText(parseInstant(String(sentAt)) ?? null) },
    { path: 'leftOut', text: ({ leftOut }) => (leftOut === true ? t`left out` : '') },
  ]
}

function runRows({ record }: BatchRun): LabelledRow[] {
  const { run, kind, file, reference, rows, totalCents, at, user, machine, owner, fingerprint } = record
  return [
    [t`run`, run],
    [t`kind`, kind],
    [t`file`, file ?? '-'],
    [t`reference`, reference],
    [t`address`, owner.baseUrl],
    [t`started`, instantText(parseInstant(at) ?? null)],
    [t`by`, t`${user} on ${machine}`],
    [t`fingerprint`, fingerprint],
    [t`rows`, t`${rows}, ${formatReais(totalCents)}`],
  ]
}

function stateRows(
  document: ReturnType<typeof stateDocument> & ReturnType<typeof leftOutDocument>,
  out: Context['terminal']['out'],
): LabelledRow[] {
  const states = [
    [t`paid`, document.paid, document.paidCents, out.green],
    [t`pending`, document.pending, document.pendingCents, out.yellow],
    [t`failed`, document.failed, document.failedCents, out.red],
    [t`returned`, document.returned, document.returnedCents, out.red],
    [t`refused`, document.refused, document.refusedCents, out.red],
    [t`unknown`, document.unknown, document.unknownCents, out.red.bold],
    [t`not sent`, document.notSent, document.notSentCents, out.yellow],
    [t`left out`, document.leftOut, document.leftOutCents, out],
  ] as const
  return states.map(([label, rows, cents, colour]) => [
    label,
    t`${rows}, ${amountText(cents)}`,
    rows > 0 ? colour : out,
  ])
}
