import { FINDINGS, type Finding } from '../../timeline/records.ts'
import type { TransactionState } from '../../timeline/transactions.ts'
import { inPage, PagedWords } from './pagedWords.ts'

const STATES: readonly TransactionState[] = ['unknown', 'not-sent', 'refused', 'accepted', ...FINDINGS]
const WORDS = 16
const WORD_VALUES = 2 ** 32
/** The place of each word of an entry; instants and amounts take two. */
const FACTS = 0
const ASKED_AT = 1
const AT = 3
const CENTS = 5

/** Which bits of the first word say what. */
const STATE = { shift: 0, mask: 0xff }
const EVENT_STATE = { shift: 8, mask: 0xff }
const MARKS = {
  isWhole: { shift: 16, mask: 1 },
  /** The gateway says that it holds the id already. */
  isHeld: { shift: 17, mask: 1 },
  /** It was sent more than once. */
  isTriedAgain: { shift: 18, mask: 1 },
  /** An event, whenever it arrived, says that it was paid. */
  isToldPaid: { shift: 19, mask: 1 },
  /** The id that the gateway gave to it is known. */
  isNamed: { shift: 20, mask: 1 },
} as const

interface Bits {
  shift: number
  mask: number
}

/** Where the other whole numbers of an entry stand. */
const NUMBERS = {
  payment: 7,
  /** One more than the entry before it of the same payment, of the same id, and to the same key; 0 where there is none. */
  olderOfPayment: 8,
  olderOfId: 9,
  olderOfKey: 10,
  run: 11,
  reference: 12,
  owner: 13,
  attempt: 14,
  /** Of the payment with this number, one more than its newest entry. */
  newestOfPayment: 15,
} as const

/** What an intent says, with numbers in the place of names. */
interface Asked {
  askedAtMs: number
  /** Null where the amount is not known. */
  cents: number | null
  isWhole: boolean
  run: number
  reference: number
  owner: number
  attempt: number
}

/** What is kept of every payment, in 64 bytes each, most of them in a file where there are many. */
export class PaymentTable {
  readonly #words = new PagedWords()

  /** Begins an entry that was not there before. */
  add(entry: number, { askedAtMs, cents, isWhole, run, reference, owner, attempt }: Asked): void {
    const place = entry * WORDS
    const page = this.#words.changedPage(place)
    const at = inPage(place)
    putLong(page, at + ASKED_AT, Math.max(0, askedAtMs))
    putLong(page, at + AT, Math.max(0, askedAtMs))
    putLong(page, at + CENTS, cents === null ? 0 : cents + 1)
    page[at + NUMBERS.run] = run
    page[at + NUMBERS.reference] = reference
    page[at + NUMBERS.owner] = owner
    page[at + NUMBERS.attempt] = attempt
    if (isWhole) this.mark(entry, 'isWhole', true)
  }

  number(entry: number, name: keyof typeof NUMBERS): number {
    return this.#word(entry, NUMBERS[name])
  }

  setNumber(entry: number, name: keyof typeof NUMBERS, value: number): void {
    this.#setWord(entry, NUMBERS[name], value)
  }

  /** What the answers say. */
  state(entry: number): TransactionState {
    return STATES[this.#bits(entry, STATE)] ?? 'unknown'
  }

  setState(entry: number, state: TransactionState): void {
    this.#setBits(entry, STATE, STATES.indexOf(state))
  }

  /** What an event says; null where none does. */
  eventState(entry: number): Finding | null {
    return FINDINGS[this.#bits(entry, EVENT_STATE) - 1] ?? null
  }

  setEventState(entry: number, state: Finding | null): void {
    this.#setBits(entry, EVENT_STATE, state === null ? 0 : FINDINGS.indexOf(state) + 1)
  }

  /** When it was asked for, in ms since the epoch. */
  askedAtMs(entry: number): number {
    return this.#long(entry, ASKED_AT)
  }

  /** When it was sent last, in ms since the epoch. */
  atMs(entry: number): number {
    return this.#long(entry, AT)
  }

  setAtMs(entry: number, ms: number): void {
    this.#setLong(entry, AT, Math.max(0, ms))
  }

  /** Null where the amount is not known. */
  cents(entry: number): number | null {
    const kept = this.#long(entry, CENTS)
    return kept === 0 ? null : kept - 1
  }

  setCents(entry: number, cents: number | null): void {
    this.#setLong(entry, CENTS, cents === null ? 0 : cents + 1)
  }

  is(entry: number, mark: keyof typeof MARKS): boolean {
    return this.#bits(entry, MARKS[mark]) === 1
  }

  mark(entry: number, mark: keyof typeof MARKS, isSet: boolean): void {
    this.#setBits(entry, MARKS[mark], isSet ? 1 : 0)
  }

  #long(entry: number, word: number): number {
    return this.#word(entry, word) * WORD_VALUES + this.#word(entry, word + 1)
  }

  #setLong(entry: number, word: number, value: number): void {
    const place = entry * WORDS + word
    putLong(this.#words.changedPage(place), inPage(place), value)
  }

  #bits(entry: number, { shift, mask }: Bits): number {
    return (this.#word(entry, FACTS) >>> shift) & mask
  }

  #setBits(entry: number, { shift, mask }: Bits, value: number): void {
    this.#setWord(entry, FACTS, (this.#word(entry, FACTS) & ~(mask << shift)) | (value << shift))
  }

  #word(entry: number, word: number): number {
    const place = entry * WORDS + word
    return this.#words.page(place)[inPage(place)] ?? 0
  }

  #setWord(entry: number, word: number, value: number): void {
    const place = entry * WORDS + word
    this.#words.changedPage(place)[inPage(place)] = value
  }
}

/** Whole numbers from 0 on that need more than one word. */
function putLong(page: Uint32Array, at: number, value: number): void {
  page[at] = Math.floor(value / WORD_VALUES)
  page[at + 1] = value >>> 0
}
