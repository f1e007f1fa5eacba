import { hash } from 'node:crypto'
import { eventKey } from '../wire/eventFacts.ts'
import type { EventOwner, EventRecord } from './records.ts'

/** What tells whether an event has been kept before. */
interface Known {
  n: number
  digest: string
}

/** What is looked at of an event. */
export type Knowable = {
  facts: Parameters<typeof eventKey>[0]
  body: Buffer
  owner: Pick<EventOwner, 'baseUrl' | 'clientId'>
  isSigned: boolean
}

/** Where an event stands among those that are kept: the same bytes, the same in other bytes, or new. */
export type Place = { same: number } | { same: null; duplicateOf: number | null; key: string; digest: string }

/** The events that are kept, by what they say and by their bytes, each account by itself, and so are unsigned ones. */
export class KnownEvents {
  readonly #first = new Map<string, Known>()
  /** Of those that say again what another said, in other bytes. */
  readonly #rephrased = new Map<string, number>()
  #next = 1

  placeOf({ facts, body, owner, isSigned }: Knowable): Place {
    return this.#placeOf(facts, hash('sha256', body, 'base64'), owner, isSigned)
  }

  #placeOf(facts: Knowable['facts'], digest: string, owner: Knowable['owner'], isSigned: boolean): Place {
    // What anybody can send must not stand in the way of the genuine event.
    const key = `${isSigned} ${owner.clientId ?? ''} ${owner.baseUrl ?? ''} ${eventKey(facts, digest)}`
    const first = this.#first.get(key)
    if (first === undefined) return { same: null, duplicateOf: null, key, digest }
    if (first.digest === digest) return { same: first.n }
    const same = this.#rephrased.get(key + digest)
    return same === undefined ? { same: null, duplicateOf: first.n, key, digest } : { same }
  }

  /** Takes an event in, under the next number, and returns how to take it out again. */
  add({ key, digest, duplicateOf }: Exclude<Place, { same: number }>): { n: number; forget(): void } {
    const n = this.#next
    this.#put(n, key, digest, duplicateOf)
    return {
      n,
      forget: () => {
        this.#next = Math.min(this.#next, n)
        if (duplicateOf === null) this.#first.delete(key)
        else this.#rephrased.delete(key + digest)
      },
    }
  }

  /** Takes an event in that another process has kept. */
  addRecord(record: EventRecord): void {
    const place = this.#placeOf(record, record.digest, record, record.isSigned)
    if (place.same === null) this.#put(record.n, place.key, place.digest, place.duplicateOf)
    this.#next = Math.max(this.#next, record.n + 1)
  }

  #put(n: number, key: string, digest: string, duplicateOf: number | null): void {
    if (duplicateOf === null) this.#first.set(key, { n, digest })
    else this.#rephrased.set(key + digest, n)
    this.#next = Math.max(this.#next, n + 1)
  }
}
