import type { RowOutcome } from '../../batch/rowOutcome.ts'
import { countDifferentNames } from '../../batch/rowResults.ts'
import { type RunProgress, type RunTally, runProgress, summaryDocument, tallyOf } from '../../batch/runTally.ts'
import type { SendStop } from '../../batch/sendRows.ts'
import type { Context } from '../../context.ts'
import type { Ledger } from '../../ledger/ledger.ts'
import type { RunRecord } from '../../ledger/records.ts'
import type { Run } from '../../ledger/runs.ts'
import { unknownOutcomeHint } from '../../payments/unknownOutcome.ts'
import { formatReais } from '../../pix/amount.ts'
import { formatDuration } from '../../pix/duration.ts'
import { type LabelledRow, labelledLines } from '../../terminal/terminal.ts'
import { hintCommands } from '../../text/commandsInHint.ts'
import { t } from '../../text/translate.ts'

const REDRAW_MS = 100
const BAR_CELLS = 24

/** Shows the progress of a run: its rows as they end, and on a terminal one line with bar, rate and time left. */
export class RunScreen {
  readonly #context: Context
  readonly #all: number
  readonly #startMs: number
  #drawnMs = Number.NEGATIVE_INFINITY
  #done = 0

  constructor(context: Context, all: number) {
    this.#context = context
    this.#all = all
    this.#startMs = context.now()
    context.terminal.passing(this.#progress(this.#startMs))
  }

  /** Shows the result of a row; accepted rows are only shown in JSON. */
  row(rowOutcome: RowOutcome): void {
    const { print, terminal } = this.#context
    const { line, externalId, outcome, status, idTransaction, errorCode, failure, warnings } = rowOutcome
    this.#done += 1
    if (print.format === 'json' || failure !== null) {
      const fields = { type: 'row', line, externalId, outcome, status, idTransaction, errorCode }
      const document = warnings.length === 0 ? fields : { ...fields, pixgate: { warnings } }
      print.item(document, () => [
        t`line ${line}  ${externalId}  ${outcome}  ${errorCode ?? ''}  ${failure?.message ?? ''}`,
      ])
    }
    const nowMs = this.#context.now()
    if (nowMs - this.#drawnMs < REDRAW_MS) return
    this.#drawnMs = nowMs
    terminal.passing(this.#progress(nowMs))
  }

  #progress(nowMs: number): string {
    const perMs = this.#done / Math.max(1, nowMs - this.#startMs)
    const filled = Math.round((BAR_CELLS * this.#done) / Math.max(1, this.#all))
    const bar = '█'.repeat(Math.min(filled, BAR_CELLS)).padEnd(BAR_CELLS, '░')
    const left = perMs === 0 ? '' : formatDuration((this.#all - this.#done) / perMs)
    return t`${bar} ${this.#done}/${this.#all}  ${Math.round(perMs * 1000)} rows/s  ${left} left`
  }
}

/** What the summary of a run counts. */
export interface RunSummary extends RunProgress {
  /** Rows with another name in the file than in an event. */
  namesDiffer: number
}

/** Counts the rows of a run. Throws DamagedRecord. */
export async function summarise(ledger: Ledger, run: Run): Promise<RunSummary> {
  const progress = await ledger.read((database) => runProgress(database, run.record.run))
  return { ...progress, namesDiffer: await countDifferentNames(ledger, run) }
}

/** Prints the summary of a run, and what to type next. */
export function showSummary(context: Context, { record }: Run, summary: RunSummary): void {
  const { print, terminal } = context
  const { counts, namesDiffer } = summary
  const tally = tallyOf(counts)
  print.item(summaryDocument(record, tally, summary), () =>
    labelledLines(
      [
        ...summaryRows(record, tally, summary.acceptedBefore, terminal.out),
        ...differenceRows(namesDiffer, terminal.out),
      ],
      terminal.out,
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
    terminal.next(t`Compare the names in the file with those in the events:`)
    terminal.note(`pixgate batch show ${record.run}`)
  }
  showNext(context, record.run, summary)
}

/** How many rows were paid to another name than the file has; nothing if there are none. */
export function differenceRows(namesDiffer: number, out: Context['terminal']['out']): LabelledRow[] {
  if (namesDiffer === 0) return []
  const text =
    namesDiffer === 1
      ? t`1 row has another name in the event than in the file`
      : t`${namesDiffer} rows have another name in the event than in the file`
  return [[t`names differ`, text, out.red.bold]]
}

/** Says how to continue a run that has rows left, and what else can tell their outcome; commands are on lines of their own. */
export function showNext({ terminal }: Context, run: string, { counts, refusedResends }: RunProgress): void {
  const { unknown, notSent, refused } = tallyOf(counts)
  const { count, first } = refusedResends
  if (unknown > count || notSent > 0) {
    terminal.next(t`Continue this run:`)
    terminal.note(`pixgate resume ${run}`)
  }
  if (first !== null) {
    const words = unknownOutcomeHint(first)
    terminal.note(t`Rows whose outcome stays unknown although they were sent again: ${count}`)
    terminal.next(words)
    for (const command of hintCommands(words)) terminal.note(command)
  }
  if (refused > 0) {
    terminal.next(t`Send the refused rows again:`)
    terminal.note(`pixgate resume ${run} --refused`)
  }
}

/** A run and its figures for a person. */
function summaryRows(
  { run, rows, totalCents }: RunRecord,
  { accepted, refused, unknown, notSent }: RunTally,
  acceptedBefore: number,
  out: Context['terminal']['out'],
): LabelledRow[] {
  const earlier = t`${acceptedBefore} of them by an earlier attempt, maybe from another machine`
  return [
    [t`run`, run, out.bold],
    [t`rows`, t`${rows}, ${formatReais(totalCents)}`],
    [t`accepted`, String(accepted), accepted > 0 ? out.green : out],
    ...(acceptedBefore > 0 ? [['', earlier, out.yellow] as const] : []),
    [t`refused`, String(refused), refused > 0 ? out.red : out],
    [t`unknown`, String(unknown), unknown > 0 ? out.red.bold : out],
    [t`not sent`, String(notSent), notSent > 0 ? out.yellow : out],
  ]
}

/** Says why a run stopped before its last row. */
export function showStop({ terminal }: Context, stop: SendStop | null): void {
  switch (stop?.why) {
    case 'failure':
      if (stop.failure === null) terminal.warn(t`Stopped, because the next rows would have failed in the same way`)
      // No document contains it.
      else terminal.alarm(t`Stopped: ${stop.failure.message}`)
      return
    case 'in-a-row':
      terminal.warn(t`Stopped after ${stop.count} consecutive rows that were not accepted`)
      return
    case 'missing-keys':
      terminal.warn(t`Stopped after ${stop.count} PIX keys that were not found`)
      terminal.next(
        t`Check where the keys come from before you continue: the central bank's directory of keys blocks accounts that ask for many keys that do not exist`,
      )
      return
    case 'interrupted':
      terminal.warn(t`Interrupted: what was in flight has finished, and nothing more was sent`)
  }
}
