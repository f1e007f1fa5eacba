import { addRow, noRows, type RowSum } from '../../batch/rowMarks.ts'
import type { RowResult } from '../../batch/rowResults.ts'
import { PAYMENT_STATES, type PaymentState } from '../../ledger/paymentState.ts'
import type { PlannedBy } from '../../ledger/plans.ts'
import type { RunRecord } from '../../ledger/records.ts'
import type { Run } from '../../ledger/runs.ts'
import { stateMeaning, stateText } from '../../ledger/stateWords.ts'
import { formatReais } from '../../pix/amount.ts'
import { formatInstant, parseInstant } from '../../pix/calendar.ts'
import { CENTS, COUNT, enumOf, list, objectOf, shapedBy, TEXT } from '../../schemas/jsonSchema.ts'
import { viewOf } from '../../terminal/fields.ts'
import { safeText } from '../../text/safeText.ts'
import { t } from '../../text/translate.ts'
import {
  originLines,
  originRows,
  type Report,
  type ReportColumn,
  type ReportOrigin,
  type ReportRow,
  type ReportTable,
  type ReportValue,
} from '../report/reportTable.ts'
import { writerText } from '../valueText.ts'
import { ROW_FIELDS, type RowField, rowFile } from './rowFields.ts'

const STATE_SUM = objectOf({ state: enumOf(...PAYMENT_STATES), rows: COUNT, cents: CENTS, unknownAmounts: COUNT })

interface RowColumn extends ReportColumn {
  cellOf(result: RowResult): ReportValue
  isMarked?: (result: RowResult) => boolean
}

/** The accountant's report of a run: its rows, then their sums and what the run was. `sums` has those of all rows when they were read. */
export function runReport(
  run: Run,
  pages: AsyncIterable<readonly RowResult[]>,
  sums: RunSums,
  origin: ReportOrigin,
): Report {
  const { reference, file } = run.record
  const source =
    file === null ? t`Reference ${reference}, from standard input` : t`Reference ${reference}, file ${file}`
  return {
    title: titleOf(run),
    lines: [source, ...originLines(origin)],
    tables: [rowTable(run, pages, sums), sumTable(run, sums, origin)],
  }
}

/** What was written into the report of a run, as JSON. */
export const RUN_REPORT = viewOf<{
  record: RunRecord & { user: string; machine: string; login: string }
  path: string
  sums: RunSums
}>()({
  run: [TEXT, ({ record }) => record.run],
  file: [TEXT, ({ path }) => path],
  rows: [COUNT, ({ sums }) => sums.all.rows],
  totalCents: [CENTS, ({ sums }) => sums.all.cents],
  unknownAmounts: [COUNT, ({ sums }) => sums.all.unknownAmounts],
  leftOut: [COUNT, ({ sums }) => sums.leftOut.rows],
  namesDiffer: [COUNT, ({ sums }) => sums.namesDiffer.rows],
  pixgate: [
    objectOf({ user: TEXT, machine: TEXT, storedBy: TEXT }),
    ({ record: { user, machine, login: storedBy } }) => ({ user, machine, storedBy }),
  ],
  states: [list(STATE_SUM), ({ sums }) => sums.states().map((sum) => shapedBy(STATE_SUM, sum))],
})

/** The title of the report of a run; that of a sandbox must not be taken for money. */
function titleOf({ record: { kind, owner } }: Run): string {
  if (owner.environment === 'sandbox') {
    return kind === 'refund' ? t`PIX refunds - SANDBOX, NO REAL MONEY` : t`PIX transfers - SANDBOX, NO REAL MONEY`
  }
  return kind === 'refund' ? t`PIX refunds` : t`PIX transfers`
}

function rowTable(run: Run, pages: AsyncIterable<readonly RowResult[]>, sums: RunSums): ReportTable {
  const columns = rowColumns(run)
  return {
    title: t`Payments`,
    notes: [],
    columns,
    isList: true,
    pages: rowPages(columns, pages, sums),
    totals: () => {
      const paid = sums.states().find(({ state }) => state === 'paid')
      return [
        totalRow(columns, t`All rows, paid or not`, sums.all.cents),
        ...(paid === undefined ? [] : [totalRow(columns, t`Of these paid`, paid.cents)]),
        ...(sums.sentElsewhere.rows === 0
          ? []
          : [totalRow(columns, t`Of all rows first sent with another ledger`, sums.sentElsewhere.cents)]),
      ]
    },
  }
}

async function* rowPages(
  columns: readonly RowColumn[],
  pages: AsyncIterable<readonly RowResult[]>,
  sums: RunSums,
): AsyncGenerator<ReportRow[]> {
  for await (const results of pages) {
    for (const result of results) sums.add(result)
    yield results.map((result) => rowOf(columns, result))
  }
}

/** The columns of the report of a run. Text from outside is made harmless: one line, without control characters. */
function rowColumns(run: Run): RowColumn[] {
  const file = rowFile(run)
  const fields: readonly RowField[] = ROW_FIELDS
  const placed: { place: number; column: RowColumn }[] = []
  for (const { json, isIn, report } of fields) {
    if (report === undefined || isIn?.(file) === false || report.isIn?.(file) === false) continue
    const { place, title, kind = 'text', width, isMarked } = report
    const cellOf = (result: RowResult) => {
      const value = report.value?.(result) ?? json?.(result) ?? null
      if (kind === 'text' || kind === 'id') return safeText(value === null ? '' : String(value))
      return typeof value === 'number' ? value : null
    }
    placed.push({
      place,
      column: { title: capitalised(title()), kind, width, cellOf, ...(isMarked && { isMarked }) },
    })
  }
  return placed.sort((one, other) => one.place - other.place).map(({ column }) => column)
}

/** A label of screens as the title of a column: in Portuguese *chave Pix* begins with a small letter. */
function capitalised(title: string): string {
  return title.replace(/^\p{Ll}/u, (letter) => letter.toUpperCase())
}

function rowOf(columns: readonly RowColumn[], result: RowResult): ReportRow {
  return {
    cells: columns.map(({ cellOf }) => cellOf(result)),
    marked: columns.flatMap(({ isMarked }, place) => (isMarked?.(result) === true ? [place] : [])),
  }
}

function totalRow(columns: readonly RowColumn[], label: string, cents: number): ReportValue[] {
  const labelled = columns.findIndex(({ kind }) => kind === 'text' || kind === 'id')
  return columns.map(({ kind }, place) => (place === labelled ? label : kind === 'amount' ? cents : null))
}

function sumTable(run: Run, sums: RunSums, origin: ReportOrigin): ReportTable {
  return {
    title: t`Summary`,
    notes: [],
    columns: [
      { title: t`State`, kind: 'text', width: 34 },
      { title: t`Rows`, kind: 'integer', width: 10 },
      { title: t`Sum (R$)`, kind: 'amount', width: 18 },
      { title: t`Of these without a known amount`, kind: 'integer', width: 16 },
      { title: t`Meaning`, kind: 'text', width: 70 },
    ],
    isList: false,
    pages: sumPage(sums),
    about: aboutRun(run, origin),
  }
}

/** The sums, which are known once the rows of the first table were read. */
async function* sumPage(sums: RunSums): AsyncGenerator<ReportRow[]> {
  const row = (label: string, meaning: string, { rows, cents, unknownAmounts }: RowSum): ReportRow => ({
    cells: [label, rows, cents, unknownAmounts, meaning],
  })
  const elsewhere = t`First sent elsewhere, maybe from another machine, whose report counts them, too`
  yield [
    ...sums.states().map((each) => row(stateText(each.state), each.meaning, each)),
    { ...row(t`all rows`, '', sums.all), isSum: true },
    ...sums.groups().map(([label, sum]) => row(label, '', sum)),
    row(t`of these sent before this run`, '', sums.leftOut),
    row(t`of these accepted before`, t`An earlier attempt had made them`, sums.acceptedBefore),
    row(t`of these from another ledger`, elsewhere, sums.sentElsewhere),
    row(t`of these with another name in the event`, '', sums.namesDiffer),
  ]
}

function aboutRun({ record }: Run, origin: ReportOrigin): [label: string, value: string][] {
  const { run, file, reference, rows, totalCents, at, fingerprint } = record
  const startedMs = parseInstant(at)
  return [
    [t`Run`, t`${run}`],
    [t`File`, file === null ? t`standard input` : t`${file}`],
    [t`Reference`, t`${reference}`],
    [t`Started at`, startedMs === undefined ? t`${at}` : formatInstant(startedMs)],
    [t`Started by`, t`${writerText(record)}`],
    [
      t`To be sent by this run`,
      rows === 1 ? t`1 row, ${formatReais(totalCents)}` : t`${rows} rows, ${formatReais(totalCents)}`,
    ],
    [t`Fingerprint`, t`${fingerprint}`],
    [
      t`About the fingerprint`,
      t`A checksum of the ids, destinations and amounts of the payments that this run was to send, in any order. It was shown before the run was confirmed. Two runs with the same fingerprint contain the same payments; a changed amount or destination changes it`,
    ],
    ...originRows(origin),
  ]
}

/** The sums of the rows of a run. They are taken from the rows of a report, so that they add up whatever arrives while it is written. */
export class RunSums {
  readonly #kind: RunRecord['kind']
  readonly all: RowSum = noRows()
  /** Rows that were sent before this run; each is also counted in its state. */
  readonly leftOut: RowSum = noRows()
  /** Rows that the gateway had accepted by an earlier attempt, and those of them that another ledger sent first; counted in their state, too. */
  readonly acceptedBefore: RowSum = noRows()
  readonly sentElsewhere: RowSum = noRows()
  /** Rows with another name in the file than in the event; each is also counted in its state. */
  readonly namesDiffer: RowSum = noRows()
  readonly #senders = new Map<string, RowSum>()
  readonly #approvals = new Map<string, RowSum>()
  readonly #states = new Map<RowState, RowSum>(ROW_STATES.map((state) => [state, noRows()]))

  constructor({ kind }: Pick<RunRecord, 'kind'>) {
    this.#kind = kind
  }

  add({ state, outcome, amountCents, isLeftOut, isFromElsewhere, names, writer, plannedBy }: RowResult): void {
    const sums = [
      this.all,
      state === 'pending' ? undefined : this.#states.get(state),
      isLeftOut ? this.leftOut : undefined,
      outcome === 'accepted-before' ? this.acceptedBefore : undefined,
      isFromElsewhere ? this.sentElsewhere : undefined,
      names.differ === true ? this.namesDiffer : undefined,
      writer === null
        ? undefined
        : this.#sumOf(this.#senders, t`of these by ${t`${writer.user} on ${writer.machine}`}`),
      plannedBy === null ? undefined : this.#sumOf(this.#approvals, approvalText(plannedBy)),
    ]
    for (const sum of sums) {
      if (sum !== undefined) addRow(sum, amountCents)
    }
  }

  /**
   * By their labels, what each person sent on each machine, if they are several, and what was sent by plans, by who made and approved them; each row is also
   * counted in its state.
   */
  groups(): (readonly [label: string, sum: RowSum])[] {
    return [...(this.#senders.size < 2 ? [] : this.#senders), ...this.#approvals]
  }

  #sumOf(sums: Map<string, RowSum>, key: string): RowSum {
    const sum = sums.get(key) ?? noRows()
    sums.set(key, sum)
    return sum
  }

  /** The sum of each state, those without rows included. */
  states(): (RowSum & { state: RowState; meaning: string })[] {
    return [...this.#states].map(([state, sum]) => ({ state, meaning: stateMeaning(this.#kind, state), ...sum }))
  }
}

function approvalText({ requestedBy, approvedBy }: PlannedBy): string {
  return t`of these requested by ${requestedBy}, approved by ${approvedBy}`
}

/** Only charges are pending. */
type RowState = Exclude<PaymentState, 'pending'>

const ROW_STATES = PAYMENT_STATES.filter((state) => state !== 'pending')
