import { parseInstant } from '../pix/calendar.ts'
import { isObject } from '../wire/answers.ts'
import { INSTANT_CHARACTERS, InstantReader } from './instantReader.ts'
import { FINDINGS } from './records.ts'
import { hashAt, hashOf, keyHashAt, keyHashOf, textEnd } from './textHash.ts'

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
  'run',
] as const
export type Mark = (typeof MARKS)[number]

/** What can be seen of a line without reading it. Texts stand as hashes that are never 0, which is no text. */
export interface Glance {
  mark: Mark
  /** When it was written, in ms since the epoch. */
  atMs: number
  /** Of an intent its own id, of what belongs to one the intent's. */
  link: number
  /** The externalId of a transfer, the idTransaction of an answer or event, the name of a run. */
  name: number
  /** Of an event the externalId, of an intent the key as `comparableKey` has it, the original's id or the request number. */
  otherName: number
  /** Of intents alone: who asked, with which profile, and of which batch it is. */
  user: number
  profile: number
  reference: number
  run: number
}

const QUOTE = 0x22
const HEAD = Buffer.from('{"id":"')
const AT = Buffer.from(',"at":"')

const TYPES = spelled(['intent', 'outcome', 'attempt', 'finding', 'event', 'forward', 'run'])
const INTENTS = spelled(['transfer', 'qr', 'refund'])
const OUTCOMES = spelled(['accepted', 'refused', 'unknown', 'not-sent', 'accepted-before'])
const FINDING_WORDS = spelled(FINDINGS)
const PAYMENT = spelled(['payment'])
const NOTHING: Glance = {
  mark: 'other',
  atMs: 0,
  link: 0,
  name: 0,
  otherName: 0,
  user: 0,
  profile: 0,
  reference: 0,
  run: 0,
}
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

/**
 * A member of a record that is looked for in bytes, one line after the other. Records of one kind have it at nearly the same
 * place; where it is missing, it is known from the search before where it stands next.
 */
class Member {
  readonly #needle: Buffer
  #guess = 0
  #bytes: Buffer | undefined
  #next = 0

  constructor(name: string) {
    this.#needle = Buffer.from(`,"${name}":`)
  }

  /** Where its value begins in the line that begins at `start`; -1 where the line has no such member. */
  find(bytes: Buffer, start: number, end: number): number {
    const guessed = start + this.#guess
    if (guessed < end && stands(bytes, guessed, this.#needle)) return guessed + this.#needle.length
    if (this.#bytes !== bytes || this.#next < start) {
      const found = bytes.indexOf(this.#needle, start)
      this.#bytes = bytes
      this.#next = found === -1 ? bytes.length : found
    }
    if (this.#next >= end) return -1
    this.#guess = this.#next - start
    return this.#next + this.#needle.length
  }
}

/** Looks at lines as this program writes them; it remembers where things stood in the line before. */
export class Glancer {
  readonly #clock = new InstantReader()
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
  readonly #user = new Member('user')
  readonly #profile = new Member('profile')
  readonly #reference = new Member('reference')
  readonly #run = new Member('run')
  readonly #runName = new Member('run')
  readonly #about = {
    transfer: new Member('key'),
    refund: new Member('originalTransactionId'),
    qr: new Member('requestNumber'),
  } as const
  readonly #seen: Glance = { ...NOTHING }

  /** What is seen of the JSON from `start` to `end`, until the next look; undefined for JSON of another form. */
  look(bytes: Buffer, start: number, end: number): Glance | undefined {
    if (!stands(bytes, start, HEAD)) return undefined
    const id = start + HEAD.length - 1
    const idEnd = textEnd(bytes, id)
    const at = idEnd + AT.length
    if (!stands(bytes, idEnd, AT) || bytes[at + INSTANT_CHARACTERS] !== QUOTE) return undefined
    const atMs = this.#clock.instantAt(bytes, at)
    if (atMs === undefined) return undefined
    this.#forget(atMs)
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
        return this.#seen
      case 'run':
        return this.#saw('run', 0, hashAt(bytes, this.#runName.find(bytes, start, end)), 0)
      default:
        return undefined
    }
  }

  #seeIntent(bytes: Buffer, start: number, end: number, link: number): Glance | undefined {
    const kind = wordAt(bytes, this.#kind.find(bytes, start, end), INTENTS)
    if (kind === undefined) return undefined
    const seen = this.#seen
    seen.user = hashAt(bytes, this.#user.find(bytes, start, end))
    seen.profile = hashAt(bytes, this.#profile.find(bytes, start, end))
    seen.reference = hashAt(bytes, this.#reference.find(bytes, start, end))
    seen.run = hashAt(bytes, this.#run.find(bytes, start, end))
    const about = this.#about[kind].find(bytes, start, end)
    if (kind !== 'transfer') return this.#saw(kind, link, 0, hashAt(bytes, about))
    const name = hashAt(bytes, this.#externalId.find(bytes, start, end))
    return this.#saw(kind, link, name, keyHashAt(bytes, about))
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

  #forget(atMs: number): void {
    const seen = this.#seen
    seen.mark = 'other'
    seen.atMs = atMs
    seen.link = seen.name = seen.otherName = 0
    seen.user = seen.profile = seen.reference = seen.run = 0
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
export function glanceAtRecord(value: unknown): Glance {
  const fields = isObject(value) ? value : {}
  const { type, id, at, of, outcome, as, externalId, idTransaction, subject, run } = fields
  const seen = { ...NOTHING, atMs: (typeof at === 'string' ? parseInstant(at) : undefined) ?? 0, link: hashOf(of) }
  switch (type) {
    case 'event': {
      const mark = subject === 'payment' ? 'payment-event' : 'event'
      return { ...seen, mark, link: 0, name: hashOf(idTransaction), otherName: hashOf(externalId) }
    }
    case 'intent':
      return { ...seen, link: hashOf(id), ...glanceAtIntent(fields) }
    case 'attempt':
      return { ...seen, mark: 'attempt' }
    case 'finding':
      return { ...seen, mark: MARKS.find((each) => each === as) ?? 'other' }
    case 'outcome': {
      const word = outcome === 'accepted-before' ? 'accepted' : outcome
      return { ...seen, mark: MARKS.find((each) => each === word) ?? 'other', name: hashOf(idTransaction) }
    }
    case 'run':
      return { ...seen, mark: 'run', link: 0, name: hashOf(run) }
    default:
      return seen
  }
}

function glanceAtIntent(fields: Readonly<Record<string, unknown>>) {
  const { kind, user, profile, reference, run, externalId, key, originalTransactionId, requestNumber } = fields
  const isTransfer = kind === 'transfer'
  return {
    mark: MARKS.find((each) => each === kind) ?? 'other',
    name: isTransfer ? hashOf(externalId) : 0,
    otherName: isTransfer ? keyHashOf(key) : hashOf(kind === 'refund' ? originalTransactionId : requestNumber),
    user: hashOf(user),
    profile: hashOf(profile),
    reference: hashOf(reference),
    run: hashOf(run),
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
