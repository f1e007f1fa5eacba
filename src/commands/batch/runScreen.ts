import type { Context } from '../../context.ts'
import type { RowEnd } from '../../money/batch/rowEnd.ts'
import { type RunTally, summaryDocument } from '../../money/batch/runTally.ts'
import type { WorkStop } from '../../money/batch/work.ts'
import { formatReais } from '../../pix/amount.ts'
import { formatDuration } from '../../pix/duration.ts'
import { type LabelledRow, labelled } from '../../terminal/terminal.ts'
import { t } from '../../text/words.ts'
import type { RunRecord } from '../../timeline/records.ts'

const REDRAW_MS = 100
const BAR_CELLS = 24

/** Shows how a run gets on: its rows as they end, and on a terminal one line with bar, rate and time left. */
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
  }

  /** Shows what became of a row; accepted ones only to programs. */
  row(end: RowEnd): void {
    const { print, terminal } = this.#context
    const { row, externalId, outcome, status, idTransaction, errorCode, failure } = end
    this.#done += 1
    if (print.format === 'json' || failure !== null) {
      const document = { type: 'row', line: row.line, externalId, outcome, status, idTransaction, errorCode }
      print.item(document, () => [
        t`line ${row.line}  ${externalId}  ${outcome}  ${errorCode ?? ''}  ${failure?.message ?? ''}`,
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

/** Prints how a run stands, and what to type next. */
export function showSummary(context: Context, record: RunRecord, tally: RunTally): void {
  const { print, terminal } = context
  const { run } = record
  print.item(summaryDocument(record, tally), () => labelled(summaryRows(record, tally, terminal.out), terminal.out))
  if (tally.accepted > 0) terminal.note(t`Accepted is not paid yet: the events decide`)
  sayNext(context, run, tally)
}

/** Says how to go on with a run that has not ended well. */
export function sayNext({ terminal }: Context, run: string, { unknown, notSent, refused }: RunTally): void {
  if (unknown > 0 || notSent > 0) terminal.next(t`Go on with it: \`pixgate resume ${run}\``)
  if (refused > 0) terminal.next(t`Send the refused ones once more: \`pixgate resume ${run} --refused\``)
}

/** A run and its figures for a person. */
export function summaryRows(
  { run, rows, totalCents }: RunRecord,
  { accepted, refused, unknown, notSent }: RunTally,
  out: Context['terminal']['out'],
): LabelledRow[] {
  return [
    [t`run`, run, out.bold],
    [t`rows`, t`${rows}, ${formatReais(totalCents)}`],
    [t`accepted`, String(accepted), accepted > 0 ? out.green : out],
    [t`refused`, String(refused), refused > 0 ? out.red : out],
    [t`unknown`, String(unknown), unknown > 0 ? out.red.bold : out],
    [t`not sent`, String(notSent), notSent > 0 ? out.yellow : out],
  ]
}

/** Says why the work ended before its last row. */
export function sayStop({ terminal }: Context, stop: WorkStop | null): void {
  switch (stop?.why) {
    case 'failure':
      if (stop.failure === null) terminal.warn(t`Stopped, because the next rows would have met the same`)
      // It stands in no document.
      else terminal.alarm(t`Stopped: ${stop.failure.message}`)
      return
    case 'in-a-row':
      terminal.warn(t`Stopped after ${stop.count} rows in a row that were not accepted`)
      return
    case 'interrupted':
      terminal.warn(t`Stopped, as you asked`)
  }
}
