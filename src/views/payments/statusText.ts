import type { Payment, RefundSums } from '../../ledger/payments.ts'
import type { Expectation } from '../../reconcile/expectations.ts'
import { signedCents } from '../../reconcile/tableFile.ts'
import type { Column } from '../../terminal/printer.ts'
import { type LabelledRow, labelledLines, type Terminal } from '../../terminal/terminal.ts'
import { t, translated } from '../../text/translate.ts'
import { readPaymentStatus } from '../../wire/answers.ts'
import { amountText, instantText, shortInstantText, statusColour } from '../valueText.ts'
import { atMsOf } from './paymentCells.ts'
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
    STATUS,
    AMOUNT,
    PARTY,
    REF,
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

/** How many rows of a run came to what, in the order in which people read it. */
const COUNTS = [
  'rows',
  'accepted',
  'refused',
  'unknown',
  'beingSent',
  'notSent',
  'paid',
  'failed',
  'returned',
  'pending',
] as const
type Counts = Partial<Record<(typeof COUNTS)[number] | 'acceptedBefore' | 'acceptedBeforeCents', number>>

/** The JSON of what is known under one id: a payment or a run, and what was expected of it. */
export type StatusDocument = PaymentDocument &
  Counts & { run?: string; kind?: string; pixgate?: { expected?: { direction: string | null } } }

/** What is known under one id. */
export interface StatusResult {
  document: StatusDocument
  /** Null if unknown. */
  amountCents: number | null
  /** What the ledger knows of it; null for what only the gateway knows. */
  payment: Payment | null
  refunds: RefundSums
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
export function statusLines(terminal: Terminal, { document, amountCents, payment, refunds }: StatusResult): string[] {
  const { out } = terminal
  const knownBy = document.pixgate?.knownBy ?? ''
  const { status, paidAtMs } = readPaymentStatus(document)
  if (payment !== null && knownBy !== 'gateway') {
    return paymentLines(payment, refunds, terminal, [[t`known by`, translated(knownBy)]])
  }
  const rows: LabelledRow[] = [
    [t`id`, idText(document)],
    ...(document.pixgate?.state === undefined
      ? []
      : [[t`state`, translated(document.pixgate.state)] satisfies LabelledRow]),
    [t`status`, status ?? '—', statusColour(status, out)],
    [t`amount`, amountText(amountCents)],
  ]
  if (knownBy === 'gateway') {
    rows.push(
      [t`paid at`, instantText(paidAtMs)],
      ...(payment === null ? [] : chargeRows(payment)),
      ...refundRows(refunds, amountCents, out, true),
    )
    return labelledLines(rows, out, terminal.textColumns)
  }
  for (const name of COUNTS) {
    if (document[name] !== undefined) rows.push([translated(name), String(document[name])])
    if (name === 'accepted') rows.push(...acceptedBeforeRows(document))
  }
  rows.push(
    [t`account`, t`${translated(document.pixgate?.environment ?? '')}, ${document.pixgate?.baseUrl ?? ''}`],
    [t`known by`, translated(knownBy)],
  )
  return labelledLines(rows, out, terminal.textColumns)
}

/** How many accepted rows of a run, and how much, an earlier attempt had made; nothing if none. */
function acceptedBeforeRows({ acceptedBefore: rows = 0, acceptedBeforeCents: cents = 0 }: Counts): LabelledRow[] {
  if (rows === 0) return []
  return [[t`accepted before`, t`${rows}, ${amountText(cents)}`]]
}

function idText({ idTransaction, run, pixgate }: StatusDocument): string {
  return idTransaction || run || (pixgate?.name ?? '')
}

function foundAmountText(item: ComparedItem): string {
  const { pixgate }: StatusDocument = item.document
  return ownAmountText(item, typeof pixgate?.expected?.direction === 'string')
}
