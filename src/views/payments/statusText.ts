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
import { amountText, instantText, statusColour } from '../valueText.ts'
import { dayMsOf, stateColour, stateRow } from './paymentCells.ts'
import {
  type ComparedItem,
  dateColumn,
  ID_COLUMN,
  otherAmountColumn,
  ownAmountText,
  type PaymentDocument,
  paymentColumn,
  paymentDocument,
  SIGNED_AMOUNT,
  shownDocument,
} from './paymentFields.ts'
import { chargeRows, paymentLines, refundRows } from './paymentText.ts'

/** What was asked for, in a comparison with it. */
const ASKED: Column<ComparedItem> = { ...ID_COLUMN, text: askedText, id: askedText }
/** The id by which commands take a payment or a run. */
const ID: Column<ComparedItem> = { ...ID_COLUMN, text: ownIdText, id: ownIdText }
const [STATUS, AMOUNT, PAID_AT] = [paymentColumn('status'), paymentColumn('amount'), paymentColumn('paidAt')]
/** The word for people; of an id that could not be looked up the code of its error. */
const STATE: Column<ComparedItem> = {
  ...paymentColumn('state'),
  text: ({ document }) => document.error?.code ?? stateWord(document),
  colour: (item, style) =>
    'error' in item.document ? style.red : stateColour(item.document.pixgate?.state ?? '', style),
}
const [PARTY, REF] = [paymentColumn('party'), paymentColumn('ref')]
/** A run has none of the gateway's. */
const OWN_STATUS: Column<ComparedItem> = {
  ...STATUS,
  text: (item) => (isRun(item.document) ? '—' : (STATUS.text?.(item) ?? '')),
}
const GATEWAY_ID = paymentColumn('idTransaction')
/** For programs, what was asked for where the gateway's id is not known, or names a run. */
const NAME: Column<ComparedItem> = {
  ...paymentColumn('name'),
  text: ({ document }) => idText({ ...document, idTransaction: null }),
}
const [OWN_STATE, OWN_ID] = [paymentColumn('state'), paymentColumn('id')]
/** The columns of a list of states. Programs read them by their place, so new ones come last. */
export const STATUS_COLUMNS: readonly Column<ComparedItem>[] = [
  ...[GATEWAY_ID, STATUS, AMOUNT, PAID_AT, PARTY, REF, NAME, OWN_STATE, OWN_ID],
]
/** The columns of such a list in text output. */
export function statusTextColumns(nowMs: number): Column<StatusItem>[] {
  return [ID, STATE, SIGNED_AMOUNT, PARTY, REF, { ...OWN_STATUS, drop: 3 }, dateColumn(nowMs, ({ dayMs }) => dayMs)]
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
  ASKED,
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

/** A line of a list of states. */
export interface StatusItem extends ComparedItem {
  /** When it was paid or recorded, as `history` has it: a person may know more than the gateway answers. */
  dayMs: number | null
}

/** A result as a line of a list. */
export function statusItem(result: StatusResult, unmask: boolean): StatusItem {
  const { document, amountCents, payment, expectation: expected } = result
  const otherCents = expected.amountCents === null ? null : signedCents(expected.amountCents, expected.direction)
  const shown = payment === null ? document : paymentDocument(payment)
  const dayMs = dayMsOf(shown)
  return { document: shownDocument(document, unmask), amountCents, otherCents, dayMs }
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
    run === null ? [t`status`, status ?? '—', statusColour(status, out)] : [t`state`, stateWord(document)],
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

function isRun({ run }: StatusDocument): boolean {
  return run !== undefined
}

/** The word for the state of a payment, or for whether a run is finished. */
function stateWord(document: StatusDocument): string {
  const { status, pixgate } = document
  if (!isRun(document)) return stateText(pixgate?.state ?? status ?? '—')
  return status === 'FINISHED' ? t`finished` : t`not finished`
}

function askedText({ document }: ComparedItem): string {
  return idText(document)
}

function ownIdText({ document }: ComparedItem): string {
  return document.idTransaction || (document.pixgate?.id ?? idText(document))
}

function idText({ idTransaction, run, pixgate }: StatusDocument): string {
  return idTransaction || run || (pixgate?.name ?? '')
}

function foundAmountText(item: ComparedItem): string {
  const { pixgate }: StatusDocument = item.document
  return ownAmountText(item, typeof pixgate?.expected?.direction === 'string')
}
