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
export type Place = { same: number } | NewPlace

/** Where an event stands that is to be kept. */
export interface NewPlace {
  same: null
  duplicateOf: number | null
  key: string
  digest: string
  account: AccountEvents
}

/** The kept events of one account. */
interface AccountEvents {
  readonly first: Map<string, Known>
  /** Of those that say again what another said, in other bytes. */
  readonly rephrased: Map<string, number>
}

/** The events that are kept, by what they say and by their bytes, each account by itself, and so are unsigned ones. */
export class KnownEvents {
  readonly #accounts = new Map<string, AccountEvents>()
  #last: { owner: Knowable['owner']; isSigned: boolean; account: AccountEvents } | undefined
  #next = 1

  placeOf({ facts, body, owner, isSigned }: Knowable): Place {
    return this.#placeOf(facts, hash('sha256', body, 'base64'), owner, isSigned)
  }

  #placeOf(facts: Knowable['facts'], digest: string, owner: Knowable['owner'], isSigned: boolean): Place {
    const key = eventKey(facts, digest)
    const account = this.#accountOf(owner, isSigned)
    const first = account.first.get(key)
    if (first === undefined) return { same: null, duplicateOf: null, key, digest, account }
    if (first.digest === digest) return { same: first.n }
    const same = account.rephrased.get(key + digest)
    return same === undefined ? { same: null, duplicateOf: first.n, key, digest, account } : { same }
  }

  /** Most events are of the same account as the one before. */
  #accountOf(owner: Knowable['owner'], isSigned: boolean): AccountEvents {
    if (this.#last?.owner === owner && this.#last.isSigned === isSigned) return this.#last.account
    // What anybody can send must not stand in the way of the genuine event.
    const name = `${isSigned} ${owner.clientId ?? ''} ${owner.baseUrl ?? ''}`
    const account = this.#accounts.get(name) ?? { first: new Map(), rephrased: new Map() }
    this.#accounts.set(name, account)
    this.#last = { owner, isSigned, account }
    return account
  }

  /** Takes an event in, under the next number, which it returns. */
  add(place: NewPlace): number {
    const n = this.#next
    this.#put(n, place)
    return n
  }

  /** Takes an event out again, which had this number. */
  forget(n: number, { key, digest, duplicateOf, account }: NewPlace): void {
    this.#next = Math.min(this.#next, n)
    if (duplicateOf === null) account.first.delete(key)
    else account.rephrased.delete(key + digest)
  }

  /** Takes an event in that another process has kept. */
  addRecord(record: EventRecord): void {
    const place = this.#placeOf(record, record.digest, record, record.isSigned)
    if (place.same === null) this.#put(record.n, place)
    this.#next = Math.max(this.#next, record.n + 1)
  }

  #put(n: number, { key, digest, duplicateOf, account }: NewPlace): void {
    if (duplicateOf === null) account.first.set(key, { n, digest })
    else account.rephrased.set(key + digest, n)
    this.#next = Math.max(this.#next, n + 1)
  }
}
