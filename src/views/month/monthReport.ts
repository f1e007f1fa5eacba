import type { DatedMovement, MonthBook, Movement, OpenPayment, PaymentDetails } from '../../ledger/monthBook.ts'
import { stateMeaning, stateText } from '../../ledger/stateWords.ts'
import { formatReais } from '../../pix/amount.ts'
import { type ClosedPeriod, formatInstant } from '../../pix/calendar.ts'
import { formatTaxDocument } from '../../pix/taxDocument.ts'
import { safeText } from '../../text/safeText.ts'
import { declared, t, translated } from '../../text/translate.ts'
import {
  onePage,
  originLines,
  originRows,
  type Report,
  type ReportColumn,
  type ReportOrigin,
  type ReportRow,
  type ReportTable,
  type ReportValue,
} from '../report/reportTable.ts'
import {
  apartSums,
  type DaySums,
  daySums,
  type KindSums,
  kindLines,
  kindSums,
  MOVEMENTS,
  netLine,
  type SumLine,
  signedCents,
} from './monthSums.ts'

/** A calendar month in São Paulo. */
export interface Month extends ClosedPeriod {
  /** Such as `11/2026`. */
  name: string
}

/** The month of an account for its accountant: sums with a net line, what is not in it, days, movements, and what is open. */
export function monthReport(month: Month, book: MonthBook, origin: ReportOrigin): Report {
  const sums = kindSums(book.movements)
  const isSandbox = origin.owner.environment === 'sandbox'
  return {
    title: isSandbox ? t`PIX in ${month.name} - SANDBOX, NO REAL MONEY` : t`PIX in ${month.name}`,
    lines: originLines(origin),
    tables: [
      sumTable(month, book, sums, origin),
      apartTable(book),
      dayTable(daySums(book.movements), sums),
      movementTable(book.movements, netLine(sums).cents),
      openTable(book.open),
      ...(book.elsewhere.length === 0 ? [] : [elsewhereTable(book.elsewhere)]),
    ],
  }
}

/** Sentences without which a reader could take the sums for something else. */
export function monthNotes(
  { beforeMs }: Month,
  { movements, open, elsewhere }: MonthBook,
  sums: KindSums,
  writtenMs: number,
): string[] {
  const unknown = netLine(sums).unknownAmounts
  const isMoney = open.filter(({ kind, undated }) => kind !== 'qr' || undated !== null).length
  const byPerson = movements.filter(({ knownBy }) => knownBy === 'person').length
  const unverified = movements.filter(({ isVerified }) => !isVerified).length
  const otherAmounts = movements.filter(({ otherRequestedCents }) => otherRequestedCents !== null).length
  const sentBefore = movements.filter(({ kind, isElsewhere }) => kind === 'sent' && isElsewhere)
  const sentBeforeCents = sentBefore.reduce((sum, { amountCents }) => sum + (amountCents ?? 0), 0)
  const notes: [count: number, note: string][] = [
    [writtenMs < beforeMs ? 1 : 0, t`The month is not over: it ends at ${formatInstant(beforeMs - 1)}`],
    [unknown, t`The net is INCOMPLETE: it lacks movements whose amount is not known: ${unknown}`],
    [isMoney, t`Not in the net, although the money may have moved: ${isMoney}`],
    [
      elsewhere.length,
      t`Not in the net, because only events tell of them and this ledger did not create them: ${elsewhere.length}`,
    ],
    [otherAmounts, t`In the net with the amount of their event, which is not what was requested: ${otherAmounts}`],
    [unverified, t`In the net, although what tells of them is not verified here: ${unverified}`],
    [byPerson, t`In the net, although only a person recorded them: ${byPerson}`],
    // The gateway had accepted these transfers before this ledger sent them.
    [
      sentBefore.length,
      t`In the net, but first sent with another ledger, whose report may count them too: ${sentBefore.length}, ${formatReais(sentBeforeCents)}`,
    ],
  ]
  return notes.flatMap(([count, note]) => (count > 0 ? [note] : []))
}

function sumTable(month: Month, book: MonthBook, sums: KindSums, origin: ReportOrigin): ReportTable {
  return {
    title: t`Summary`,
    notes: monthNotes(month, book, sums, origin.writtenMs),
    columns: sumColumns(),
    isList: false,
    pages: onePage([...kindLines(sums).map(sumRow), { ...sumRow(netLine(sums)), isSum: true }]),
    about: [
      [t`Period`, t`${formatInstant(month.sinceMs)} to ${formatInstant(month.beforeMs - 1)}`],
      ...originRows(origin),
      [t`How days are counted`, dayRule()],
    ],
  }
}

function sumColumns(): ReportColumn[] {
  return [
    { title: t`What`, kind: 'text', width: 48 },
    { title: t`Number`, kind: 'integer', width: 10 },
    { title: t`Sum (R$)`, kind: 'amount', width: 18 },
    { title: t`Of these without a known amount`, kind: 'integer', width: 16 },
    { title: t`Meaning`, kind: 'text', width: 70 },
  ]
}

function sumRow({ title, payments, cents, unknownAmounts, meaning }: SumLine): ReportRow {
  return { cells: [title, payments, cents, unknownAmounts, meaning] }
}

function dayRule(): string {
  return t`Days are those of São Paulo. A charge counts when it was paid and a refund when it was carried out, as their events say. A transfer counts when it was sent, because its event has no date. A chargeback or return counts when its event arrived. What only a person recorded counts when it was sent, or when it was recorded if it was received or returned`
}

function apartTable(book: MonthBook): ReportTable {
  return {
    title: t`Not in the net`,
    notes: [],
    columns: sumColumns(),
    isList: false,
    pages: onePage(apartSums(book).map(sumRow)),
  }
}

function dayTable(days: readonly DaySums[], all: KindSums): ReportTable {
  return {
    title: t`Days`,
    notes: [t`Days in São Paulo on which money moved; what left is below zero`],
    columns: [
      { title: t`Day`, kind: 'day', width: 14 },
      ...kindLines(all).flatMap(({ title }): ReportColumn[] => [
        { title: t`${title} (number)`, kind: 'integer', width: 12 },
        { title: t`${title} (R$)`, kind: 'amount', width: 15 },
      ]),
      { title: t`Net (R$)`, kind: 'amount', width: 16 },
    ],
    isList: true,
    pages: onePage(days.map(({ day, kinds }) => ({ cells: dayCells(day, kinds) }))),
    totals: () => [dayCells(t`All days`, all)],
  }
}

function dayCells(day: ReportValue, kinds: KindSums): ReportValue[] {
  return [day, ...kindLines(kinds).flatMap(({ payments, cents }) => [payments, cents]), netLine(kinds).cents]
}

function movementTable(movements: readonly DatedMovement[], netCents: number): ReportTable {
  return {
    title: t`Movements`,
    notes: [t`Every movement in the net; what left is below zero`],
    columns: movementColumns(
      { title: t`Known by`, kind: 'text', width: 18 },
      { title: t`Note`, kind: 'text', width: 24 },
    ),
    isList: true,
    pages: onePage(
      movements.map((each) => ({ cells: [...movementCells(each), translated(KNOWN_BY[each.knownBy]), noteOf(each)] })),
    ),
    totals: () => [[null, t`Net`, netCents]],
  }
}

/** Movements of which only events tell. */
function elsewhereTable(movements: readonly DatedMovement[]): ReportTable {
  const hasUnverified = movements.some(({ isVerified }) => !isVerified)
  return {
    title: t`Not created here`,
    notes: [
      t`Events tell of these movements, but this ledger did not create the payments, so they are not in the net. Only events that arrived here are listed`,
    ],
    columns: movementColumns(...(hasUnverified ? [{ title: t`Note`, kind: 'text', width: 24 } as const] : [])),
    isList: true,
    pages: onePage(
      movements.map((each) => ({ cells: [...movementCells(each), ...(hasUnverified ? [noteOf(each)] : [])] })),
    ),
  }
}

/** Payments that are not in the net, because nothing tells whether or when their money moved. */
function openTable(open: readonly OpenPayment[]): ReportTable {
  return {
    title: t`Open and unknown`,
    notes: [
      t`Created in this month and not in the net, because it is not known whether their money moved, or on which day`,
    ],
    columns: [
      { title: t`Created at (São Paulo)`, kind: 'time', width: 22 },
      { title: t`Kind`, kind: 'text', width: 12 },
      { title: t`State`, kind: 'text', width: 12 },
      { title: t`Amount (R$)`, kind: 'amount', width: 15 },
      ...detailColumns(),
      { title: t`Meaning`, kind: 'text', width: 34 },
    ],
    isList: true,
    pages: onePage(
      open.map((each) => ({
        cells: [
          each.createdMs,
          translated(PAYMENTS[each.kind]),
          stateText(each.state),
          each.amountCents,
          ...detailCells(each),
          each.isVerified ? openMeaning(each) : t`${openMeaning(each)}; not verified here`,
        ],
      })),
    ),
  }
}

function movementColumns(...more: readonly ReportColumn[]): ReportColumn[] {
  return [
    { title: t`Time (São Paulo)`, kind: 'time', width: 22 },
    { title: t`Kind`, kind: 'id', width: 19 },
    { title: t`Amount (R$)`, kind: 'amount', width: 15 },
    ...detailColumns(),
    ...more,
  ]
}

function movementCells(movement: DatedMovement): ReportValue[] {
  const { atMs, kind } = movement
  return [atMs, translated(MOVEMENTS[kind].one), signedCents(movement), ...detailCells(movement)]
}

function detailColumns(): ReportColumn[] {
  return [
    { title: t`Name`, kind: 'text', width: 26 },
    { title: t`CPF/CNPJ`, kind: 'id', width: 19 },
    { title: t`PIX key, or refunded payment`, kind: 'id', width: 39 },
    { title: t`Your reference`, kind: 'id', width: 39 },
    { title: t`Transaction id`, kind: 'id', width: 39 },
    { title: t`Reason for the refund`, kind: 'text', width: 22 },
  ]
}

function detailCells({ name, taxId, target, reference, idTransaction, reason }: PaymentDetails): ReportValue[] {
  const taxDocument = taxId === null ? null : formatTaxDocument(taxId)
  return [name, taxDocument, target, reference, idTransaction, reason].map((each) =>
    each === null ? null : safeText(each),
  )
}

const KNOWN_BY: Readonly<Record<Movement['knownBy'], string>> = {
  event: declared`event`,
  gateway: declared`gateway's answer`,
  person: declared`a person`,
}

function noteOf({ kind, isElsewhere, amountCents, otherRequestedCents, plannedBy, isVerified }: DatedMovement): string {
  const notes = [
    ...(isVerified ? [] : [t`not verified here`]),
    ...(otherRequestedCents === null ? [] : [t`${formatReais(otherRequestedCents)} had been requested`]),
    ...(amountCents === null ? [t`amount not known`] : []),
    ...(isElsewhere && kind === 'sent' ? [t`first sent with another ledger`] : []),
    ...(isElsewhere && kind === 'refunded' ? [t`refunded elsewhere`] : []),
    ...(plannedBy === null ? [] : [t`requested by ${plannedBy.requestedBy}, approved by ${plannedBy.approvedBy}`]),
  ]
  return notes.join('; ')
}

const PAYMENTS: Readonly<Record<OpenPayment['kind'], string>> = {
  qr: declared`charge`,
  transfer: declared`transfer`,
  refund: declared`refund`,
}

function openMeaning({ undated, kind, state }: OpenPayment): string {
  if (undated !== null) return t`${translated(MOVEMENTS[undated].one)}; it is not known on which day`
  if (state === 'being-sent') return stateMeaning(kind, state)
  if (state === 'unknown') return t`Whether it was carried out is unknown`
  if (state === 'refused') return t`The gateway holds another request with its external id, so it may have been paid`
  return kind === 'qr' ? t`Not paid yet` : t`Accepted; no event says yet whether it was paid`
}
