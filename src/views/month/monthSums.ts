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
import { ENVIRONMENTS } from '../../profiles/settings.ts'
import {
  ADDRESS,
  CENTS,
  COUNT,
  describe,
  enumOf,
  INSTANT,
  list,
  objectOf,
  orNull,
  shapedBy,
  TEXT,
} from '../../schemas/jsonSchema.ts'
import { declared, t, translated } from '../../text/translate.ts'

/** The sums of movements by their kinds. */
export type KindSums = Readonly<Record<MovementKind, MonthSum>>

/** A São Paulo day `2026-11-30`, and what moved on it. */
export interface DaySums {
  day: string
  kinds: KindSums
}

/** Adds movements up by kind, as they change the balance of the account: below zero if money left. */
export function kindSums(movements: readonly DatedMovement[]): KindSums {
  const sums = {
    received: noPayments(),
    refunded: noPayments(),
    'charged-back': noPayments(),
    sent: noPayments(),
    returned: noPayments(),
  }
  for (const movement of movements) sums[movement.kind] = addTo(sums[movement.kind], signedCents(movement))
  return sums
}

/** The amount of a movement as it changes the balance of the account; null if it is not known. */
export function signedCents({ kind, amountCents }: Pick<DatedMovement, 'kind' | 'amountCents'>): number | null {
  return isIncoming(kind) || amountCents === null || amountCents === 0 ? amountCents : -amountCents
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

/** What a kind of movement is called: all of them, and one; and what their sum means. */
export const MOVEMENTS: Readonly<Record<MovementKind, { title: string; one: string; meaning: string }>> = {
  received: {
    title: declared`Charges received`,
    one: declared`charge received`,
    meaning: declared`What payers sent, whole, also if it was refunded later`,
  },
  refunded: {
    title: declared`Refunds`,
    one: declared`refund`,
    meaning: declared`What went back to payers, also if the refund was made elsewhere`,
  },
  'charged-back': {
    title: declared`Chargebacks`,
    one: declared`chargeback`,
    meaning: declared`What was taken back after a dispute`,
  },
  sent: {
    title: declared`Transfers sent`,
    one: declared`transfer sent`,
    meaning: declared`What was paid out, whole, also if it came back later`,
  },
  returned: {
    title: declared`Transfers returned`,
    one: declared`transfer returned`,
    meaning: declared`Transfers that came back, on the day on which that became known`,
  },
}

/** A line of sums: what it is called, and what it means. */
export interface SumLine extends MonthSum {
  title: string
  meaning: string
}

/** The sums by kind as lines. */
export function kindLines(sums: KindSums): SumLine[] {
  return MOVEMENT_KINDS.map((kind) => {
    const { title, meaning } = MOVEMENTS[kind]
    return { ...sums[kind], title: translated(title), meaning: translated(meaning) }
  })
}

/** What came in less what went out. Amounts that are not known are not in it. */
export function netLine(sums: KindSums): SumLine {
  const all = MOVEMENT_KINDS.map((kind) => sums[kind])
  return {
    title: t`Net`,
    meaning: t`Received less refunded, charged back and sent, plus returned. Without fees, which the gateway does not report`,
    payments: all.reduce((count, { payments }) => count + payments, 0),
    cents: all.reduce((net, { cents }) => net + cents, 0),
    unknownAmounts: all.reduce((count, { unknownAmounts }) => count + unknownAmounts, 0),
  }
}

/** A group of what is not part of the net, and what it is. */
interface ApartSum extends SumLine {
  /** A name for programs. */
  group: string
}

const PLURALS = { qr: 'charges', transfer: 'transfers', refund: 'refunds' } as const
const ELSEWHERE = 'elsewhere-'

/** What is not part of the net, by the names that programs read: what it is called, and what it means. */
const APART_GROUPS: readonly (readonly [group: string, title: string, meaning: string])[] = [
  ['being-sent', declared`Being sent at this moment`, declared`Make the report again when they are sent`],
  [
    'transfers-unknown',
    declared`Transfers with an unknown outcome`,
    declared`They may have been paid. Find out before you close the month`,
  ],
  [
    'refunds-unknown',
    declared`Refunds with an unknown outcome`,
    declared`They may have been carried out. Find out before you close the month`,
  ],
  [
    'transfers-open',
    declared`Transfers accepted, not confirmed`,
    declared`The gateway accepted them; no event says yet whether they were paid`,
  ],
  [
    'refunds-open',
    declared`Refunds accepted, not confirmed`,
    declared`The gateway accepted them; no event says yet whether they were carried out`,
  ],
  ['charges-open', declared`Charges not paid yet`, declared`No event says that they were paid, or that they expired`],
  [
    'charges-unknown',
    declared`Charges with an unknown outcome`,
    declared`The answer of the gateway was lost, so they may exist and may be paid`,
  ],
  [
    'undated',
    declared`Moved on an unknown day`,
    declared`The gateway says that this money moved, but not when. It may belong to another month`,
  ],
  [
    'open-before',
    declared`Of earlier months, still open or unknown`,
    declared`Transfers and refunds, listed in the reports of their months, which change when their outcome is known`,
  ],
  ...MOVEMENT_KINDS.map(
    (kind) =>
      [
        `${ELSEWHERE}${kind}`,
        MOVEMENTS[kind].title,
        declared`Events tell of them, but this ledger did not create them. Only events that arrived here are counted`,
      ] as const,
  ),
  ['charges-without-money', declared`Charges that expired, were cancelled or refused`, declared`No money moved`],
  ['transfers-without-money', declared`Transfers that failed, were refused or not sent`, declared`No money moved`],
  ['refunds-without-money', declared`Refunds that failed, were refused or not sent`, declared`No money moved`],
]

/** What is not part of the net, in groups; empty groups are left out. */
export function apartSums({ open, elsewhere, withoutMoney, openBefore }: MonthBook): ApartSum[] {
  const sums = new Map([['open-before', openBefore]])
  for (const [kind, sum] of withoutMoney) sums.set(`${PLURALS[kind]}-without-money`, sum)
  for (const [group, amountCents] of [
    ...open.map((each) => [groupOf(each), each.amountCents] as const),
    ...elsewhere.map((each) => [`${ELSEWHERE}${each.kind}`, each.amountCents] as const),
  ]) {
    sums.set(group, addTo(sums.get(group) ?? noPayments(), amountCents))
  }
  return APART_GROUPS.flatMap(([group, title, meaning]) => {
    const sum = sums.get(group) ?? noPayments()
    const shown = group.startsWith(ELSEWHERE) ? t`Not created here: ${translated(title)}` : translated(title)
    return sum.payments === 0 ? [] : [{ group, title: shown, meaning: translated(meaning), ...sum }]
  })
}

function groupOf({ undated, state, kind }: OpenPayment): string {
  if (undated !== null) return 'undated'
  if (state === 'being-sent') return state
  return `${PLURALS[kind]}-${state === 'accepted' || state === 'pending' ? 'open' : 'unknown'}`
}

/** An amount in cents that left the account if it is below zero. */
const CENTS_BELOW_ZERO = describe('In cents; below zero if it left the account', CENTS)
const MOVEMENT_SUMS = list(
  objectOf({ kind: enumOf(...MOVEMENT_KINDS), payments: COUNT, cents: CENTS_BELOW_ZERO, unknownAmounts: COUNT }),
)
const APART = objectOf({ group: TEXT, payments: COUNT, cents: CENTS, unknownAmounts: COUNT })

/** The JSON of the report of a month. */
export const MONTH = objectOf({
  month: TEXT,
  from: INSTANT,
  until: INSTANT,
  file: TEXT,
  profile: orNull(TEXT),
  environment: enumOf(...ENVIRONMENTS),
  baseUrl: ADDRESS,
  clientId: TEXT,
  sums: MOVEMENT_SUMS,
  netCents: CENTS_BELOW_ZERO,
  unknownAmounts: COUNT,
  unverified: describe('How many movements in the net this machine cannot verify', COUNT),
  days: list(objectOf({ day: TEXT, netCents: CENTS_BELOW_ZERO, sums: MOVEMENT_SUMS })),
  apart: describe('What is not in the net, in groups; groups without payments are left out', list(APART)),
})

/** The sums of a month as its JSON has them. */
export function monthDocument(book: MonthBook) {
  const sumsOf = (sums: KindSums) => MOVEMENT_KINDS.map((kind) => ({ kind, ...sums[kind] }))
  const sums = kindSums(book.movements)
  const net = netLine(sums)
  return {
    sums: sumsOf(sums),
    netCents: net.cents,
    unknownAmounts: net.unknownAmounts,
    unverified: book.movements.filter(({ isVerified }) => !isVerified).length,
    days: daySums(book.movements).map(({ day, kinds }) => ({
      day,
      netCents: netLine(kinds).cents,
      sums: sumsOf(kinds),
    })),
    apart: apartSums(book).map((each) => shapedBy(APART, each)),
  }
}
