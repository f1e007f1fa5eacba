import { HashMap } from './hashMap.ts'
import { isIntentMark, type Mark, markCode } from './lineGlance.ts'
import type { LineTable } from './lineTable.ts'
import { FINDINGS } from './records.ts'
import type { TransactionState } from './transactions.ts'

/** The lines that must be read, by their indices, in the order of the files. */
export interface SelectedLines {
  timeline: number[]
  journal: number[]
}

/** Stands for the state of two intents that share a link. */
const SEVERAL = 255
const UNKNOWN = markCode('unknown')
const ACCEPTED = markCode('accepted')

/** From where the lines are looked for. */
export interface Wished {
  /** Lines of the timeline, each of a transaction that is wished for. */
  lines: readonly number[]
  /** Lines of the journal that are wished for whatever they are about. */
  events: readonly number[]
}

/**
 * The lines that tell what became of what is wished for, and of all that they share an id with, directly or through events,
 * so that folding these lines gives the same as folding all would. `state` leaves out intents that cannot be in it.
 */
export function selectLines(
  timeline: LineTable,
  journal: LineTable,
  { lines, events }: Wished,
  state: TransactionState | null,
): SelectedLines {
  const closure = new Closure(timeline, journal)
  for (const index of events) closure.takeEvent(index)
  const wanted = state === null ? lines : inState(timeline, journal, lines, state)
  for (const index of wanted) closure.links.set(timeline.link(index), 1)
  closure.close()
  if (events.length > 0 || doubtfulIntents(timeline, closure.links).length > 0)
    widenForDoubt(timeline, journal, closure)
  return closure.lines()
}

/** A set of lines that grows until no other line has a link or a name of it. */
class Closure {
  readonly links = new HashMap()
  readonly #names = new HashMap()
  readonly #timeline: LineTable
  readonly #journal: LineTable
  readonly #taken: Uint8Array
  readonly #takenEvents: Uint8Array

  constructor(timeline: LineTable, journal: LineTable) {
    this.#timeline = timeline
    this.#journal = journal
    this.#taken = new Uint8Array(timeline.count)
    this.#takenEvents = new Uint8Array(journal.count)
  }

  takeEvent(index: number): void {
    this.#takenEvents[index] = 1
    this.#names.set(this.#journal.name(index), 1)
    this.#names.set(this.#journal.otherName(index), 1)
  }

  close(): void {
    for (let before = -1; before !== this.links.size + this.#names.size; ) {
      before = this.links.size + this.#names.size
      if (before > 0) this.#takeLines()
      if (this.#names.size > 0) this.#takeEvents()
    }
  }

  lines(): SelectedLines {
    return { timeline: indicesOf(this.#taken), journal: indicesOf(this.#takenEvents) }
  }

  #takeLines(): void {
    const lines = this.#timeline
    for (let index = 0; index < lines.count; index++) {
      if (this.#taken[index] === 1) continue
      const link = lines.link(index)
      if (!this.links.has(link) && !this.#names.has(lines.name(index))) continue
      this.#taken[index] = 1
      this.links.set(link, 1)
      this.#names.set(lines.name(index), 1)
    }
  }

  #takeEvents(): void {
    const lines = this.#journal
    for (let index = 0; index < lines.count; index++) {
      if (this.#takenEvents[index] === 1) continue
      if (this.#names.has(lines.name(index)) || this.#names.has(lines.otherName(index))) this.takeEvent(index)
    }
  }
}

/**
 * An event may be about a transaction whose id nobody knows, if it is the only one of its kind: then all of them are needed,
 * and all events that name none.
 */
function widenForDoubt(timeline: LineTable, journal: LineTable, closure: Closure): void {
  const known = new HashMap()
  for (const index of answersIn(timeline, answeredStates(timeline))) known.set(timeline.name(index), 1)
  let isWider = false
  for (let index = 0; index < journal.count; index++) {
    const name = journal.name(index)
    if (name === 0 || known.has(name) || journal.mark(index) !== 'event') continue
    closure.takeEvent(index)
    isWider = true
  }
  if (!isWider) return
  for (const index of doubtfulIntents(timeline)) closure.links.set(timeline.link(index), 1)
  closure.close()
}

/** The intents that may have been carried out under an id that no answer named; of these links alone, if given. */
function doubtfulIntents(lines: LineTable, among?: HashMap): number[] {
  const states = answeredStates(lines, among)
  const answered = new HashMap()
  for (const index of answersIn(lines, states)) answered.set(lines.link(index), 1)
  const doubtful: number[] = []
  for (let index = 0; index < lines.count; index++) {
    if (!isIntentMark(lines.mark(index))) continue
    const link = lines.link(index)
    const state = states.get(link)
    if (state === SEVERAL || ((state === UNKNOWN || state === ACCEPTED) && !answered.has(link))) doubtful.push(index)
  }
  return doubtful
}

/** The answers that name an id, each behind the one intent that it is about. */
function* answersIn(lines: LineTable, states: HashMap): Generator<number> {
  const begun = new HashMap()
  for (let index = 0; index < lines.count; index++) {
    const link = lines.link(index)
    const state = states.get(link)
    if (state === 0 || state === SEVERAL) continue
    if (isIntentMark(lines.mark(index))) begun.set(link, 1)
    else if (lines.name(index) !== 0 && begun.has(link)) yield index
  }
}

/** The candidates that may be in a state, as far as answers and the ids in events tell. */
function inState(
  timeline: LineTable,
  journal: LineTable,
  candidates: readonly number[],
  wanted: TransactionState,
): number[] {
  const states = answeredStates(timeline)
  const code = markCode(wanted)
  const movable = FINDINGS.some((finding) => finding === wanted) ? movableLinks(timeline, journal) : new HashMap()
  return candidates.filter((index) => {
    const link = timeline.link(index)
    const state = states.get(link)
    return state === code || state === SEVERAL || movable.has(link)
  })
}

/** The links of what an event may be about: only events move a transaction on from what its answers say. */
function movableLinks(timeline: LineTable, journal: LineTable): HashMap {
  const names = new HashMap()
  for (let index = 0; index < journal.count; index++) {
    names.set(journal.name(index), 1)
    names.set(journal.otherName(index), 1)
  }
  const movable = new HashMap()
  for (const index of doubtfulIntents(timeline)) movable.set(timeline.link(index), 1)
  for (let index = 0; index < timeline.count; index++) {
    if (names.has(timeline.name(index))) movable.set(timeline.link(index), 1)
  }
  return movable
}

/** What the answers alone say of each link: the code of a state. */
function answeredStates(lines: LineTable, among?: HashMap): HashMap {
  const states = new HashMap()
  for (let index = 0; index < lines.count; index++) {
    const link = lines.link(index)
    if (among?.has(link) === false) continue
    const mark = lines.mark(index)
    const before = states.get(link)
    if (isIntentMark(mark)) states.set(link, before === 0 ? UNKNOWN : SEVERAL)
    else if (before !== 0 && before !== SEVERAL) states.set(link, answered(before, mark))
  }
  return states
}

/** What is known after one more record, as `stateAfter` has it. */
function answered(before: number, mark: Mark): number {
  if (mark !== 'attempt') return markCode(mark)
  return before === ACCEPTED ? ACCEPTED : UNKNOWN
}

function indicesOf(taken: Uint8Array): number[] {
  const indices: number[] = []
  for (let index = 0; index < taken.length; index++) if (taken[index] === 1) indices.push(index)
  return indices
}
