import { parseInstant } from '../../pix/calendar.ts'
import { isAbout } from '../../timeline/eventMoves.ts'
import { isSameAccount } from '../../timeline/ownership.ts'
import type { EventRecord, MoneyIntent, Owner, TimelineRecord } from '../../timeline/records.ts'
import { DigestTable, digestOf, replaced } from './digestTable.ts'
import { type LedgerAccount, ownerName, transactionDigest } from './ledgerKeys.ts'
import type { PaymentStates } from './paymentStates.ts'
import type { PaymentTable } from './paymentTable.ts'

type PaymentOwner = Owner & { kind: MoneyIntent['kind'] }
type Event = TimelineRecord<EventRecord>

/** By what the payments of a table are known, and so which of them an event is about. */
export class PaymentNames {
  readonly #table: PaymentTable
  readonly #states: PaymentStates
  readonly #byId = new DigestTable()
  readonly #byTransaction = new DigestTable()
  readonly #numbers = new Map<string, number>([['', 0]])
  /** Whose payments there are, by their numbers. */
  readonly #owners = new Map<number, PaymentOwner>()
  /** True where rows go by the names of {@link rowName}, which those that were never sent again do not. */
  #hasRowNames = false
  #lastOwner: { kind: MoneyIntent['kind']; baseUrl: string; clientId: string; number: number } | undefined

  constructor(table: PaymentTable, states: PaymentStates) {
    this.#table = table
    this.#states = states
  }

  /** Keeps whose payments there are; gives the owner's number. */
  addOwner(intent: TimelineRecord<MoneyIntent>): number {
    const number = this.ownerNumber(intent, intent.kind)
    const { profile, environment, baseUrl, clientId, kind } = intent
    if (!this.#owners.has(number)) this.#owners.set(number, { profile, environment, baseUrl, clientId, kind })
    return number
  }

  /** Keeps the ids of an entry, whose owner is in the table. */
  add(entry: number, externalId: string, row: string): void {
    const owner = this.#table.number(entry, 'owner')
    const older = replaced(this.#byId, digestOf(externalName(owner, externalId)), entry)
    this.#table.setNumber(entry, 'olderOfId', older)
    if (row === externalId) return
    this.#hasRowNames = true
    this.#byId.set(digestOf(rowName(owner, row)), entry)
  }

  /** Keeps the id that the gateway gave to a payment; true for the first that is known of it, which counts. */
  addTransaction(entry: number, idTransaction: string | null): boolean {
    const owner = this.#ownerOf(entry)
    if (idTransaction === null || owner === undefined || this.#table.is(entry, 'isNamed')) return false
    this.#table.mark(entry, 'isNamed', true)
    const digest = transactionDigest(owner, idTransaction)
    const known = this.#byTransaction.set(digest, entry) ?? entry
    if (known > entry) this.#byTransaction.set(digest, known)
    return true
  }

  /** The last payment under an id: an externalId, or what a row of a batch is known by. */
  find(account: LedgerAccount, kind: MoneyIntent['kind'], id: string): number | undefined {
    const owner = this.ownerNumber(account, kind)
    const own = this.#byId.get(digestOf(externalName(owner, id)))
    const attempt = this.#hasRowNames ? this.#byId.get(digestOf(rowName(owner, id))) : undefined
    return own === undefined || attempt === undefined ? (own ?? attempt) : Math.max(own, attempt)
  }

  /** An entry and all before it under the same id, newest first. */
  *sameId(entry: number): Generator<number> {
    for (let at = entry; at !== -1; at = this.#table.number(at, 'olderOfId') - 1) yield at
  }

  /** Which payment an event is about; undefined where that is not known. */
  entryOf(event: Event): number | undefined {
    return this.#byTransactionOf(event) ?? this.#byExternalIdOf(event)
  }

  /** The number of {@link ownerName}; most calls ask for the same as the one before. */
  ownerNumber({ baseUrl, clientId }: LedgerAccount, kind: MoneyIntent['kind']): number {
    const last = this.#lastOwner
    if (last?.kind === kind && last.baseUrl === baseUrl && last.clientId === clientId) return last.number
    const number = this.numberOf(ownerName({ baseUrl, clientId }, kind))
    this.#lastOwner = { kind, baseUrl, clientId, number }
    return number
  }

  /** The number of a text, a new one where it has none. */
  numberOf(name: string): number {
    const known = this.#numbers.get(name)
    if (known !== undefined) return known
    const number = this.#numbers.size
    this.#numbers.set(name, number)
    return number
  }

  /** The number of a text; undefined where it has none. */
  known(name: string): number | undefined {
    return this.#numbers.get(name)
  }

  #byTransactionOf(event: Event): number | undefined {
    const { environment, baseUrl, clientId, idTransaction } = event
    if (environment === null || baseUrl === null || clientId === null || idTransaction === null) return undefined
    const entry = this.#byTransaction.get(transactionDigest({ environment, baseUrl, clientId }, idTransaction))
    const owner = entry === undefined ? undefined : this.#ownerOf(entry)
    return owner !== undefined && isAbout(event, owner.kind) && isSameAccount(event, owner) ? entry : undefined
  }

  /** Of several transfers of one externalId at most one was carried out; what never left is the last to be thought of. */
  #byExternalIdOf(event: Event): number | undefined {
    const { externalId, subject, amountCents, idTransaction } = event
    if (externalId === null || subject !== 'transfer') return undefined
    const atMs = parseInstant(event.at) ?? 0
    const own: number[] = []
    for (const [number, owner] of this.#owners) {
      if (owner.kind !== 'transfer' || !isSameAccount(event, owner)) continue
      for (const entry of this.sameId(this.#byId.get(digestOf(externalName(number, externalId))) ?? -1)) {
        // One that has another id is another transfer: by its own id it would have been found.
        const mayBeIt = idTransaction === null || !this.#table.is(entry, 'isNamed')
        const isSameAmount = amountCents === null || this.#table.cents(entry) === amountCents
        if (mayBeIt && isSameAmount && atMs >= this.#table.askedAtMs(entry)) own.push(entry)
      }
    }
    const newest = own.sort((one, other) => other - one)
    return (
      newest.find((entry) => !['not-sent', 'refused'].includes(this.#states.stateOf(entry))) ??
      newest.find((entry) => this.#states.stateOf(entry) !== 'not-sent') ??
      newest[0]
    )
  }

  #ownerOf(entry: number): PaymentOwner | undefined {
    return this.#owners.get(this.#table.number(entry, 'owner'))
  }
}

/** What a payment itself is known by. */
function externalName(owner: number, externalId: string): string {
  return `${owner} ${externalId}`
}

/** What a row is known by whose newest attempt has an id of its own: an event of an earlier one is not about it. */
function rowName(owner: number, row: string): string {
  return `row ${owner} ${row}`
}
