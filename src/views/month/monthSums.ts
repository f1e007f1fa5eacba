import {
  addTo,
  type DatedMovement,
  isIncoming,
  MOVEMENT_KINDS,
  type MonthBook,
  type MonthSum,
  type MovementKind,
  noPayments,
  type OpenPayment,
} from '../../ledger/monthBook.ts'
import { saoPauloDay } from '../../pix/calendar.ts'
import { t } from '../../text/translate.ts'

/** The sums of movements by their kinds. */
export type KindSums = Readonly<Record<MovementKind, MonthSum>>

/** A São Paulo day `2026-11-30`, and what moved on it. */
export interface DaySums {
  day: string
  kinds: KindSums
}

/** Adds movements up by kind. */
export function kindSums(movements: readonly DatedMovement[]): KindSums {
  const sums = {
    received: noPayments(),
    refunded: noPayments(),
    'charged-back': noPayments(),
    sent: noPayments(),
    returned: noPayments(),
  }
  for (const { kind, amountCents } of movements) sums[kind] = addTo(sums[kind], amountCents)
  return sums
}

/** The days on which money moved, and its sums. The movements are in the order of time. */
export function daySums(movements: readonly DatedMovement[]): DaySums[] {
  const days = new Map<string, DatedMovement[]>()
  for (const movement of movements) {
    const day = saoPauloDay(movement.atMs)
    const members = days.get(day)
    if (members === undefined) days.set(day, [movement])
    else members.push(movement)
  }
  return [...days].map(([day, members]) => ({ day, kinds: kindSums(members) }))
}

/** What came in less what went out, in cents. Amounts that are not known are not in it. */
export function netCents(sums: KindSums): number {
  return MOVEMENT_KINDS.reduce((net, kind) => net + signedCents(kind, sums[kind].cents), 0)
}

/** How many movements have no known amount. */
export function unknownAmounts(sums: KindSums): number {
  return MOVEMENT_KINDS.reduce((count, kind) => count + sums[kind].unknownAmounts, 0)
}

/** An amount as it changes the balance of the account: below zero if it left. */
export function signedCents(kind: MovementKind, cents: number): number {
  return isIncoming(kind) || cents === 0 ? cents : -cents
}

/** What a kind of movement is called. */
export function kindTitle(kind: MovementKind): string {
  switch (kind) {
    case 'received':
      return t`Charges received`
    case 'refunded':
      return t`Refunds`
    case 'charged-back':
      return t`Chargebacks`
    case 'sent':
      return t`Transfers sent`
    case 'returned':
      return t`Transfers returned`
  }
}

/** A group of what is not part of the net, and what it is. */
interface ApartSum extends MonthSum {
  /** A name for programs. */
  group: string
  title: string
  meaning: string
}

/** What is not part of the net, in groups; empty groups are left out. */
export function apartSums({ open, elsewhere, withoutMoney, openBefore }: MonthBook): ApartSum[] {
  const sumOf = (entries: readonly { amountCents: number | null }[]) =>
    entries.reduce((sum, { amountCents }) => addTo(sum, amountCents), noPayments())
  const openAs = (isMember: (payment: OpenPayment) => boolean) => sumOf(open.filter(isMember))
  const isOpen = ({ undated, state }: OpenPayment) => undated === null && state === 'accepted'
  const isUnknown = ({ undated, state }: OpenPayment) => undated === null && state !== 'accepted'
  const groups: ApartSum[] = [
    {
      group: 'transfers-unknown',
      title: t`Transfers with an unknown outcome`,
      meaning: t`They may have been paid. Find out before you close the month`,
      ...openAs((each) => each.kind === 'transfer' && isUnknown(each)),
    },
    {
      group: 'refunds-unknown',
      title: t`Refunds with an unknown outcome`,
      meaning: t`They may have been carried out. Find out before you close the month`,
      ...openAs((each) => each.kind === 'refund' && isUnknown(each)),
    },
    {
      group: 'transfers-open',
      title: t`Transfers accepted, not confirmed`,
      meaning: t`The gateway accepted them; no event says yet whether they were paid`,
      ...openAs((each) => each.kind === 'transfer' && isOpen(each)),
    },
    {
      group: 'refunds-open',
      title: t`Refunds accepted, not confirmed`,
      meaning: t`The gateway accepted them; no event says yet whether they were carried out`,
      ...openAs((each) => each.kind === 'refund' && isOpen(each)),
    },
    {
      group: 'charges-open',
      title: t`Charges not paid yet`,
      meaning: t`No event says that they were paid, or that they expired`,
      ...openAs((each) => each.kind === 'qr' && isOpen(each)),
    },
    {
      group: 'charges-unknown',
      title: t`Charges with an unknown outcome`,
      meaning: t`The answer of the gateway was lost, so they may exist and may be paid`,
      ...openAs((each) => each.kind === 'qr' && isUnknown(each)),
    },
    {
      group: 'undated',
      title: t`Moved on an unknown day`,
      meaning: t`The gateway says that this money moved, but not when. It may belong to another month`,
      ...openAs(({ undated }) => undated !== null),
    },
    {
      group: 'open-before',
      title: t`Of earlier months, still open or unknown`,
      meaning: t`Transfers and refunds, listed in the reports of their months, which change when their outcome is known`,
      ...openBefore,
    },
    ...MOVEMENT_KINDS.map((kind) => ({
      group: `elsewhere-${kind}`,
      title: t`Not created here: ${kindTitle(kind)}`,
      meaning: t`Events tell of them, but this ledger did not create them. Only events that arrived here are counted`,
      ...sumOf(elsewhere.filter((each) => each.kind === kind)),
    })),
    {
      group: 'charges-without-money',
      title: t`Charges that expired, were cancelled or refused`,
      meaning: t`No money moved`,
      ...(withoutMoney.get('qr') ?? noPayments()),
    },
    {
      group: 'transfers-without-money',
      title: t`Transfers that failed, were refused or not sent`,
      meaning: t`No money moved`,
      ...(withoutMoney.get('transfer') ?? noPayments()),
    },
    {
      group: 'refunds-without-money',
      title: t`Refunds that failed, were refused or not sent`,
      meaning: t`No money moved`,
      ...(withoutMoney.get('refund') ?? noPayments()),
    },
  ]
  return groups.filter(({ payments }) => payments > 0)
}
