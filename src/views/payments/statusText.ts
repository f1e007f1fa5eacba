import type { RunFigures } from '../../batch/runTally.ts'
import type { Payment, RefundSums } from '../../ledger/payments.ts'
import { stateText } from '../../ledger/stateWords.ts'
import type { Expectation } from '../../reconcile/expectations.ts'
import { signedCents } from '../../reconcile/tableFile.ts'
import type { Column } from '../../terminal/printer.ts'
import { type LabelledRow, labelledLines, type Terminal } from '../../terminal/terminal.ts'
import { t, translated } from '../../text/translate.ts'
import { readPaymentStatus } from '../../wire/answers.ts'
import { stateCountRows } from '../batch/runFields.ts'
import { amountText, instantText, shortInstantText, statusColour } from '../valueText.ts'
import { atMsOf, stateColour, stateRow } from './paymentCells.ts'
import {
  type ComparedItem,
  otherAmountColumn,
  ownAmountText,
  type PaymentDocument,
  paymentColumn,
  shownDocument,
} from './paymentFields.ts'
import { chargeRows, paymentLines, refundRows } from './paymentText.ts'

const ID: Column<ComparedItem> = {
  ...paymentColumn('idTransaction'),
  header: 'id',
  text: ({ document }) => idText(document),
  id: ({ document }) => idText(document),
}
const [STATUS, AMOUNT, PAID_AT] = [paymentColumn('status'), paymentColumn('amount'), paymentColumn('paidAt')]
/** The word for people; of an id that could not be looked up the code of its error, and of a run its status. */
const STATE: Column<ComparedItem> = {
  ...paymentColumn('state'),
  text: ({ document: { pixgate, error, status } }) => error?.code ?? stateText(pixgate?.state ?? status ?? '—'),
  colour: (item, style) =>
    'error' in item.document ? style.red : stateColour(item.document.pixgate?.state ?? '', style),
}
const [PARTY, REF] = [paymentColumn('party'), paymentColumn('ref')]
const GATEWAY_ID = paymentColumn('idTransaction')
/** For programs, what was asked for where the gateway's id is not known, or names a run. */
const NAME: Column<ComparedItem> = {
  ...paymentColumn('name'),
  text: ({ document }) => idText({ ...document, idTransaction: null }),
}
/** The columns of a list of states. Programs read them by their place, so new ones come last. */
export const STATUS_COLUMNS: readonly Column<ComparedItem>[] = [GATEWAY_ID, STATUS, AMOUNT, PAID_AT, PARTY, REF, NAME]
/** The columns of such a list in text output. */
export function statusTextColumns(nowMs: number): Column<ComparedItem>[] {
  return [
    ID,
    STATE,
    AMOUNT,
    PARTY,
    REF,
    { ...STATUS, drop: 3 },
    { ...PAID_AT, short: (item) => shortInstantText(atMsOf(item.document.paidAt), nowMs) },
  ]
}

const COMPARED_COLUMNS: readonly Column<ComparedItem>[] = [
  { ...AMOUNT, text: foundAmountText },
  otherAmountColumn('pixgate.expected.amount', 'expected'),
  { ...STATUS, drop: 3 },
  { path: 'pixgate.expected.status', header: 'expected status', drop: 4 },
  { ...PAID_AT, drop: 5 },
]
/** The columns of a comparison with what was expected. */
export const EXPECTED_COLUMNS: readonly Column<ComparedItem>[] = [
  GATEWAY_ID,
  paymentColumn('verdict'),
  ...COMPARED_COLUMNS,
  NAME,
]
/** The columns of such a comparison in text output. */
export const EXPECTED_TEXT_COLUMNS: readonly Column<ComparedItem>[] = [
  ID,
  paymentColumn('verdict'),
  paymentColumn('in'),
  ...COMPARED_COLUMNS,
]

/** The JSON of what is known under one id: a payment or a run, and what was expected of it. */
export type StatusDocument = PaymentDocument & {
  rows?: number
  run?: string
  kind?: string
  pixgate?: { expected?: { direction: string | null } }
}

/** What is known under one id. */
export interface StatusResult {
  document: StatusDocument
  /** Null if unknown. */
  amountCents: number | null
  /** What the ledger knows of it; null for what only the gateway knows. */
  payment: Payment | null
  refunds: RefundSums
  /** True if the gateway was asked for it and answered. */
  isAnswered: boolean
  /** What became of the rows, of a run. */
  run: RunFigures | null
  /** What it is compared with. */
  expectation: Expectation
}

/** A result as a line of a list. */
export function statusItem(result: StatusResult, unmask: boolean): ComparedItem {
  const { document, amountCents, expectation: expected } = result
  const otherCents = expected.amountCents === null ? null : signedCents(expected.amountCents, expected.direction)
  return { document: shownDocument(document, unmask), amountCents, otherCents }
}

/** What is known under one id, for people. */
export function statusLines(
  terminal: Terminal,
  { document, amountCents, payment, refunds, isAnswered, run }: StatusResult,
): string[] {
  const { out } = terminal
  const { environment, baseUrl, state, knownBy = '' } = document.pixgate ?? {}
  const source: LabelledRow = [t`known by`, translated(knownBy)]
  if (payment !== null && !isAnswered) return paymentLines(payment, refunds, terminal)
  const { status, paidAtMs } = readPaymentStatus(document)
  const rows: LabelledRow[] = [
    [t`id`, idText(document)],
    ...(state === undefined ? [] : [stateRow(state, out)]),
    [t`status`, status ?? '—', statusColour(status, out)],
    [t`amount`, amountText(amountCents)],
  ]
  if (isAnswered) {
    rows.push(
      [t`paid at`, instantText(paidAtMs)],
      ...(payment === null ? [] : chargeRows(payment)),
      ...refundRows(refunds, amountCents, out, true),
      source,
    )
    return labelledLines(rows, out, terminal.textColumns)
  }
  if (run !== null) rows.push(...runRows(document.rows ?? 0, run, out))
  rows.push([t`account`, t`${translated(environment ?? '')}, ${baseUrl ?? ''}`], source)
  return labelledLines(rows, out, terminal.textColumns)
}

function runRows(rows: number, figures: RunFigures, out: Terminal['out']): LabelledRow[] {
  const { acceptedBefore, acceptedBeforeCents } = figures
  return [
    [t`rows`, String(rows)],
    ...stateCountRows(figures, out),
    ...(acceptedBefore === 0
      ? []
      : [[t`accepted before`, t`${acceptedBefore}, ${amountText(acceptedBeforeCents)}`] satisfies LabelledRow]),
  ]
}

function idText({ idTransaction, run, pixgate }: StatusDocument): string {
  return idTransaction || run || (pixgate?.name ?? '')
}

function foundAmountText(item: ComparedItem): string {
  const { pixgate }: StatusDocument = item.document
  return ownAmountText(item, typeof pixgate?.expected?.direction === 'string')
}
