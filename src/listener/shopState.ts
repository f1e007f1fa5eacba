import { isObject } from '../wire/answers.ts'
import { parseJson } from '../wire/jsonTree.ts'

/** What a shop shows: its numbers by their places, and how often it shows each word. Of ids and times only their number counts. */
export interface ShopState {
  numbers: ReadonlyMap<string, number>
  words: ReadonlyMap<string, number>
}

/** By how much each number and each count of a word differs between two states; what did not change is absent. */
export type StateChange = ReadonlyMap<string, number>

/** Of a text: times and dates, ids, numbers, words. */
const PARTS =
  /(?<time>\d{4}-\d\d-\d\d(?:[T ]\d\d:\d\d(?::\d\d(?:\.\d+)?)?(?:Z|[+-]\d\d:?\d\d)?)?|\d\d\/\d\d\/\d{4}|\b\d\d:\d\d(?::\d\d)?\b)|(?<id>\b[\da-f]{8}(?:-[\da-f]{4}){3}-[\da-f]{12}\b|\b(?=[\w-]*\d)(?=[\w-]*[a-z_])[\w-]{6,}\b)|(?<number>-?\d+(?:[.,]\d+)*)|(?<word>[\p{L}_]+)/giu
const EPOCHS = [
  [1.5e9, 2.5e9],
  [1.5e12, 2.5e12],
] as const
const [NUMBER, TIME, ID] = ['<n>', '<time>', '<id>']
const ROUNDING = 10_000

/** Reads what a shop answered, JSON or any other text; `ids` are those of payments, however they look. */
export function readShopState(text: string, ids: readonly string[]): ShopState {
  const numbers = new Map<string, number>()
  const words = new Map<string, number>()
  const own = new Set(ids)
  const count = (word: string) => words.set(word, (words.get(word) ?? 0) + 1)

  function addNumber(value: number, path: string, place: string): void {
    const isTime = EPOCHS.some(([from, to]) => value >= from && value < to)
    count(`${path}=${isTime ? TIME : NUMBER}`)
    if (!isTime) numbers.set(place, value)
  }

  function addText(shown: string, path: string, place: string): void {
    const seen = new Map<string, number>()
    let before = ''
    for (const { 0: part, groups = {} } of own.has(shown) ? [] : shown.matchAll(PARTS)) {
      if (groups.number === undefined || own.has(part)) {
        before = groups.time !== undefined ? TIME : groups.word !== undefined && !own.has(part) ? part : ID
        count(`${path}=${before}`)
        continue
      }
      const nth = (seen.get(before) ?? 0) + 1
      seen.set(before, nth)
      addNumber(numberOf(part), path, `${place} ${before}#${nth}`)
    }
    if (own.has(shown)) count(`${path}=${ID}`)
  }

  function add(value: unknown, path: string, place: string): void {
    if (typeof value === 'number') addNumber(value, path, place)
    else if (typeof value === 'string') addText(value, path, place)
    else if (Array.isArray(value)) for (const [at, item] of value.entries()) add(item, `${path}[]`, `${place}[${at}]`)
    else if (isObject(value)) {
      for (const [name, member] of Object.entries(value)) {
        add(member, `${path}.${own.has(name) || UUID.test(name) ? ID : name}`, `${place}.${name}`)
      }
    } else count(`${path}=${String(value)}`)
  }

  add(parseJson(text) ?? text, '', '')
  return { numbers, words }
}

const UUID = /^[\da-f]{8}(?:-[\da-f]{4}){3}-[\da-f]{12}$/i

/** `10,50`, `1.234,56` and `1,234.56` as numbers: the last separator is the decimal one, unless only thousands follow it. */
function numberOf(text: string): number {
  const [, whole = text, decimals = ''] = /^(.*)[.,](\d+)$/.exec(text) ?? []
  const isThousands = decimals.length === 3 && !/[.,]/.test(whole)
  return Number(isThousands ? `${whole}${decimals}` : `${whole.replace(/[.,]/g, '')}.${decimals || '0'}`)
}

/** In a list, a place is not that of the same thing before; that something was added shows in the words. */
const IN_LIST = /\[|#(?!1$)/

/** What changed from one state to another, without what is in `restless`, which changes by itself. */
export function changeOf(before: ShopState, after: ShopState, restless: ReadonlySet<string> = new Set()): StateChange {
  const change = new Map<string, number>()
  for (const kind of ['numbers', 'words'] as const) {
    for (const name of new Set([...before[kind].keys(), ...after[kind].keys()])) {
      const [earlier, later] = [before[kind].get(name), after[kind].get(name)]
      if (kind === 'numbers' && IN_LIST.test(name) && (earlier === undefined || later === undefined)) continue
      const by = (later ?? 0) - (earlier ?? 0)
      const key = `${kind} ${name}`
      if (Math.round(by * ROUNDING) !== 0 && !restless.has(key)) change.set(key, Math.round(by * ROUNDING) / ROUNDING)
    }
  }
  return change
}

/** What a shop shows after something else than one payment, compared with what one payment changed. */
export type StateVerdict = 'same' | 'credited' | 'unclear'

/** The part of the change by one payment that tells of credited money: its amount in reais or cents if that is there, else all of it. */
function creditIn(one: StateChange, amountCents: number | null): StateChange {
  const entries = [...one].filter(([key]) => !/[.\s](?:id|n|no|seq|number|version)$/i.test(key))
  const isMoney = ([key, by]: [string, number]) =>
    key.startsWith('numbers') && [by, Math.round(by * 100)].includes(amountCents ?? 0)
  if (!entries.some(isMoney)) return new Map(entries)
  return new Map(entries.filter((entry) => entry[0].startsWith('words') || isMoney(entry)))
}

/** Judges a repetition of the payment: what it credited must not change again. */
export function judgeRepetition(one: StateChange, again: StateChange, amountCents: number | null): StateVerdict {
  const credit = creditIn(one, amountCents)
  const repeats = [...credit].filter(([key]) => again.has(key))
  if (repeats.some(([key, by]) => Math.sign(again.get(key) ?? 0) === Math.sign(by))) return 'credited'
  return again.size === 0 || repeats.length === 0 ? 'same' : 'unclear'
}

/** Judges several deliveries of another payment at once: they must change as much as one did. */
export function judgeTogether(one: StateChange, several: StateChange, amountCents: number | null): StateVerdict {
  const factors = [...creditIn(one, amountCents)].map(([key, by]) => (several.get(key) ?? 0) / by)
  if (factors.some((factor) => factor > 1 && Number.isInteger(Math.round(factor * 100) / 100))) return 'credited'
  return factors.includes(1) ? 'same' : 'unclear'
}

const ENDED = /expir|unpaid|ended|closed|cancel|vencid/i

/** Judges a payment that was not paid: it must not change what one that was paid has changed. */
export function judgeUnpaid(one: StateChange, unpaid: StateChange, amountCents: number | null): StateVerdict {
  const credit = [...creditIn(one, amountCents)].filter(([, by]) => by !== 0)
  const isAlike = ([key, by]: [string, number]) => Math.sign(unpaid.get(key) ?? 0) === Math.sign(by)
  if (!credit.some(isAlike)) return 'same'
  // A shop may list what has expired beside what was paid.
  const saysEnded = [...unpaid].some(([key, by]) => by > 0 && key.startsWith('words') && ENDED.test(key))
  return !saysEnded && credit.every(([key, by]) => unpaid.get(key) === by) ? 'credited' : 'unclear'
}
