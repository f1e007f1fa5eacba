import { PAYMENT_STATES, type PaymentState } from '../../ledger/paymentState.ts'
import type { Run } from '../../ledger/runs.ts'
import { formatReais } from '../../pix/amount.ts'
import { formatInstant, parseInstant } from '../../pix/calendar.ts'
import { safeText } from '../../text/safeText.ts'
import { t } from '../../text/translate.ts'
import { ROW_FIELDS, type RowField, rowFile } from '../rowFields.ts'
import type { RowResult } from '../rowResults.ts'

/** A value of a report; the number in an amount is cents. */
export type ReportValue = string | number | null

/** A column of a report. */
export interface ReportColumn {
  /** The name in a CSV file, for programs. */
  name: string
  /** The heading for people. */
  title: string
  /** `integer` and `amount` are numbers in a workbook; ids and keys are text, also if they consist of digits. */
  kind: 'text' | 'integer' | 'amount'
  /** The width in a workbook, in characters. */
  width: number
  cellOf(result: RowResult): ReportValue
  /** True of a cell that a reader must not overlook. */
  isMarked?(result: RowResult): boolean
}

/** A report that is written while its rows are read. */
export interface TextReport {
  head(): string
  row(result: RowResult): string
  foot(totals: ReportTotals): string
}

/** The columns of the report of a run. Text from outside is made harmless: one line, without control characters. */
export function reportColumns(run: Run): ReportColumn[] {
  const file = rowFile(run)
  const fields: readonly RowField[] = ROW_FIELDS
  const placed: { place: number; column: ReportColumn }[] = []
  for (const { path, json, isIn, report } of fields) {
    if (report === undefined || isIn?.(file) === false || report.isIn?.(file) === false) continue
    const { place, title, kind = 'text', width, isMarked } = report
    const cellOf = (result: RowResult) => {
      const value = report.value?.(result) ?? json?.(result) ?? null
      if (kind === 'text') return safeText(value === null ? '' : String(value))
      return typeof value === 'number' ? value : null
    }
    placed.push({ place, column: { name: path, title: title(), kind, width, cellOf, ...(isMarked && { isMarked }) } })
  }
  return placed.sort((one, other) => one.place - other.place).map(({ column }) => column)
}

/** A number of rows and the sum of their amounts. */
export interface RowSum {
  rows: number
  cents: number
}

/** The sums of a report. They are taken from its rows, so that they add up whatever arrives while it is written. */
export class ReportTotals {
  readonly all: RowSum = { rows: 0, cents: 0 }
  /** Rows that were sent before this run; each is also counted in its state. */
  readonly leftOut: RowSum = { rows: 0, cents: 0 }
  /** Rows with another name in the file than in the event; each is also counted in its state. */
  readonly namesDiffer: RowSum = { rows: 0, cents: 0 }
  readonly #states = new Map<PaymentState, RowSum>(PAYMENT_STATES.map((state) => [state, { rows: 0, cents: 0 }]))

  add({ state, amountCents, isLeftOut, names }: RowResult): void {
    const sums = [
      this.all,
      this.#states.get(state),
      isLeftOut ? this.leftOut : undefined,
      names.differ === true ? this.namesDiffer : undefined,
    ]
    for (const sum of sums) {
      if (sum === undefined) continue
      sum.rows += 1
      sum.cents += amountCents ?? 0
    }
  }

  /** The sum of each state, those without rows included. */
  states(): (RowSum & { state: PaymentState; meaning: string })[] {
    return [...this.#states].map(([state, sum]) => ({ state, meaning: stateMeaning(state), ...sum }))
  }
}

function stateMeaning(state: PaymentState): string {
  switch (state) {
    case 'paid':
      return t`The money was paid out`
    case 'accepted':
      return t`The gateway accepted it; whether it was paid is not known yet`
    case 'unknown':
      return t`Whether it was carried out is unknown; check before you pay it again`
    case 'returned':
      return t`It was paid, and the money came back`
    case 'not-paid':
      return t`The gateway accepted it, but it was not paid`
    case 'refused':
      return t`The gateway refused it; no money moved`
    case 'not-sent':
      return t`It was not sent; no money moved`
  }
}

/** The title of the report of a run; that of a sandbox must not be taken for money. */
export function reportTitle({ record: { kind, owner } }: Run): string {
  if (owner.environment === 'sandbox') {
    return kind === 'refund' ? t`PIX refunds - SANDBOX, NO REAL MONEY` : t`PIX transfers - SANDBOX, NO REAL MONEY`
  }
  return kind === 'refund' ? t`PIX refunds` : t`PIX transfers`
}

/** What the payments of a report are, who sent them and when, as labels and values. */
export function reportAbout({ record }: Run, writtenMs: number): [label: string, value: string][] {
  const { run, file, reference, rows, totalCents, at, user, machine, owner, fingerprint } = record
  const startedMs = parseInstant(at)
  return [
    [t`Run`, t`${run}`],
    [t`File`, file === null ? t`standard input` : t`${file}`],
    [t`Reference`, t`${reference}`],
    [t`Environment`, owner.environment],
    [t`Profile`, t`${owner.profile ?? '-'}`],
    [t`Client id`, t`${owner.clientId}`],
    [t`Gateway`, t`${owner.baseUrl}`],
    [t`Started at`, startedMs === undefined ? t`${at}` : formatInstant(startedMs)],
    [t`Started by`, t`${user} on ${machine}`],
    [t`To be sent by this run`, t`${rows} rows, ${formatReais(totalCents)}`],
    [t`Fingerprint`, t`${fingerprint}`],
    [
      t`About the fingerprint`,
      t`A checksum of the ids, destinations and amounts of the payments that this run was to send, in any order. It was shown before the run was confirmed. Two runs with the same fingerprint contain the same payments; a changed amount or destination changes it`,
    ],
    [t`Report written at`, formatInstant(writtenMs)],
  ]
}
