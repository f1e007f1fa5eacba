import { isObject } from '../wire/answers.ts'
import { FINDINGS } from './records.ts'

/** What a line is or says. */
const MARKS = [
  'other',
  'qr',
  'transfer',
  'refund',
  'attempt',
  'not-sent',
  'refused',
  'accepted',
  'unknown',
  'paid',
  'not-paid',
  'returned',
  'event',
  /** One about a payment, which is never looked for by anything but its ids. */
  'payment-event',
] as const
export type Mark = (typeof MARKS)[number]

/** What can be seen of a line without reading it. Texts stand as hashes that are never 0, which is no text. */
export interface Glance {
  mark: Mark
  /** Of an intent its own id, of what belongs to one the intent's. */
  link: number
  /** The externalId of an intent, the idTransaction of an answer or event. */
  name: number
  /** The externalId of an event. */
  otherName: number
  /** Where the 24 bytes of its time stand. */
  at: number
}

const QUOTE = 0x22
const BACKSLASH = 0x5c
const LOWER_N = 0x6e
const UPPER_Z = 0x5a
const AT_CHARACTERS = 24
const HEAD = Buffer.from('{"id":"')
const AT = Buffer.from(',"at":"')

const TYPES = spelled(['intent', 'outcome', 'attempt', 'finding', 'event', 'forward'])
const INTENTS = spelled(['transfer', 'qr', 'refund'])
const OUTCOMES = spelled(['accepted', 'refused', 'unknown', 'not-sent', 'accepted-before'])
const FINDING_WORDS = spelled(FINDINGS)
const PAYMENT = spelled(['payment'])
const CODES: ReadonlyMap<Mark, number> = new Map(MARKS.map((mark, code) => [mark, code]))

/** A mark as a number above 0; 0 for `other`. */
export function markCode(mark: Mark): number {
  return CODES.get(mark) ?? 0
}

export function markOf(code: number): Mark {
  return MARKS[code] ?? 'other'
}

/** True for what a request is asked with. */
export function isIntentMark(mark: Mark): boolean {
  return mark === 'transfer' || mark === 'refund' || mark === 'qr'
}

/** A member of a record that is looked for in bytes. Records of one kind have it at nearly the same place. */
class Member {
  readonly #needle: Buffer
  #guess = 0

  constructor(name: string) {
    this.#needle = Buffer.from(`,"${name}":`)
  }

  /** Where its value begins in the line that begins at `start`; -1 where the line has no such member. */
  find(bytes: Buffer, start: number, end: number): number {
    const guessed = start + this.#guess
    if (guessed < end && stands(bytes, guessed, this.#needle)) return guessed + this.#needle.length
    const found = bytes.indexOf(this.#needle, start)
    if (found === -1 || found >= end) return -1
    this.#guess = found - start
    return found + this.#needle.length
  }
}

/** Looks at lines as this program writes them; it remembers where things stood in the line before. */
export class Glancer {
  readonly #type = new Member('type')
  readonly #kind = new Member('kind')
  readonly #intent = new Member('of')
  readonly #outcome = new Member('outcome')
  readonly #finding = new Member('as')
  readonly #externalId = new Member('externalId')
  readonly #answeredId = new Member('idTransaction')
  readonly #subject = new Member('subject')
  readonly #eventId = new Member('idTransaction')
  readonly #eventExternalId = new Member('externalId')
  readonly #seen: Glance = { mark: 'other', link: 0, name: 0, otherName: 0, at: 0 }

  /** What is seen of the JSON from `start` to `end`, until the next look; undefined for JSON of another form. */
  look(bytes: Buffer, start: number, end: number): Glance | undefined {
    if (!stands(bytes, start, HEAD)) return undefined
    const id = start + HEAD.length - 1
    const idEnd = textEnd(bytes, id)
    const at = idEnd + AT.length
    if (!stands(bytes, idEnd, AT) || bytes[at + AT_CHARACTERS] !== QUOTE) return undefined
    if (bytes[at + AT_CHARACTERS - 1] !== UPPER_Z) return undefined
    this.#seen.at = at
    switch (wordAt(bytes, this.#type.find(bytes, start, end), TYPES)) {
      case 'intent':
        return this.#seeIntent(bytes, start, end, hashAt(bytes, id))
      case 'outcome':
        return this.#seeOutcome(bytes, start, end)
      case 'attempt':
        return this.#saw('attempt', hashAt(bytes, this.#intent.find(bytes, start, end)), 0, 0)
      case 'finding': {
        const finding = wordAt(bytes, this.#finding.find(bytes, start, end), FINDING_WORDS)
        return finding && this.#saw(finding, hashAt(bytes, this.#intent.find(bytes, start, end)), 0, 0)
      }
      case 'event':
        return this.#seeEvent(bytes, start, end)
      case 'forward':
        return this.#saw('other', 0, 0, 0)
      default:
        return undefined
    }
  }

  #seeIntent(bytes: Buffer, start: number, end: number, link: number): Glance | undefined {
    const kind = wordAt(bytes, this.#kind.find(bytes, start, end), INTENTS)
    if (kind === undefined) return undefined
    return this.#saw(kind, link, kind === 'transfer' ? hashAt(bytes, this.#externalId.find(bytes, start, end)) : 0, 0)
  }

  #seeOutcome(bytes: Buffer, start: number, end: number): Glance | undefined {
    const outcome = wordAt(bytes, this.#outcome.find(bytes, start, end), OUTCOMES)
    if (outcome === undefined) return undefined
    const link = hashAt(bytes, this.#intent.find(bytes, start, end))
    const name = hashAt(bytes, this.#answeredId.find(bytes, start, end))
    return this.#saw(outcome === 'accepted-before' ? 'accepted' : outcome, link, name, 0)
  }

  #seeEvent(bytes: Buffer, start: number, end: number): Glance | undefined {
    const id = this.#eventId.find(bytes, start, end)
    const externalId = this.#eventExternalId.find(bytes, start, end)
    if (id === -1 || externalId === -1) return undefined
    const isPayment = wordAt(bytes, this.#subject.find(bytes, start, end), PAYMENT) !== undefined
    return this.#saw(isPayment ? 'payment-event' : 'event', 0, hashAt(bytes, id), hashAt(bytes, externalId))
  }

  #saw(mark: Mark, link: number, name: number, otherName: number): Glance {
    this.#seen.mark = mark
    this.#seen.link = link
    this.#seen.name = name
    this.#seen.otherName = otherName
    return this.#seen
  }
}

/** The same of a record that was read, for lines of another form. */
export function glanceAtRecord(value: unknown): Omit<Glance, 'at'> {
  const fields = isObject(value) ? value : {}
  const { type, kind, id, of, outcome, as, externalId, idTransaction, subject } = fields
  const seen = { mark: 'other', link: hashOf(of), name: 0, otherName: 0 } as const
  switch (type) {
    case 'event': {
      const mark = subject === 'payment' ? 'payment-event' : 'event'
      return { mark, link: 0, name: hashOf(idTransaction), otherName: hashOf(externalId) }
    }
    case 'intent': {
      const mark = MARKS.find((each) => each === kind) ?? 'other'
      return { ...seen, mark, link: hashOf(id), name: kind === 'transfer' ? hashOf(externalId) : 0 }
    }
    case 'attempt':
      return { ...seen, mark: 'attempt' }
    case 'finding':
      return { ...seen, mark: MARKS.find((each) => each === as) ?? 'other' }
    case 'outcome': {
      const word = outcome === 'accepted-before' ? 'accepted' : outcome
      return { ...seen, mark: MARKS.find((each) => each === word) ?? 'other', name: hashOf(idTransaction) }
    }
    default:
      return seen
  }
}

/** Words as they stand in JSON, with their quotes. */
function spelled<Word extends string>(words: readonly Word[]): readonly (readonly [word: Word, bytes: Buffer])[] {
  return words.map((word) => [word, Buffer.from(`"${word}"`)])
}

/** Which of the words stands there; undefined where none does. */
function wordAt<Word extends string>(
  bytes: Buffer,
  at: number,
  words: readonly (readonly [word: Word, bytes: Buffer])[],
): Word | undefined {
  for (const [word, spelling] of words) if (stands(bytes, at, spelling)) return word
  return undefined
}

function stands(bytes: Buffer, at: number, needle: Buffer): boolean {
  for (let index = 0; index < needle.length; index++) {
    if (bytes[at + index] !== needle[index]) return false
  }
  return true
}

/** Behind the text whose first quote stands at `quote`. */
function textEnd(bytes: Buffer, quote: number): number {
  let at = quote + 1
  for (; at < bytes.length && bytes[at] !== QUOTE; at++) if (bytes[at] === BACKSLASH) at++
  return at + 1
}

/** FNV-1a of the text whose first quote stands at `quote`; 0 where null or nothing stands. */
function hashAt(bytes: Buffer, quote: number): number {
  if (quote === -1 || bytes[quote] === LOWER_N) return 0
  let hash = 0x811c9dc5
  for (let at = quote + 1; at < bytes.length; at++) {
    const byte = bytes[at] ?? 0
    if (byte === QUOTE) break
    hash = Math.imul(hash ^ byte, 0x01000193)
    if (byte === BACKSLASH) {
      at += 1
      hash = Math.imul(hash ^ (bytes[at] ?? 0), 0x01000193)
    }
  }
  return hash >>> 0 || 1
}

/** The same of a text as it stands in JSON. */
function hashOf(text: unknown): number {
  return typeof text === 'string' ? hashAt(Buffer.from(JSON.stringify(text)), 0) : 0
}
