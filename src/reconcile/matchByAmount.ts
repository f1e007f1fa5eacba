import type { Direction, StatementLine } from './externalLine.ts'
import { mayBeSameName, type StatedName, statedName } from './partyName.ts'
import type { PaymentSide } from './paymentSides.ts'
import { daysOf } from './statementText.ts'

/** A line without one of our ids, and the side of a payment that it is. */
interface AmountMatch {
  line: StatementLine
  side: PaymentSide
  /** True if another line is that side already. */
  isSecond: boolean
}

/** What was matched by amount, and what could have been matched in another way. */
export interface AmountMatches {
  matches: readonly AmountMatch[]
  /** Lines that are one of several payments, and it is not known which. */
  ambiguousLines: ReadonlySet<StatementLine>
  /** The keys of sides of which one or more belong to ambiguous lines. */
  ambiguousSides: ReadonlySet<string>
}

/** A line with what it is compared by. */
interface Sought {
  line: StatementLine
  days: readonly string[]
  name: StatedName | null
  candidates: readonly PaymentSide[]
}

/** How well a line and a side agree: the names of both, only the amount and the day while one has no name, or not at all. */
type Agreement = 'names' | 'side-unnamed' | 'line-unnamed' | null
/** A line that names somebody has less choice than one that does not, so it chooses first. */
const CHOICES = ['names', 'side-unnamed', 'line-unnamed'] as const

/** What is surely on a statement is matched before what may not have been made. */
const STATES = ['paid', 'returned', 'accepted', 'unknown']

/**
 * Matches lines with sides of the same direction, amount and day, and of the same name if both have one. Each side is matched once: a further line
 * that agrees is a second one. `taken` are the keys of sides that other lines are already; it grows.
 */
export function matchByAmount(
  lines: readonly StatementLine[],
  sides: readonly PaymentSide[],
  taken: Set<string>,
): AmountMatches {
  const byAmount = groupByAmount(sides)
  const sought = lines.map((line) => soughtOf(line, byAmount)).sort(byDay)
  const matches: AmountMatch[] = []
  const ambiguousLines = new Set<StatementLine>()
  const ambiguousSides = new Set<string>()
  const open = new Set(sought)
  const noteAmbiguous = (line: StatementLine, possible: readonly PaymentSide[]) => {
    if (possible.length < 2) return
    ambiguousLines.add(line)
    for (const { key } of possible) ambiguousSides.add(key)
  }
  for (const agreement of CHOICES) {
    const before = new Set(taken)
    for (const each of open) {
      const agreeing = each.candidates.filter((side) => agreementOf(each, side) === agreement)
      const side = bestOf(
        agreeing.filter(({ key }) => !taken.has(key)),
        each,
      )
      if (side === undefined) continue
      noteAmbiguous(
        each.line,
        agreeing.filter(({ key }) => !before.has(key)),
      )
      taken.add(side.key)
      open.delete(each)
      matches.push({ line: each.line, side, isSecond: false })
    }
  }
  for (const each of open) {
    const agreeing = each.candidates.filter((side) => agreementOf(each, side) !== null)
    const [first] = agreeing
    if (first === undefined) continue
    noteAmbiguous(each.line, agreeing)
    matches.push({ line: each.line, side: first, isSecond: true })
  }
  return { matches, ambiguousLines, ambiguousSides }
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

function agreementOf({ name }: Sought, { names }: PaymentSide): Agreement {
  if (name === null) return 'line-unnamed'
  if (names.length === 0) return 'side-unnamed'
  return names.some((known) => mayBeSameName(name, known)) ? 'names' : null
}

/** Of the sides that agree, one that no later line can be, then one that was surely booked, then the first. */
function bestOf(sides: readonly PaymentSide[], { days }: Sought): PaymentSide | undefined {
  const last = days.toSorted().at(-1) ?? ''
  const rank = (side: PaymentSide) =>
    (side.days.some((day) => day > last) ? STATES.length : 0) + STATES.indexOf(side.payment.summary.state)
  return sides.toSorted((one, other) => rank(one) - rank(other))[0]
}
