import type { MoneyIntent } from '../../timeline/records.ts'
import type { Transaction } from '../../timeline/transactions.ts'

/**
 * The payments of an index whose outcome nobody knows, or whose id. They stand in a list, because what is taken out of a Map
 * is still kept by what took its place, and so nearly every payment of a run until the garbage of the whole heap is collected.
 */
export class Doubts {
  readonly #slots: (Transaction<MoneyIntent> | undefined)[] = []
  readonly #free: number[] = []
  /** In the order of the log. */
  readonly #slotOf = new Map<number, number>()
  readonly #entryOf = new Map<string, number>()

  add(entry: number, transaction: Transaction<MoneyIntent>): void {
    const slot = this.#free.pop() ?? this.#slots.length
    this.#slots[slot] = transaction
    this.#slotOf.set(entry, slot)
    this.#entryOf.set(transaction.intent.id, entry)
  }

  /** The payment of an entry; undefined where nothing of it is in doubt. */
  get(entry: number): Transaction<MoneyIntent> | undefined {
    const slot = this.#slotOf.get(entry)
    return slot === undefined ? undefined : this.#slots[slot]
  }

  /** The last entry of an intent, if it is in doubt. */
  entryOf(intentId: string): number | undefined {
    return this.#entryOf.get(intentId)
  }

  delete(entry: number): void {
    const slot = this.#slotOf.get(entry)
    const id = this.get(entry)?.intent.id
    if (slot === undefined || id === undefined) return
    this.#slotOf.delete(entry)
    if (this.#entryOf.get(id) === entry) this.#entryOf.delete(id)
    this.#slots[slot] = undefined
    this.#free.push(slot)
  }

  /** All of them in the order of the log, with their entries. */
  all(): [entry: number, transaction: Transaction<MoneyIntent>][] {
    const all: [number, Transaction<MoneyIntent>][] = []
    for (const [entry, slot] of this.#slotOf) {
      const transaction = this.#slots[slot]
      if (transaction !== undefined) all.push([entry, transaction])
    }
    return all
  }
}
