import type { DatedMovement, MonthBook } from '../../ledger/monthBook.ts'
import { MOVEMENT_KINDS, type MovementKind } from '../../ledger/movements.ts'
import { formatReais } from '../../pix/amount.ts'
import { formatInstant } from '../../pix/calendar.ts'
import type { ClosedPeriod } from '../../pix/period.ts'
import { t } from '../../text/translate.ts'
import {
  onePage,
  originLines,
  originRows,
  type Report,
  type ReportColumn,
  type ReportOrigin,
  type ReportTable,
  type ReportValue,
} from '../report/report.ts'
import { elsewhereTable, movementTable, openTable } from './monthLists.ts'
import {
  apartSums,
  type DaySums,
  daySums,
  type KindSums,
  kindSums,
  kindTitle,
  netCents,
  signedCents,
  unknownAmounts,
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
      movementTable(book.movements, netCents(sums)),
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
  const unknown = unknownAmounts(sums)
  const isMoney = open.filter(({ kind, undated }) => kind !== 'qr' || undated !== null).length
  const byPerson = movements.filter(({ knownBy }) => knownBy === 'person').length
  const otherAmounts = movements.filter(({ otherRequestedCents }) => otherRequestedCents !== null).length
  const sentBefore = movements.filter(isSentBefore)
  const sentBeforeCents = sentBefore.reduce((sum, { amountCents }) => sum + (amountCents ?? 0), 0)
  return [
    ...(writtenMs < beforeMs ? [t`The month is not over: it ends at ${formatInstant(beforeMs - 1)}`] : []),
    ...(unknown > 0 ? [t`The net is INCOMPLETE: it lacks movements whose amount is not known: ${unknown}`] : []),
    ...(isMoney > 0 ? [t`Not in the net, because they are open, unknown or without a day: ${isMoney}`] : []),
    ...(elsewhere.length > 0
      ? [t`Not in the net, because only events tell of them and this ledger did not create them: ${elsewhere.length}`]
      : []),
    ...(otherAmounts > 0
      ? [t`In the net with the amount of their event, which is not what was requested: ${otherAmounts}`]
      : []),
    ...(byPerson > 0 ? [t`In the net, although only a person recorded them: ${byPerson}`] : []),
    ...(sentBefore.length > 0
      ? [
          t`In the net, but first sent with another ledger, whose report may count them too: ${sentBefore.length}, ${formatReais(sentBeforeCents)}`,
        ]
      : []),
  ]
}

/** True of a transfer that the gateway had accepted before this ledger sent it. */
function isSentBefore({ kind, isElsewhere }: DatedMovement): boolean {
  return kind === 'sent' && isElsewhere
}

function sumTable(month: Month, book: MonthBook, sums: KindSums, origin: ReportOrigin): ReportTable {
  const payments = MOVEMENT_KINDS.reduce((count, kind) => count + sums[kind].payments, 0)
  return {
    title: t`Summary`,
    notes: monthNotes(month, book, sums, origin.writtenMs),
    columns: sumColumns(),
    isList: false,
    pages: onePage([
      ...MOVEMENT_KINDS.map((kind) => ({
        cells: [
          kindTitle(kind),
          sums[kind].payments,
          signedCents(kind, sums[kind].cents),
          sums[kind].unknownAmounts,
          kindMeaning(kind),
        ],
      })),
      { cells: [t`Net`, payments, netCents(sums), unknownAmounts(sums), netMeaning()], isSum: true },
    ]),
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

function kindMeaning(kind: MovementKind): string {
  switch (kind) {
    case 'received':
      return t`What payers sent, whole, also if it was refunded later`
    case 'refunded':
      return t`What went back to payers, also if the refund was made elsewhere`
    case 'charged-back':
      return t`What was taken back after a dispute`
    case 'sent':
      return t`What was paid out, whole, also if it came back later`
    case 'returned':
      return t`Transfers that came back, on the day on which that became known`
  }
}

function netMeaning(): string {
  return t`Received less refunded, charged back and sent, plus returned. Without fees, which the gateway does not report`
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
    pages: onePage(
      apartSums(book).map(({ title, payments, cents, unknownAmounts: unknown, meaning }) => ({
        cells: [title, payments, cents, unknown, meaning],
      })),
    ),
  }
}

function dayTable(days: readonly DaySums[], all: KindSums): ReportTable {
  return {
    title: t`Days`,
    notes: [t`Days in São Paulo on which money moved; what left is below zero`],
    columns: [
      { title: t`Day`, kind: 'day', width: 14 },
      ...MOVEMENT_KINDS.flatMap((kind): ReportColumn[] => [
        { title: t`${kindTitle(kind)} (number)`, kind: 'integer', width: 12 },
        { title: t`${kindTitle(kind)} (R$)`, kind: 'amount', width: 15 },
      ]),
      { title: t`Net (R$)`, kind: 'amount', width: 16 },
    ],
    isList: true,
    pages: onePage(days.map(({ day, kinds }) => ({ cells: dayCells(day, kinds) }))),
    totals: () => [dayCells(t`All days`, all)],
  }
}

function dayCells(day: ReportValue, kinds: KindSums): ReportValue[] {
  return [
    day,
    ...MOVEMENT_KINDS.flatMap((kind) => [kinds[kind].payments, signedCents(kind, kinds[kind].cents)]),
    netCents(kinds),
  ]
}
