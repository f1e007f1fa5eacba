import { type StatementLine, signedCents } from './externalLine.ts'
import type { PaymentSide } from './paymentSides.ts'
import { daysOf } from './statementText.ts'

/** A line with one of our ids, and the side of a payment that it names. */
export interface IdMatch {
  line: StatementLine
  side: PaymentSide
  /** True if another line is that side already. */
  isSecond: boolean
}

/** A line and what its id names, the likeliest side first. */
export interface NamedSides {
  line: StatementLine
  sides: readonly PaymentSide[]
}

/** Numbers of banks are as short as this, so one can be equal to an id of ours by chance. */
const SHORT_NUMBER = /^\d{1,10}$/

/** True if what an id names can be what the line is about: a short number must agree in amount or day, too. */
export function isOwnId({ id, amountCents, day, description }: StatementLine, side: PaymentSide): boolean {
  if (id === null || !SHORT_NUMBER.test(id) || day === null) return true
  return side.payment.amountCents === amountCents || daysOf(day, description).some((each) => side.days.includes(each))
}

/** In which order lines choose among what they name: those that agree in direction and amount, those that agree in direction, the others. */
const CHOICES: readonly ((line: StatementLine, side: PaymentSide) => boolean)[] = [
  (line, side) => hasDirection(line, side) && line.amountCents === side.payment.amountCents,
  hasDirection,
  (_, side) => !side.isReturn,
]

/**
 * Matches lines with the sides that their ids name; each side once, so that a further line for it is a second one. `taken` gets the keys of the
 * sides that were matched.
 */
export function matchById(named: readonly NamedSides[], taken: Set<string>): IdMatch[] {
  const found = new Map<NamedSides, IdMatch>()
  for (const isChoice of CHOICES) {
    for (const each of named) {
      if (found.has(each)) continue
      const side = each.sides.find((one) => !taken.has(one.key) && isChoice(each.line, one))
      if (side === undefined) continue
      taken.add(side.key)
      found.set(each, { line: each.line, side, isSecond: false })
    }
  }
  return named.flatMap((each) => {
    const match = found.get(each)
    if (match !== undefined) return [match]
    const side = each.sides.find((one) => hasDirection(each.line, one)) ?? each.sides[0]
    return side === undefined ? [] : [{ line: each.line, side, isSecond: true }]
  })
}

/** True if a line does not contradict the direction of a side. */
export function hasDirection({ direction }: Pick<StatementLine, 'direction'>, side: PaymentSide): boolean {
  return direction === null || direction === side.direction
}

/** The amount of a line in cents, with the sign of its direction if it has one. */
export function statedCents({ amountCents, direction }: StatementLine): number {
  return signedCents(amountCents, direction)
}
