import { findingFromEvent } from '../ledger/paymentState.ts'
import type { Payment } from '../ledger/payments.ts'
import type { EventRecord, LedgerRecord } from '../ledger/records.ts'
import { endOfSaoPauloDayMs, type Period, parseInstant, saoPauloDay, startOfSaoPauloDayMs } from '../pix/calendar.ts'
import { readEventFacts } from '../wire/eventFacts.ts'
import { findingFromStatusText, isOpenStatus, isUnpaidStatus } from './expectations.ts'
import { mayBeSameName, nameWords, type StatedName, statedName } from './partyName.ts'
import {
  amountDifferences,
  type Difference,
  type Direction,
  daysOf,
  directionOf,
  type StatementFile,
  type StatementLine,
  signedCents,
} from './tableFile.ts'

/** In the order in which they are shown: what a person must look at first. */
export const STATEMENT_VERDICTS = ['differs', 'only-there', 'only-here', 'duplicate', 'match'] as const
type StatementVerdict = (typeof STATEMENT_VERDICTS)[number]

/** A payment of the ledger, a line of the statement, or both. */
export interface StatementMatch {
  payment: Payment | null
  line: StatementLine | null
  verdict: StatementVerdict
  differences: readonly Difference[]
  /** How the line was matched; null without a line or without a payment. */
  matchedBy: 'id' | 'by-amount' | null
  /** True if other payments or lines agree as well, so that it is not known which of them belong together. */
  isAmbiguous: boolean
  /** The amount here, with the sign of its direction; null if it is not known, or another line has this payment already. */
  hereCents: number | null
}

/** The payments that a statement is compared with. */
export interface OwnPayments {
  /** Those that an id names, the likeliest first. */
  named(id: string): Promise<readonly NamedPayment[]>
  /** All that lines of the statement may be, or that should be on it. */
  all(): AsyncIterable<readonly NamedPayment[]>
  /** The charges that lines of the statement may have paid, although no answer or event says so. */
  unpaid(): AsyncIterable<readonly NamedPayment[]>
}

interface ExpectedPayments extends Period {
  /** Null for all. */
  kind: string | null
}

/** In a statement with debits an amount without a sign is a credit; in one without signs it may be either. */
export function withDirections(lines: readonly StatementLine[]): StatementLine[] {
  const hasDebits = lines.some(({ direction }) => direction === 'debit')
  return lines.map((line) => ({ ...line, direction: line.direction ?? (hasDebits ? 'credit' : null) }))
}

/** The period that a statement is about, from its first day to its last; an open end if it names none. */
export function periodOf({ lines, period }: Pick<StatementFile, 'lines' | 'period'>): Period {
  return periodOfDays([...lines.flatMap(({ day }) => day ?? []), ...(period ?? [])])
}

/** The period in which payments that are on a statement may have been made; an open end if the statement has no days. */
export function periodOfPayments(file: Pick<StatementFile, 'lines' | 'period'>): Period {
  return periodOfDays([
    ...file.lines.flatMap(({ day, description }) => daysOf(day, description)),
    ...(file.period ?? []),
  ])
}

function periodOfDays(all: readonly string[]): Period {
  const days = all.toSorted()
  const [first] = days
  const last = days.at(-1)
  if (first === undefined || last === undefined) return { sinceMs: null, beforeMs: null }
  return { sinceMs: startOfSaoPauloDayMs(first), beforeMs: endOfSaoPauloDayMs(last) + 1 }
}

/**
 * A line is matched with the payment that its id names, else by amount, day and name. Each payment matches once: a further line for it is a
 * duplicate, unless it may be a charge that is not known to be paid. Payments without a line are only here if they moved money or may have. What differs comes first.
 */
export async function matchStatement(
  lines: readonly StatementLine[],
  payments: OwnPayments,
  expected: ExpectedPayments,
): Promise<StatementMatch[]> {
  const taken = new Set<string>()
  const named: NamedSides[] = []
  for (const line of lines) {
    const sides = await sidesNamedBy(line, payments)
    if (sides.length > 0) named.push({ line, sides })
  }
  const byId = matchById(named, taken)
  const identified = new Set(named.map(({ line }) => line))
  const others = lines.filter((line) => !identified.has(line))
  const amounts = new Set(others.map(({ amountCents }) => amountCents))
  const sides: PaymentSide[] = []
  for await (const page of payments.all()) {
    for (const each of page) {
      const { payment } = each
      if (!hasMoved(payment)) continue
      const isSought = payment.amountCents !== null && amounts.has(payment.amountCents)
      if (isSought || (!taken.has(payment.id) && isExpected(payment, expected))) sides.push(...sidesOf(each))
    }
  }
  const { found, ambiguousSides } = matchByAmount(others, sides, taken)
  const undecided = await linesOfUnpaid(
    found.flatMap(({ line, isSecond }) => (isSecond ? [line] : [])),
    payments,
  )
  const decided = [...byId, ...found.filter(({ line }) => !undecided.has(line))]
  const matched = new Set(decided.map(({ line }) => line))
  const matches = [
    ...decided.map(lineMatch),
    ...lines.filter((line) => !matched.has(line)).map(onlyThere),
    ...sides
      .filter((side) => !side.isReturn && !taken.has(side.key) && isExpected(side.payment, expected))
      .filter(({ days }) => days.every((day) => isInPeriod(day, expected)))
      .map((side) => onlyHere(side, ambiguousSides.has(side.key))),
  ]
  return matches.sort(byVerdict)
}

/** True if the statement says, or does not deny, that a payment with an unknown outcome was made, and which one it is. */
export function suggestsPaid(
  match: StatementMatch,
): match is StatementMatch & { payment: Payment; line: StatementLine } {
  const { payment, line, isAmbiguous, verdict } = match
  if (payment?.summary.state !== 'unknown' || line === null || isAmbiguous || verdict === 'duplicate') return false
  if (isOpenStatus(line.status ?? '')) return false
  return ['paid', null].includes(findingFromStatusText(line.status ?? ''))
}

/** The line of a match that no payment belongs to, and whose own status says that nothing was paid; null for any other. */
export function unpaidLine({ verdict, line }: StatementMatch): StatementLine | null {
  return verdict === 'only-there' && line !== null && isUnpaidStatus(line.status ?? '') ? line : null
}

async function sidesNamedBy(line: StatementLine, payments: OwnPayments): Promise<PaymentSide[]> {
  if (line.id === null) return []
  const found = await payments.named(line.id)
  const moved = found.filter(({ payment }) => hasMoved(payment))
  const sides = [...moved, ...found.filter((each) => !moved.includes(each))].flatMap(sidesOf)
  return sides.filter((side) => isOwnId(line, side))
}

/** The lines that may have paid a charge of which this is not known here. */
async function linesOfUnpaid(
  lines: readonly StatementLine[],
  payments: OwnPayments,
): Promise<ReadonlySet<StatementLine>> {
  const found = new Set<StatementLine>()
  if (lines.every(({ direction }) => direction === 'debit')) return found
  for await (const page of payments.unpaid()) {
    const sides = groupByAmount(page.flatMap(sidesOf))
    for (const line of lines) if (mayPayOneOf(line, sides)) found.add(line)
  }
  return found
}

/** True if a line may be what was paid for one of these charges after it was created. */
function mayPayOneOf(line: StatementLine, charges: ReadonlyMap<string, readonly PaymentSide[]>): boolean {
  if (line.direction === 'debit') return false
  const name = statedName(line.description, line.name)
  const days = daysOf(line.day, line.description)
  return (charges.get(amountKey('credit', line.amountCents)) ?? []).some(
    (side) => agreementOf({ name }, side) !== null && side.days.some((made) => days.some((day) => day >= made)),
  )
}

function lineMatch({ line, side, isSecond, matchedBy, isAmbiguous }: LineMatch): StatementMatch {
  const { payment } = side
  const common = { payment, line, matchedBy, isAmbiguous }
  if (isSecond && hasDirection(line, side)) return { ...common, verdict: 'duplicate', differences: [], hereCents: null }
  const differences = differencesOf(side, line)
  const verdict = differences.length === 0 ? 'match' : 'differs'
  return { ...common, verdict, differences, hereCents: isSecond ? null : centsOf(side) }
}

function onlyThere(line: StatementLine): StatementMatch {
  const verdict = 'only-there'
  return { payment: null, line, verdict, differences: [], matchedBy: null, isAmbiguous: false, hereCents: null }
}

function onlyHere(side: PaymentSide, isAmbiguous: boolean): StatementMatch {
  const hereCents = centsOf(side)
  const { payment } = side
  return { payment, line: null, verdict: 'only-here', differences: [], matchedBy: null, isAmbiguous, hereCents }
}

function centsOf({ payment: { amountCents }, direction }: PaymentSide): number | null {
  return amountCents === null ? null : signedCents(amountCents, direction)
}

/** By verdict, then by day, then by line; what is only here on a day stays in the order of the ledger. */
function byVerdict(one: StatementMatch, other: StatementMatch): number {
  const order = STATEMENT_VERDICTS.indexOf(one.verdict) - STATEMENT_VERDICTS.indexOf(other.verdict)
  const [day, otherDay] = [matchDay(one) ?? '', matchDay(other) ?? '']
  if (order !== 0 || day === otherDay) return order || (one.line?.line ?? 0) - (other.line?.line ?? 0)
  return day < otherDay ? -1 : 1
}

/** The day of a line, else the likeliest one of the payment; undefined if neither has one. */
export function matchDay({ payment, line }: Pick<StatementMatch, 'payment' | 'line'>): string | undefined {
  return line?.day ?? (payment === null ? undefined : daysOfPayment(payment)[0])
}

/** What people call a payment: the number of the order or invoice, else its name. */
export function calledName({ ownReference, givenId }: Payment): string {
  return ownReference || givenId
}

function isExpected({ facts }: Payment, { kind }: ExpectedPayments): boolean {
  return kind === null || kind === facts.kind
}

/** A statement tells days only, so a day belongs to a period if any time of it does. */
function isInPeriod(day: string, { sinceMs, beforeMs }: Period): boolean {
  return (sinceMs === null || day >= saoPauloDay(sinceMs)) && (beforeMs === null || day <= saoPauloDay(beforeMs - 1))
}

/** A payment whose amount is not known here has that of the statement. */
function differencesOf({ payment, direction, isReturn }: PaymentSide, line: StatementLine): Difference[] {
  const amountCents = payment.amountCents ?? line.amountCents
  const differences = amountDifferences(line, { direction, amountCents })
  if (!isReturn && isOtherStatus(payment, line)) differences.push('status')
  return differences
}

/** A line of a statement is evidence that money moved, unless its own status says that it did not. */
function isOtherStatus({ facts, summary: { state } }: Payment, line: StatementLine): boolean {
  const there = findingFromStatusText(line.status ?? '')
  // What was refunded later had been received.
  if (facts.kind === 'qr' && state === 'returned' && there === 'paid') return false
  switch (state) {
    case 'pending':
      return false
    case 'accepted':
      return there === 'not-paid'
    case 'unknown':
      return true
    case 'refused':
    case 'not-sent':
    case 'not-paid':
      return there !== 'not-paid'
    default:
      return isOpenStatus(line.status ?? '') || (there !== null && there !== state)
  }
}

/** A line, and the side of a payment that it is. */
interface LineMatch extends Pick<StatementMatch, 'isAmbiguous'> {
  line: StatementLine
  side: PaymentSide
  matchedBy: 'id' | 'by-amount'
  /** True if another line is that side already. */
  isSecond: boolean
}

interface Sought {
  line: StatementLine
  days: readonly string[]
  name: StatedName | null
  candidates: readonly PaymentSide[]
}

/** How well a line and a side agree: the names of both, only the amount and the day while one has no name, or not at all. */
type Agreement = 'names' | 'side-unnamed' | 'line-unnamed' | null
/** A line that names somebody has less choice than one that does not, so it chooses first. */
const AGREEMENT_ORDER = ['names', 'side-unnamed', 'line-unnamed'] as const

/** What is surely on a statement is matched before what may not have been made. */
const STATES = ['paid', 'returned', 'accepted', 'pending', 'unknown']

/**
 * Matches lines with sides of the same direction, amount and day, and of the same name if both have one. Each side is matched once: a further line
 * that agrees is a second one. `taken` are the keys of sides that other lines are already; it grows. `ambiguousSides` are the keys of those of which one or
 * more belong to lines that may be several.
 */
function matchByAmount(lines: readonly StatementLine[], sides: readonly PaymentSide[], taken: Set<string>) {
  const byAmount = groupByAmount(sides)
  const found: LineMatch[] = []
  const ambiguousSides = new Set<string>()
  const open = new Set(lines.map((line) => soughtOf(line, byAmount)).sort(byDay))
  const add = ({ line }: Sought, side: PaymentSide, isSecond: boolean, possible: readonly PaymentSide[]) => {
    const isAmbiguous = possible.length > 1
    if (isAmbiguous) for (const { key } of possible) ambiguousSides.add(key)
    found.push({ line, side, matchedBy: 'by-amount', isSecond, isAmbiguous })
  }
  for (const agreement of AGREEMENT_ORDER) {
    const before = new Set(taken)
    for (const each of open) {
      const agreeing = each.candidates.filter((side) => agreementOf(each, side) === agreement)
      const side = bestOf(
        agreeing.filter(({ key }) => !taken.has(key)),
        each,
      )
      if (side === undefined) continue
      taken.add(side.key)
      open.delete(each)
      add(
        each,
        side,
        false,
        agreeing.filter(({ key }) => !before.has(key)),
      )
    }
  }
  for (const each of open) {
    const agreeing = each.candidates.filter((side) => agreementOf(each, side) !== null)
    const [first] = agreeing
    if (first !== undefined) add(each, first, true, agreeing)
  }
  return { found, ambiguousSides }
}

function groupByAmount(sides: readonly PaymentSide[]): Map<string, PaymentSide[]> {
  const groups = new Map<string, PaymentSide[]>()
  for (const side of sides) {
    const { amountCents } = side.payment
    if (amountCents === null) continue
    const key = amountKey(side.direction, amountCents)
    const group = groups.get(key)
    if (group === undefined) groups.set(key, [side])
    else group.push(side)
  }
  return groups
}

function amountKey(direction: Direction, amountCents: number): string {
  return `${direction} ${amountCents}`
}

function soughtOf(line: StatementLine, byAmount: ReadonlyMap<string, readonly PaymentSide[]>): Sought {
  const { day, description, name, amountCents, direction } = line
  const days = daysOf(day, description)
  const directions: readonly Direction[] = direction === null ? ['credit', 'debit'] : [direction]
  const candidates = directions
    .flatMap((each) => byAmount.get(amountKey(each, amountCents)) ?? [])
    .filter((side) => side.days.some((each) => days.includes(each)))
  return { line, days, name: statedName(description, name), candidates }
}

function byDay(one: Sought, other: Sought): number {
  const [a, b] = [one.days[0] ?? '', other.days[0] ?? '']
  return a === b ? one.line.line - other.line.line : a < b ? -1 : 1
}

function agreementOf({ name }: Pick<Sought, 'name'>, { names, ownName }: PaymentSide): Agreement {
  if (name === null) return 'line-unnamed'
  if (names.length === 0) return ownName !== null && mayBeSameName(name, ownName) ? 'names' : 'side-unnamed'
  return names.some((known) => mayBeSameName(name, known)) ? 'names' : null
}

/** Of the sides that agree, one that no later line can be, then one that was surely booked, then the first. */
function bestOf(sides: readonly PaymentSide[], { days }: Sought): PaymentSide | undefined {
  const last = days.toSorted().at(-1) ?? ''
  const rank = (side: PaymentSide) =>
    (side.days.some((day) => day > last) ? STATES.length : 0) + STATES.indexOf(side.payment.summary.state)
  return sides.toSorted((one, other) => rank(one) - rank(other))[0]
}

/** A line and what its id names, the likeliest side first. */
interface NamedSides {
  line: StatementLine
  sides: readonly PaymentSide[]
}

/** Numbers of banks are as short as this, so one can be equal to an id of ours by chance. */
const SHORT_NUMBER = /^\d{1,10}$/

/** True if what an id names can be what the line is about: a short number must agree in amount or day, too. */
function isOwnId({ id, amountCents, day, description }: StatementLine, side: PaymentSide): boolean {
  if (id === null || !SHORT_NUMBER.test(id) || day === null) return true
  return side.payment.amountCents === amountCents || daysOf(day, description).some((each) => side.days.includes(each))
}

/** In which order lines choose among what they name: those that agree in direction and amount, those that agree in direction, the others. */
const ID_ORDER: readonly ((line: StatementLine, side: PaymentSide) => boolean)[] = [
  (line, side) => hasDirection(line, side) && line.amountCents === side.payment.amountCents,
  hasDirection,
  (_, side) => !side.isReturn,
]

/**
 * Matches lines with the sides that their ids name; each side once, so that a further line for it is a second one. `taken` gets the keys of the
 * sides that were matched.
 */
function matchById(named: readonly NamedSides[], taken: Set<string>): LineMatch[] {
  const chosen = new Map<NamedSides, PaymentSide>()
  for (const isChoice of ID_ORDER) {
    for (const each of named) {
      const side = each.sides.find((one) => !taken.has(one.key) && isChoice(each.line, one))
      if (side === undefined || chosen.has(each)) continue
      taken.add(side.key)
      chosen.set(each, side)
    }
  }
  return named.flatMap((each) => {
    const { line, sides } = each
    const side = chosen.get(each) ?? sides.find((one) => hasDirection(line, one)) ?? sides[0]
    if (side === undefined) return []
    return [{ line, side, matchedBy: 'id', isSecond: !chosen.has(each), isAmbiguous: false }]
  })
}

/** True if a line does not contradict the direction of a side. */
function hasDirection({ direction }: Pick<StatementLine, 'direction'>, side: PaymentSide): boolean {
  return direction === null || direction === side.direction
}

/** The amount of a line in cents, with the sign of its direction if it has one. */
export function statedCents({ amountCents, direction }: StatementLine): number {
  return signedCents(amountCents, direction)
}

/** A payment with the names of the other party that are known of it. */
export interface NamedPayment {
  payment: Payment
  names: readonly string[]
  /** A name that only we wrote, of a customer or in a code: somebody else may have paid, so that it excludes no line. */
  ownName: string | null
}

/** What a bank books of a payment: the payment, or the money that came back. */
interface PaymentSide {
  /** Tells it from every other side. */
  key: string
  payment: Payment
  isReturn: boolean
  direction: Direction
  /** The days in São Paulo on which it may have been made, the likeliest first. */
  days: readonly string[]
  /** The words of each name. */
  names: readonly (readonly string[])[]
  /** The words of the name that only we wrote. */
  ownName: readonly string[] | null
}

/** What a bank may have booked of a payment: one side, or two if a transfer or a refund came back. */
function sidesOf({ payment, names, ownName }: NamedPayment): [main: PaymentSide, ...returned: PaymentSide[]] {
  const { facts, summary } = payment
  const direction = directionOf(facts.kind)
  const common = { payment, names: names.map(nameWords), ownName: ownName === null ? null : nameWords(ownName) }
  const main: PaymentSide = { ...common, key: payment.id, isReturn: false, direction, days: daysOfPayment(payment) }
  if (facts.kind === 'qr' || summary.state !== 'returned') return [main]
  const days = unique([...eventDays(payment, 'returned'), ...findingDays(payment)])
  return [main, { ...common, key: `${payment.id} returned`, isReturn: true, direction: 'credit', days }]
}

/** True if a bank has booked a payment, or may have. A charge is on no statement until it is paid. */
function hasMoved({ facts, summary: { state } }: Payment): boolean {
  if (state === 'paid' || state === 'returned') return true
  return facts.kind !== 'qr' && (state === 'accepted' || state === 'unknown')
}

/** A transfer is booked when it is sent or when it is carried out, a charge when it is paid, which a person may have found out later. */
function daysOfPayment(payment: Payment): string[] {
  const { facts, summary, first } = payment
  const paid = eventDays(payment, 'paid')
  if (facts.kind !== 'qr') return unique([...paid, saoPauloDay(summary.sentMs), ...sendDays(payment)])
  if (paid.length > 0) return paid
  const told = summary.paidAtMs === null ? [] : [saoPauloDay(summary.paidAtMs)]
  return unique([...told, saoPauloDay(first.madeMs), ...findingDays(payment)])
}

function sendDays({ summary: { attempts } }: Payment): string[] {
  return attempts.flatMap(({ sends }) => sends.map(({ ms }) => saoPauloDay(ms)))
}

function findingDays({ summary: { attempts } }: Payment): string[] {
  return attempts.flatMap(({ finding }) => (finding === null ? [] : [saoPauloDay(finding.madeMs)]))
}

/** The days of the events that say this of a payment: when it happened, as far as they tell, and when they arrived. */
function eventDays({ records }: Payment, meaning: 'paid' | 'returned'): string[] {
  const events = records.flatMap((record) =>
    record.type === 'event' && findingFromEvent(record) === meaning ? [record] : [],
  )
  return unique(events.flatMap((event) => [saoPauloDay(happenedMs(event)), saoPauloDay(event.madeMs)]))
}

function happenedMs({ bodyBase64, madeMs }: LedgerRecord<EventRecord>): number {
  const facts = readEventFacts(Buffer.from(bodyBase64, 'base64').toString('utf8'))
  return parseInstant(facts?.happenedAt ?? '') ?? madeMs
}

function unique(days: readonly string[]): string[] {
  return [...new Set(days)]
}
