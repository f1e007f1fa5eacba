import type { NamedRun, RowResult } from '../../batch/rowResults.ts'
import {
  type leftOutDocument,
  type RunFigures,
  type RunProgress,
  type RunSummary,
  runFigures,
  tallyOf,
} from '../../batch/runTally.ts'
import type { RowOutcome, RunWorker, SendStop } from '../../batch/sendRows.ts'
import type { AcceptedBefore } from '../../ledger/acceptedBefore.ts'
import { payeeNameOf } from '../../ledger/facts.ts'
import type { RunRecord } from '../../ledger/records.ts'
import { type Run, rowTexts } from '../../ledger/runs.ts'
import { stateText } from '../../ledger/stateWords.ts'
import { unknownOutcomeHint } from '../../payments/attemptOutcomes.ts'
import { formatReais } from '../../pix/amount.ts'
import { parseInstant } from '../../pix/calendar.ts'
import { formatKey } from '../../pix/destination.ts'
import { formatDuration } from '../../pix/duration.ts'
import { COUNT, constant, list, mayBeMissing, objectOf, orNull, shapedBy, TEXT } from '../../schemas/jsonSchema.ts'
import { columnOf, viewOf } from '../../terminal/fields.ts'
import type { Column, Output } from '../../terminal/printer.ts'
import { type LabelledRow, labelledLines, type Terminal } from '../../terminal/terminal.ts'
import { layOutCells } from '../../text/cellLayout.ts'
import { safeText } from '../../text/safeText.ts'
import { hintCommands } from '../../text/shellWord.ts'
import { t, translated } from '../../text/translate.ts'
import { withCode } from '../../wire/errorCodes.ts'
import { OUTCOME } from '../failureView.ts'
import { amountText, instantText, shortInstantText, writerText } from '../valueText.ts'
import { ROW_FIELDS, rowFile } from './rowFields.ts'
import { SUMMARY_LINE, stateCountRows } from './runFields.ts'

const REDRAW_MS = 100
const BAR_CELLS = 24
/** A person reads no more names of rows that the run did not come to; the run has all of them. */
const UNTRIED_MAX = 100
/** Of the further lines about a row. */
const ROW_INDENT = 2

/** The line of JSON about one row. */
export const ROW_LINE = viewOf<RowOutcome>()({
  type: [constant('row'), () => 'row' as const],
  line: [COUNT, ({ row }) => row.line],
  externalId: [TEXT, ({ externalId }) => externalId],
  outcome: [OUTCOME, ({ outcome }) => outcome],
  status: [orNull(TEXT), ({ status }) => status],
  idTransaction: [orNull(TEXT), ({ idTransaction }) => idTransaction],
  errorCode: [orNull(TEXT), ({ errorCode }) => errorCode],
  // Only of a row whose answer could not be recorded.
  pixgate: [
    mayBeMissing(objectOf({ warnings: list(TEXT) })),
    ({ warnings }) => (warnings.length === 0 ? undefined : { warnings: [...warnings] }),
  ],
})

/** Shows the progress of a run: its rows as they end, and on a terminal one line with bar, rate and time left. */
export class RunScreen {
  readonly #output: Output
  readonly #now: () => number
  readonly #run: Run
  readonly #all: number
  readonly #startMs: number
  #drawnMs = Number.NEGATIVE_INFINITY
  /** Of the rows that were named. */
  readonly exitCodes = new Set<number>()
  /** How many of them another run sent. */
  leftOut = 0
  #done = 0
  #untried = 0

  constructor({ print, terminal, now }: Output & { now(): number }, run: Run, all: number) {
    this.#output = { print, terminal }
    this.#now = now
    this.#run = run
    this.#all = all
    this.#startMs = now()
    if (all > 0) this.#draw(this.#startMs)
  }

  /** Shows the result of a row; accepted rows are only shown in JSON. */
  name(rowOutcome: RowOutcome): void {
    const { print } = this.#output
    const { message, isUntried = false, row, exitCode } = rowOutcome
    this.exitCodes.add(exitCode)
    if (row.isLeftOut) this.leftOut += 1
    if (isUntried) this.#untried += 1
    if (print.format !== 'json' && (message === null || (isUntried && this.#untried > UNTRIED_MAX))) return
    print.item(ROW_LINE.documentOf(rowOutcome), () => this.#rowLines(rowOutcome))
  }

  /** {@link name}, for one of the rows that are sent now. */
  row(rowOutcome: RowOutcome): void {
    this.#done += 1
    this.name(rowOutcome)
    const nowMs = this.#now()
    if (nowMs - this.#drawnMs < REDRAW_MS) return
    this.#drawnMs = nowMs
    this.#draw(nowMs)
  }

  /** Says how many rows were not sent beside those that were named; `unnamed` were not even given to `row`. */
  end(unnamed: number): void {
    const { print, terminal } = this.#output
    const more = Math.max(0, this.#untried - UNTRIED_MAX) + unnamed
    if (more === 0 || print.format === 'json') return
    terminal.warn(t`${more} more rows were not sent`)
    terminal.next(t`See all of them:`, [`pixgate batch show ${this.#run.record.run}`])
  }

  /** A row for a person: line, payee, amount and reference, and why. */
  #rowLines(rowOutcome: RowOutcome): string[] {
    const { row, externalId, errorCode, message } = rowOutcome
    const outcome = shownOutcome(rowOutcome)
    const { textColumns, out } = this.#output.terminal
    const paint = outcome === 'unknown' ? out.red.bold : out.red
    const cells = [
      { text: t`line ${row.line}` },
      ...rowName(this.#run, row, externalId).map((word) => ({ text: safeText(word) })),
      { text: stateText(outcome), paint },
      { text: safeText(withCode(message, errorCode) ?? ''), isProse: true },
    ]
    return layOutCells(cells, textColumns, ROW_INDENT)
  }

  #draw(nowMs: number): void {
    this.#output.terminal.progress(
      this.#progress(nowMs),
      this.#all === 1 ? t`${this.#done}/1 row` : t`${this.#done}/${this.#all} rows`,
    )
  }

  #progress(nowMs: number): string {
    const perMs = this.#done / Math.max(1, nowMs - this.#startMs)
    const filled = Math.round((BAR_CELLS * this.#done) / Math.max(1, this.#all))
    const bar = '█'.repeat(Math.min(filled, BAR_CELLS)).padEnd(BAR_CELLS, '░')
    const done = t`${bar} ${this.#done}/${this.#all}  ${Math.round(perMs * 1000)} rows/s`
    if (perMs === 0 || this.#done >= this.#all) return done
    return t`${done}  ${formatDuration((this.#all - this.#done) / perMs)} left`
  }
}

/** What a row is called: payee, amount, and reference. */
function rowName(run: NamedRun, { facts, cells }: RowOutcome['row'], externalId: string): string[] {
  const { name, reference } = rowTexts(run, cells)
  const target = facts.kind === 'transfer' ? formatKey(facts.key, facts.keyType) : facts.originalTransactionId
  return [name ?? payeeNameOf(facts) ?? target, amountText(facts.amountCents), reference?.shown ?? externalId]
}

/** The word for what became of a row. */
function shownOutcome({ outcome, isBeingSent = false }: RowOutcome) {
  return isBeingSent ? 'being-sent' : outcome
}

/** What became of a row, as a fault of its file. */
export function rowFault(run: NamedRun, rowOutcome: RowOutcome) {
  const { row, externalId, errorCode } = rowOutcome
  const message = withCode(rowOutcome.message, errorCode)
  const column = row.facts.kind === 'transfer' ? 'key' : 'originalTransactionId'
  const words = [...rowName(run, row, externalId), stateText(shownOutcome(rowOutcome))].join(', ')
  return { line: row.line, column, message: message === null ? words : t`${words}: ${message}` }
}

/** Prints the summary of a run, and what to type next. `warnings` are those about its file, for JSON: as text they were printed before. */
export function showSummary(
  output: Output,
  { record }: Run,
  summary: RunSummary,
  warnings: readonly string[] = [],
): void {
  const { print, terminal } = output
  const { counts, namesDiffer } = summary
  const figures = runFigures(counts, summary.before)
  const document = shapedBy(SUMMARY_LINE, { ...record, ...figures, type: 'summary', namesDiffer })
  print.item(warnings.length === 0 ? document : { ...document, pixgate: { warnings } }, () =>
    labelledLines(
      [...summaryRows(record, figures, summary.before, terminal.out), ...differenceRows(namesDiffer, terminal.out)],
      terminal.out,
      terminal.textColumns,
    ),
  )
  if (counts.accepted.rows > 0) {
    terminal.note(
      record.kind === 'refund'
        ? t`Accepted does not mean refunded: a \`refund.status\` event reports the result`
        : t`Accepted does not mean paid: a \`transfer.completed\` or \`transfer.failed\` event reports the result`,
    )
  }
  if (namesDiffer > 0) {
    terminal.next(t`Compare the names in the file with those in the events:`, [`pixgate batch show ${record.run}`])
  }
  showNext(output, record.run, summary)
}

/** How many rows were paid to another name than the file has; nothing if there are none. */
export function differenceRows(namesDiffer: number, out: Terminal['out']): LabelledRow[] {
  if (namesDiffer === 0) return []
  const text =
    namesDiffer === 1
      ? t`1 row has another name in the event than in the file`
      : t`${namesDiffer} rows have another name in the event than in the file`
  return [[t`names differ`, text, out.red.bold]]
}

/** Says how to continue a run that has rows left, and what else can tell their outcome; commands are on lines of their own. */
export function showNext(
  { terminal }: Pick<Output, 'terminal'>,
  run: string,
  { counts, refusedResends }: RunProgress,
): void {
  const { unknown, notSent, refused } = tallyOf(counts)
  const { count, first } = refusedResends
  if (unknown > count || notSent > 0) {
    terminal.next(t`Continue this run:`, [`pixgate resume ${run}`])
  }
  if (first !== null) {
    const words = unknownOutcomeHint(first)
    terminal.note(t`Rows whose outcome stays unknown although they were sent again: ${count}`)
    terminal.next(words, hintCommands(words))
  }
  if (refused > 0) {
    terminal.next(t`Send the refused rows again:`, [`pixgate resume ${run} --refused`])
  }
}

function summaryRows(
  { run, rows, totalCents }: RunRecord,
  figures: RunFigures,
  before: AcceptedBefore,
  out: Terminal['out'],
): LabelledRow[] {
  return [
    [t`run`, run, out.bold],
    [t`rows`, t`${rows}, ${formatReais(totalCents)}`],
    ...stateRows({ ...figures, leftOut: 0, leftOutCents: 0 }, before, out),
  ]
}

/** Says why a run stopped before its last row. */
export function showStop({ terminal }: Pick<Output, 'terminal'>, stop: SendStop | null): void {
  switch (stop?.why) {
    case 'failure':
      if (stop.failure === null) terminal.warn(t`Stopped, because the next rows would have failed in the same way`)
      // No document contains it.
      else terminal.alarm(stop.unsent.message)
      return
    case 'in-a-row':
      terminal.warn(stop.unsent.message)
      return
    case 'missing-keys':
      terminal.warn(stop.unsent.message)
      terminal.next(
        t`Check where the keys come from before you continue: the central bank's directory of keys blocks accounts that ask for many keys that do not exist`,
      )
      return
    case 'interrupted':
      terminal.warn(t`Interrupted: what was in flight has finished, and nothing more was sent`)
      return
    case 'abandoned':
      terminal.warn(
        t`Interrupted: the answers to what was in flight were not waited for, so those outcomes are unknown; nothing more was sent`,
      )
  }
}

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

/** The final states of the rows of a run, with their sums; those without rows are left out. */
export function stateRows(
  document: RunFigures & ReturnType<typeof leftOutDocument>,
  before: AcceptedBefore,
  out: Terminal['out'],
): LabelledRow[] {
  const { leftOut, leftOutCents } = document
  return [
    ...stateCountRows(document, out),
    ...(leftOut === 0 ? [] : [[t`left out`, t`${leftOut}, ${amountText(leftOutCents)}`] satisfies LabelledRow]),
    ...(before.rows === 0 ? [] : [[t`accepted before`, beforeText(before), out.yellow] satisfies LabelledRow]),
  ]
}

/** How many of the accepted rows, and how much, an earlier attempt had made, and whose that was as far as it is known. */
function beforeText({ rows, cents, elsewhere }: AcceptedBefore): string {
  const sum = formatReais(cents)
  if (elsewhere.rows === 0) return t`${rows}, ${sum}; the gateway has them from an earlier attempt of this ledger`
  if (elsewhere.rows === rows) {
    return t`${rows}, ${sum}; the gateway has them from an attempt that this ledger does not have, maybe of another machine`
  }
  const elsewhereSum = formatReais(elsewhere.cents)
  return t`${rows}, ${sum}; the gateway has them from earlier attempts, ${elsewhere.rows} of them, ${elsewhereSum}, from attempts that this ledger does not have, maybe of another machine`
}
