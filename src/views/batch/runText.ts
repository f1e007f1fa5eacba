import type { RowResult } from '../../batch/rowResults.ts'
import type { leftOutDocument, stateDocument } from '../../batch/runTally.ts'
import type { RunWorker } from '../../batch/runWorkers.ts'
import type { AcceptedBefore } from '../../ledger/acceptedBefore.ts'
import type { Run } from '../../ledger/runs.ts'
import { formatReais } from '../../pix/amount.ts'
import { parseInstant } from '../../pix/calendar.ts'
import { columnOf } from '../../terminal/fields.ts'
import type { Column } from '../../terminal/printer.ts'
import type { LabelledRow, Terminal } from '../../terminal/terminal.ts'
import { t, translated } from '../../text/translate.ts'
import { amountText, instantText, shortInstantText, writerText } from '../valueText.ts'
import { rowFile } from './rowField.ts'
import { ROW_FIELDS } from './rowFields.ts'

function rowColumn(name: (typeof ROW_FIELDS)[number]['name']): Column<RowResult> {
  return columnOf(ROW_FIELDS, name)
}

/** The columns of the rows of a run. The most important ones come first. A payee may be shortened; the id of a refunded payment never is. */
export function rowColumns(
  run: Run,
  {
    hasLeftOut,
    hasFailures,
    hasEventNames,
    hasDifferences,
    hasSenders,
  }: Record<'hasLeftOut' | 'hasFailures' | 'hasEventNames' | 'hasDifferences' | 'hasSenders', boolean>,
  nowMs: number,
): Column<RowResult>[] {
  const { drop = 0, ...nameInEvent } = rowColumn('nameInEvent')
  const names = hasEventNames ? [hasDifferences ? nameInEvent : { ...nameInEvent, drop }] : []
  const leftOut = hasLeftOut ? (['leftOut'] as const) : []
  const date = { ...rowColumn('date'), short: ({ sentMs }: RowResult) => shortInstantText(sentMs, nowMs) }
  const failures = hasFailures ? (['errorCode', 'reason'] as const) : []
  const outcome = [...(['amount', 'state', ...leftOut, ...failures, 'status'] as const).map(rowColumn), date]
  const senders = hasSenders ? (['user', 'machine'] as const) : []
  const ids = ([...senders, 'externalId', 'idTransaction'] as const).map(rowColumn)
  const { drop: targetDrop = 0, ...target } = rowColumn(
    run.record.kind === 'transfer' ? 'key' : 'originalTransactionId',
  )
  return run.record.kind === 'refund' && !rowFile(run).hasNames
    ? [rowColumn('line'), target, ...names, ...outcome, ...ids]
    : [rowColumn('line'), rowColumn('payee'), ...names, ...outcome, { ...target, drop: targetDrop }, ...ids]
}

/** A run as it was started, and who works on it now. */
export function runRows({ record }: Run, worker: RunWorker | null, out: Terminal['out']): LabelledRow[] {
  const { run, kind, file, reference, rows, totalCents, at, owner, fingerprint } = record
  return [
    [t`run`, run],
    [t`kind`, translated(kind)],
    [t`file`, file ?? '-'],
    [t`reference`, reference],
    [t`account`, t`${translated(owner.environment)}, ${owner.baseUrl}, client id ${owner.clientId}`],
    [t`started`, instantText(parseInstant(at) ?? null)],
    [t`by`, writerText(record)],
    ...(worker === null ? [] : [[t`now`, workerText(worker), out.yellow] as const]),
    [t`fingerprint`, fingerprint],
    [t`rows`, t`${rows}, ${formatReais(totalCents)}`],
  ]
}

/** Who works on a run, and since when. */
export function workerText({ user, machine, since }: RunWorker): string {
  return t`being sent by ${user} on ${machine} since ${instantText(parseInstant(since) ?? null)}`
}

/** The final states of the rows of a run, with their sums. */
export function stateRows(
  document: ReturnType<typeof stateDocument> & ReturnType<typeof leftOutDocument>,
  before: AcceptedBefore,
  out: Terminal['out'],
): LabelledRow[] {
  const states = [
    [t`paid`, document.paid, document.paidCents, out.green],
    [t`pending`, document.pending, document.pendingCents, out.yellow, 'accepted'],
    [t`failed`, document.failed, document.failedCents, out.red, 'not-paid'],
    [t`returned`, document.returned, document.returnedCents, out.red],
    [t`refused`, document.refused, document.refusedCents, out.red],
    [t`unknown`, document.unknown, document.unknownCents, out.red.bold],
    [t`not sent`, document.notSent, document.notSentCents, out.yellow],
    [t`left out`, document.leftOut, document.leftOutCents, out],
  ] as const
  const rows = states.map(([label, rows, cents, colour, state]): LabelledRow => {
    const sum = t`${rows}, ${amountText(cents)}`
    // The rows below call these states by another name.
    return [label, state === undefined || rows === 0 ? sum : t`${sum} (${translated(state)})`, rows > 0 ? colour : out]
  })
  return before.rows === 0 ? rows : [...rows, [t`accepted before`, beforeText(before), out.yellow]]
}

/** How many of the accepted rows, and how much, an earlier attempt had made, and whose that was as far as it is known. */
export function beforeText({ rows, cents, elsewhere }: AcceptedBefore): string {
  const sum = formatReais(cents)
  if (elsewhere.rows === 0) return t`${rows}, ${sum} of them by an earlier attempt that this ledger has, too`
  if (elsewhere.rows === rows) {
    return t`${rows}, ${sum} of them by an earlier attempt that this ledger does not have, maybe from another machine`
  }
  const elsewhereSum = formatReais(elsewhere.cents)
  return t`${rows}, ${sum} of them by an earlier attempt: ${elsewhere.rows}, ${elsewhereSum} that this ledger does not have, maybe from another machine, the others that it has`
}
