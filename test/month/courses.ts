import type { Dice } from '../campaign/dice.ts'

/** What becomes of a transfer, from its first request to what is known of it when the month is over. */
export interface Course {
  /** What the first request meets. */
  first: 'accepted' | 'refused' | 'failed' | 'answer lost' | 'request lost'
  /** Where the money is in the end. */
  end: 'paid' | 'not-paid' | 'returned' | 'open' | 'refused'
  /** Who tells the machine that sent it. */
  toldBy: 'event' | 'person' | 'nobody'
}

/** All courses by their names. */
export const COURSES = {
  paid: { first: 'accepted', end: 'paid', toldBy: 'event' },
  'paid, as a person found out': { first: 'accepted', end: 'paid', toldBy: 'person' },
  failed: { first: 'accepted', end: 'not-paid', toldBy: 'event' },
  returned: { first: 'accepted', end: 'returned', toldBy: 'event' },
  open: { first: 'accepted', end: 'open', toldBy: 'nobody' },
  refused: { first: 'refused', end: 'refused', toldBy: 'nobody' },
  'refused, then paid': { first: 'refused', end: 'paid', toldBy: 'event' },
  'failed, then paid': { first: 'failed', end: 'paid', toldBy: 'event' },
  'answer lost, paid': { first: 'answer lost', end: 'paid', toldBy: 'event' },
  'answer lost, found by a person': { first: 'answer lost', end: 'paid', toldBy: 'person' },
  'request lost, then paid': { first: 'request lost', end: 'paid', toldBy: 'event' },
  'request lost, found by a person': { first: 'request lost', end: 'not-paid', toldBy: 'person' },
  'answer lost': { first: 'answer lost', end: 'open', toldBy: 'nobody' },
} as const satisfies Record<string, Course>

type CourseName = keyof typeof COURSES

/** A transfer that is going to be made. */
export interface PlannedTransfer {
  /** As it is sent. */
  key: string
  /** As a person writes it into a file. */
  typedKey: string
  /** In the words of a Brazilian spreadsheet. */
  keyType: 'E-mail' | 'Celular'
  payee: string
  cents: number
  course: Course
}

const FIRST_NAMES = ['Maria', 'João', 'Ana', 'José', 'Antônia', 'Francisco', 'Conceição', 'Luís', 'Márcia', 'Íris']
const LAST_NAMES = ['da Silva', 'Souza', 'Gonçalves', 'Araújo', 'Ribeiro', "D'Ávila", 'Sá', 'Nunes']
const CENTS_BELOW = 400_000

/** Transfers of these courses, a number of each, in an order that the dice decide. `series` makes their keys differ from others. */
export function plannedTransfers(
  series: string,
  counts: readonly (readonly [course: CourseName, count: number])[],
  dice: Dice,
): PlannedTransfer[] {
  const courses = counts.flatMap(([name, count]) => Array.from({ length: count }, () => COURSES[name]))
  return shuffled(courses, dice).map((course, place) => {
    const cents = 1 + dice.below(CENTS_BELOW)
    const payee = `${pick(FIRST_NAMES, dice)} ${pick(LAST_NAMES, dice)}`
    if (place % 4 !== 3) {
      const key = `${series}${place}@example.com`
      return { key, typedKey: key, keyType: 'E-mail', payee, cents, course }
    }
    const number = `98${String(dice.below(10_000_000)).padStart(7, '0')}`
    const typedKey = `(11) ${number.slice(0, 5)}-${number.slice(5)}`
    return { key: `11${number}`, typedKey, keyType: 'Celular', payee, cents, course }
  })
}

/** Cents as a Brazilian writes them: 1.234,56. */
export function brazilian(cents: number): string {
  const [reais = '', decimals] = (cents / 100).toFixed(2).split('.')
  return `${reais.replace(/\B(?=(\d{3})+$)/g, '.')},${decimals}`
}

function shuffled<Item>(items: readonly Item[], dice: Dice): Item[] {
  const rest = [...items]
  return items.flatMap(() => rest.splice(dice.below(rest.length), 1))
}

function pick(texts: readonly string[], dice: Dice): string {
  return texts[dice.below(texts.length)] ?? ''
}
