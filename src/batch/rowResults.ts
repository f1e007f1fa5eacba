import { type MoneyPayment, payeeNameOf } from '../ledger/facts.ts'
import { nameColumn } from '../ledger/fileRowTexts.ts'
import type { Ledger } from '../ledger/ledger.ts'
import { type PayeeNames, rowNames } from '../ledger/payeeNames.ts'
import type { PaymentState } from '../ledger/paymentState.ts'
import { attemptOutcome, firstWriter, loadPayment } from '../ledger/payments.ts'
import { type PlannedBy, planOfNewestAttempt } from '../ledger/plans.ts'
import { type RunRowState, runRows } from '../ledger/runRows.ts'
import type { Run } from '../ledger/runs.ts'
import { reasonMeaning } from '../payments/explanation.ts'
import type { Database } from '../storage/sqlite.ts'
import { t } from '../text/translate.ts'
import type { Outcome } from '../wire/errors.ts'

/** The result of one row; a field without a value is null. */
export interface RowResult {
  line: number
  /** The row's own cells, in the order of the file's columns. */
  cells: readonly string[]
  /** The cell that seems to name who is paid, else the name of the payee; null if the file has neither. */
  typedName: string | null
  names: PayeeNames
  facts: MoneyPayment
  amountCents: number | null
  externalId: string
  idTransaction: string | null
  state: PaymentState
  /** True if it was sent before this run. */
  isLeftOut: boolean
  /** True if another ledger, maybe another machine's, had sent it first and counts it, too. */
  isFromElsewhere: boolean
  outcome: Outcome
  status: string | null
  errorCode: string | null
  /** Why it failed, in the language of the texts when it is asked for. */
  message: () => string | null
  sentMs: number | null
  /** Who created its payment, and on which machine; null for one that was not sent. */
  writer: { user: string; machine: string } | null
  /** Who made and approved the plan of its payment; null if it needed none. */
  plannedBy: PlannedBy | null
}

const PAGE_ROWS = 500

/**
 * The results of the rows of a run, page by page, with final states as far as events reported them; no transaction is open between two
 * pages. Throws DamagedRecord.
 */
export async function* resultPages(ledger: Ledger, run: Run): AsyncGenerator<readonly RowResult[]> {
  const namePlace = nameColumn(run)
  for await (const page of pagesOf(ledger, run, (database, state) => resultOf(database, state, namePlace))) yield page
}

/** How many rows of a run have another name in the file than in the events of their payment. Throws DamagedRecord. */
export async function countDifferentNames(ledger: Ledger, run: Run): Promise<number> {
  const namePlace = nameColumn(run)
  if (namePlace === undefined) return 0
  let count = 0
  for await (const page of pagesOf(ledger, run, (database, state) => namesOf(database, state, namePlace))) {
    count += page.filter(({ differ }) => differ === true).length
  }
  return count
}

async function* pagesOf<Item>(
  ledger: Ledger,
  { record }: Run,
  read: (database: Database, state: RunRowState) => Item,
): AsyncGenerator<Item[]> {
  for (let afterLine = 0; ; ) {
    const page = await ledger.read((database) =>
      runRows(database, record.run, afterLine, PAGE_ROWS).map((state) => ({
        line: state.row.line,
        item: read(database, state),
      })),
    )
    const last = page.at(-1)
    if (last === undefined) return
    yield page.map(({ item }) => item)
    afterLine = last.line
  }
}

function namesOf(database: Database, { row, payment }: RunRowState, namePlace: number | undefined): PayeeNames {
  return rowNames(database, namePlace, row.cells, payment === null ? null : { id: payment, kind: row.facts.kind })
}

function resultOf(database: Database, state: RunRowState, namePlace: number | undefined): RowResult {
  const { row, sentMs, idTransaction } = state
  const outcome = outcomeOf(database, state)
  const isSent = outcome !== 'not-sent'
  const failed = state.state === 'not-paid' || state.state === 'returned' || outcome === 'refused'
  const { facts } = row
  return {
    line: row.line,
    cells: row.cells,
    typedName: namePlace === undefined ? payeeNameOf(facts) : (row.cells[namePlace] ?? '').trim(),
    names: namesOf(database, state, namePlace),
    facts,
    amountCents: state.amountCents,
    externalId: (facts.kind === 'transfer' && isSent ? state.name : null) ?? row.rowId,
    idTransaction: isSent ? idTransaction : null,
    state: state.state ?? 'not-sent',
    isLeftOut: row.isLeftOut,
    isFromElsewhere: state.isFromElsewhere,
    outcome,
    status: isSent ? state.status : null,
    errorCode: failed ? state.errorCode : null,
    message: messageOf(database, state, outcome),
    sentMs: isSent ? sentMs : null,
    writer: state.payment !== null && isSent ? firstWriter(database, state.payment) : null,
    plannedBy: state.payment !== null && isSent ? planOfNewestAttempt(database, state.payment) : null,
  }
}

function outcomeOf(database: Database, { payment, state, name }: RunRowState): Outcome {
  if (payment === null || state === null || state === 'not-sent') return 'not-sent'
  if (state === 'refused' || state === 'unknown') return state
  const outcome = attemptOutcome(database, payment, name)
  if (outcome === 'accepted' || outcome === 'accepted-before') return outcome
  // A finding or an event takes precedence over a missing answer.
  return state === 'paid' || state === 'accepted' ? 'accepted' : 'refused'
}

function messageOf(
  database: Database,
  { payment, state, errorCode }: RunRowState,
  outcome: Outcome,
): () => string | null {
  if (state === 'unknown') return () => t`Whether it was carried out is unknown`
  if (payment === null || (state !== 'refused' && state !== 'not-paid' && state !== 'returned')) return () => null
  const loaded = loadPayment(database, payment)
  const { answer, event, finding } = loaded.summary.deciding
  const reportedReason =
    event?.errorMessage ?? (outcome === 'refused' ? answer?.message : null) ?? finding?.because ?? null
  if (reportedReason !== null) return () => reportedReason
  if (state === 'returned') return () => t`The money came back`
  if (errorCode === null) return () => t`It was refused`
  return () => reasonMeaning(loaded)?.sentence ?? t`The gateway refused it with ${errorCode}`
}
