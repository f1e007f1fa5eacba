import { type EventFilter, isMatch } from '../../inspector/eventFilter.ts'
import { type ComparedLine, diffLines } from '../../inspector/lineDiff.ts'
import type { EventBytes, EventDetail, EventDiff, EventPage, LiveUpdate } from '../../inspector/pageData.ts'
import { chainEnd } from '../../ledger/chain.ts'
import { bodyDigest } from '../../ledger/derivedTables.ts'
import {
  countEvents,
  type EventWithForwards,
  eventNumber,
  eventsChangedAfter,
  eventsNumbered,
  findEvents,
  queryEvents,
} from '../../ledger/events.ts'
import type { Ledger } from '../../ledger/ledger.ts'
import type { Delivery } from '../../listener/listenerServer.ts'
import { t } from '../../text/translate.ts'
import { bodyLines } from '../../views/events/bodyText.ts'
import {
  eventDetail,
  eventLine,
  headerTexts,
  type InspectedEvent,
  PLAIN_STYLE,
  recordedEvent,
  unrecordedEvent,
} from '../../views/events/inspectedEvent.ts'
import { NotFound, Refused } from '../../wire/errors.ts'
import { redact, type Secret } from '../../wire/secret.ts'

/** What events are read from, and how they are shown. */
interface EventSource {
  ledger: Ledger
  unmask: boolean
  /** Never shown. */
  secrets: readonly Secret[]
}

const PAGE_EVENTS = 200
/** The most events that one question of the page looks at. */
const SEARCHED_EVENTS = 2_000
const IN_MEMORY_MAX = 1_000
/** Anyone who reaches the listener can send deliveries that are rejected. */
const IN_MEMORY_BYTES_MAX = 16 * 1024 * 1024

/** The events of the ledger, and the last deliveries to a listener of this process that are not in it. */
export class InspectedEvents {
  readonly #source: EventSource
  /** Oldest first. */
  readonly #inMemory: InspectedEvent[] = []
  #inMemoryBytes = 0
  #remembered = 0
  /** The number of the newest event of the ledger, as far as it is known here. */
  #newest: number

  constructor(source: EventSource, newest: number) {
    this.#source = source
    this.#newest = newest
  }

  /** The newest events before a number, or of all if that is null. Few may match a filter, so that a search ends early enough. */
  async page(before: number | null, filter: EventFilter): Promise<EventPage> {
    const page: EventPage = { events: [], before, recorded: this.#newest }
    for (let searched = 0; searched < SEARCHED_EVENTS; searched += PAGE_EVENTS) {
      const { events, before: next, recorded } = await this.#part(page.before)
      page.events.push(...events.filter(({ facets }) => isMatch(facets, filter)))
      page.before = next
      page.recorded = recorded
      if (next === null || page.events.length >= PAGE_EVENTS) break
    }
    return page
  }

  /** A part that is so small that reading it delays nothing else. */
  async #part(before: number | null): Promise<EventPage> {
    const query = { sinceMs: null, failed: false, scope: null, last: PAGE_EVENTS, beforeN: before ?? undefined }
    const { found, count } = await this.#source.ledger.read((database) => ({
      found: queryEvents(database, query),
      count: countEvents(database),
    }))
    this.#newest = count
    const oldest = found[0]?.record.n ?? 0
    const isLast = oldest <= 1
    const between = this.#inMemory.filter(
      ({ order: [n] }) => (before === null || n < before) && (isLast || n >= oldest),
    )
    const events = [...found.map(recordedEvent), ...between].sort(newestFirst).map(eventLine)
    return { events, before: isLast ? null : oldest, recorded: count }
  }

  /** Everything about a delivery. Throws NotFound. */
  async detail(key: string): Promise<EventDetail> {
    const event = await this.named(key)
    const { body } = event.shown
    return { ...eventDetail(event, this.#source.unmask), bytes: body.length, sha256: bodyDigest(body) }
  }

  /** The exact bytes of a body. Throws NotFound, and Refused if they hold a secret of this process. */
  async bytes(key: string): Promise<EventBytes> {
    const { shown, isRecorded } = await this.named(key)
    const { body } = shown
    const text = body.toString('latin1')
    if (redact(text, this.#source.secrets) === text) return { base64: body.toString('base64') }
    throw new Refused(t`The body contains a client secret, so its bytes are not shown`, {
      hint: isRecorded
        ? t`Run \`pixgate webhook events show ${key} --raw\` to write them to a file`
        : t`Look at it on this page: it is only in the listener's memory`,
    })
  }

  /** Compares two deliveries in everything, also in what is masked. Throws NotFound. */
  async diff(firstKey: string, secondKey: string): Promise<EventDiff> {
    const [first, second] = [await this.named(firstKey), await this.named(secondKey)]
    return {
      first: eventLine(first),
      second: eventLine(second),
      isSameBody: first.shown.body.equals(second.shown.body),
      headers: diffLines(this.#headerLines(first), this.#headerLines(second)),
      body: diffLines(this.#bodyLines(first), this.#bodyLines(second)),
    }
  }

  /** The number of the ledger's last record. */
  endSeq(): Promise<number> {
    return this.#source.ledger.read((database) => chainEnd(database).seq)
  }

  /** What has changed after a record, and the number of the last one. */
  changesAfter(seq: number): Promise<{ endSeq: number; update: LiveUpdate | null }> {
    return this.#source.ledger.read((database) => {
      const endSeq = chainEnd(database).seq
      const numbers = eventsChangedAfter(database, seq, PAGE_EVENTS + 1)
      if (numbers.length === 0) return { endSeq, update: null }
      const isMore = numbers.length > PAGE_EVENTS
      const found = isMore ? [] : eventsNumbered(database, numbers)
      const events = found.map((event) => eventLine(recordedEvent(event)))
      this.#newest = countEvents(database)
      return { endSeq, update: { events, isMore, recorded: this.#newest } }
    })
  }

  /**
   * Keeps a delivery in memory that is not in the ledger: one that was rejected, or whose exact bytes had arrived before. Returns what
   * open pages are to be told; null if it is in the ledger.
   */
  async remember(delivery: Delivery): Promise<LiveUpdate | null> {
    const { n, record, duplicate, receivedAtMs } = delivery
    this.#newest = Math.max(this.#newest, n ?? 0)
    if (record !== null && (!duplicate || (await this.#arrivedAt(record)) === new Date(receivedAtMs).toISOString()))
      return null
    this.#remembered += 1
    const event = unrecordedEvent(delivery, [this.#newest, this.#remembered])
    this.#inMemory.push(event)
    this.#inMemoryBytes += bytesOf(event)
    while (this.#inMemory.length > IN_MEMORY_MAX || this.#inMemoryBytes > IN_MEMORY_BYTES_MAX) {
      const oldest = this.#inMemory.shift()
      if (oldest === undefined) break
      this.#inMemoryBytes -= bytesOf(oldest)
    }
    return { events: [eventLine(event)], isMore: false, recorded: this.#newest }
  }

  /** Adds what was found about a refused delivery; what open pages are to be told, null if it is no longer in memory. */
  explain(delivery: Delivery, advice: string): LiveUpdate | null {
    const index = this.#inMemory.findLastIndex(({ shown }) => shown.body === delivery.body)
    const event = this.#inMemory[index]
    if (event === undefined) return null
    this.#inMemory[index] = { ...event, advice }
    return { events: [eventLine(event)], isMore: false, recorded: this.#newest }
  }

  /** The recorded event with a number, or the id of its record. Throws NotFound. */
  async recorded(key: string): Promise<EventWithForwards> {
    const found = await this.#source.ledger.read((database) =>
      findEvents(database, key).find(({ record }) => [`${eventNumber(record)}`, record.id].includes(key)),
    )
    if (found !== undefined) return found
    throw new NotFound(t`The event ${key} no longer exists`, {
      outcome: 'not-sent',
      hint: t`Run \`pixgate webhook events\` to list the recorded events`,
    })
  }

  /** A delivery of the same bytes at another time is not recorded again. */
  async #arrivedAt(record: string): Promise<string> {
    return (await this.recorded(record)).record.at
  }

  /** A delivery, recorded or in memory. Throws NotFound. */
  async named(key: string): Promise<InspectedEvent> {
    return this.#inMemory.find((each) => each.key === key) ?? recordedEvent(await this.recorded(key))
  }

  #headerLines({ shown }: InspectedEvent): ComparedLine[] {
    const { unmask } = this.#source
    return headerTexts(shown, unmask).map(([name, value], index) => ({
      text: JSON.stringify(shown.headers[index]),
      shown: `${name}: ${value}`,
    }))
  }

  #bodyLines({ shown: { body } }: InspectedEvent): ComparedLine[] {
    const { unmask } = this.#source
    const exact = bodyLines(body, { style: PLAIN_STYLE, unmask: true })
    return bodyLines(body, { style: PLAIN_STYLE, unmask }).map((line, index) => ({
      text: exact[index] ?? '',
      shown: line,
    }))
  }
}

/** The size of those parts of a delivery that its sender controls. */
function bytesOf({ shown: { body, path, headers } }: InspectedEvent): number {
  return body.length + path.length + headers.reduce((sum, [name, value]) => sum + name.length + value.length, 0)
}

function newestFirst({ order: [one, oneInMemory] }: InspectedEvent, { order: [other, otherInMemory] }: InspectedEvent) {
  return other - one || otherInMemory - oneInMemory
}
