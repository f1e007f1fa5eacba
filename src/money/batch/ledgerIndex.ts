import { parseInstant } from '../../pix/calendar.ts'
import { comparableKey } from '../../pix/pixKey.ts'
import { linkEvents } from '../../timeline/eventLinks.ts'
import { isFurther, meaningOf } from '../../timeline/eventMoves.ts'
import type { EventRecord, MoneyIntent, RunRecord, TimelineRecord } from '../../timeline/records.ts'
import type { FollowedRecord } from '../../timeline/timelineFollower.ts'
import { stateAfter, type Transaction, type TransactionState, transactionOf } from '../../timeline/transactions.ts'
import { DigestTable, digestOf } from './digestTable.ts'
import { type LedgerAccount, ownerName, paymentKey, transactionDigest } from './ledgerKeys.ts'
import { PaymentTable } from './paymentTable.ts'

/** So many of a key's payments tell its habit. */
const HABIT_PAYMENTS_MAX = 50

/** A run, and how many payments had been asked for when it began. */
export interface KnownRun {
  record: TimelineRecord<RunRecord>
  before: number
}

/**
 * What the timeline says of every payment that was asked for, a few words each, numbered from 0 in the order of the log.
 * It is fed with records as they are read.
 */
export class LedgerIndex {
  readonly runs = new Map<string, KnownRun>()
  readonly #table = new PaymentTable()
  #size = 0
  #paymentCount = 0
  readonly #byKey = new DigestTable()
  readonly #byIntent = new DigestTable()
  readonly #byId = new DigestTable()
  readonly #byPayment = new DigestTable()
  readonly #byTransaction = new DigestTable()
  readonly #names = new Map<string, number>([['', 0]])
  readonly #findingMs = new Map<number, number>()
  /** Those whose outcome nobody knows, or whose id. */
  readonly #doubtful = new Map<number, Transaction<MoneyIntent>>()
  #pending: TimelineRecord<EventRecord>[] = []
  #lastOwner: { kind: MoneyIntent['kind']; baseUrl: string; clientId: string; number: number } | undefined

  /** How many payments are known. */
  get size(): number {
    return this.#size
  }

  /** Takes in the next record of the timeline. */
  add(record: FollowedRecord): void {
    if (record.type === 'run') this.runs.set(record.run, { record, before: this.size })
    else if (record.type === 'intent') {
      if (record.kind !== 'qr') this.#addIntent(record)
    } else {
      const entry = this.#byIntent.get(digestOf(record.of))
      if (entry !== undefined) this.#addAnswer(entry, record)
    }
  }

  /** Takes in the next events; call {@link settle} when all are in. */
  addEvents(events: readonly TimelineRecord<EventRecord>[]): void {
    for (const event of events) {
      if (!event.isSigned || event.subject === 'payment' || this.#take(event)) continue
      this.#pending.push({ ...event, headers: [], bodyBase64: '' })
    }
  }

  /** Gives the events to the payments that they are about. */
  settle(): void {
    const rest = this.#pending.filter((event) => !this.#take(event))
    const doubtful = [...this.#doubtful]
    this.#pending = linkEvents(
      doubtful.map(([, transaction]) => transaction),
      rest,
    )
    for (const [entry, { event, idTransaction, intent }] of doubtful) {
      if (idTransaction !== null) this.#byTransaction.set(transactionDigest(intent, idTransaction), entry)
      if (event !== null) this.#table.setEventState(entry, meaningOf(event))
    }
  }

  /** The last payment under an id: an externalId, or what a row of a batch is known by. */
  find(account: LedgerAccount, kind: MoneyIntent['kind'], id: string): number | undefined {
    return this.#byId.get(digestOf(`${this.#ownerNumber(account, kind)} ${id}`))
  }

  /** The entry that an intent is. */
  entryOf(intentId: string): number | undefined {
    return this.#byIntent.get(digestOf(intentId))
  }

  /** All known payments of a key, newest first; see {@link paymentKey}. */
  *samePayment(key: string): Generator<number> {
    const payment = this.#byPayment.get(digestOf(key))
    if (payment !== undefined) yield* this.#older(this.#table.number(payment, 'newestOfPayment') - 1)
  }

  /** All known payments of the same key that stand before an entry, newest first. */
  earlierPayments(entry: number): Generator<number> {
    return this.#older(this.#table.number(entry, 'olderOfPayment') - 1)
  }

  /** The amounts in cents of the last transfers to a key that may have moved money, as `comparableKey` writes it. */
  amountsTo(account: LedgerAccount, key: string): number[] {
    const amounts: number[] = []
    let at = this.#byKey.get(digestOf(`${this.#ownerNumber(account, 'transfer')} ${key}`)) ?? -1
    for (; at !== -1 && amounts.length < HABIT_PAYMENTS_MAX; at = this.#table.number(at, 'olderOfKey') - 1) {
      const cents = this.centsOf(at)
      if (cents !== null && this.mayHaveMoved(at)) amounts.push(cents)
    }
    return amounts
  }

  /** What was sent for an account since an instant, in cents: transfers and refunds, doubtful ones too. */
  sentSinceCents(account: LedgerAccount, sinceMs: number): number {
    let sumCents = 0
    for (let entry = 0; entry < this.size; entry++) {
      if (this.atMsOf(entry) < sinceMs || !this.mayHaveMoved(entry)) continue
      const isOwn = this.isOf(entry, account, 'transfer') || this.isOf(entry, account, 'refund')
      if (isOwn) sumCents += this.centsOf(entry) ?? 0
    }
    return sumCents
  }

  /** It and all before it under the same id, newest first. */
  *sameId(entry: number): Generator<number> {
    for (let at = entry; at !== -1; at = this.#table.number(at, 'olderOfId') - 1) yield at
  }

  /** True where the entry is such a payment. */
  isPayment(entry: number, key: string): boolean {
    return this.#byPayment.get(digestOf(key)) === this.#table.number(entry, 'payment')
  }

  stateOf(entry: number): TransactionState {
    const state = this.#table.state(entry)
    const event = this.#table.eventState(entry)
    return event !== null && isFurther(event, state) ? event : state
  }

  /** True where the money has moved, is moving, or may be. */
  mayHaveMoved(entry: number): boolean {
    const state = this.stateOf(entry)
    return ['accepted', 'unknown', 'paid'].includes(state) || (state === 'refused' && this.#table.isHeld(entry))
  }

  /** When it was sent last, in ms since the epoch. */
  atMsOf(entry: number): number {
    return this.#table.atMs(entry)
  }

  /** What it moves, null where that is not known. */
  centsOf(entry: number): number | null {
    return this.#table.cents(entry)
  }

  isWhole(entry: number): boolean {
    return this.#table.isWhole(entry)
  }

  attemptOf(entry: number): number {
    return this.#table.number(entry, 'attempt')
  }

  isOfRun(entry: number, run: string): boolean {
    return this.#table.number(entry, 'run') === this.#names.get(run)
  }

  isOf(entry: number, account: LedgerAccount, kind: MoneyIntent['kind']): boolean {
    return this.#table.number(entry, 'owner') === this.#ownerNumber(account, kind)
  }

  /** True for what was sent under this reference by a batch. */
  isOfReference(entry: number, reference: string): boolean {
    const number = this.#table.number(entry, 'reference')
    return number !== 0 && number === this.#names.get(reference)
  }

  /** The intent of a payment whose outcome nobody knows. */
  intentInDoubt(entry: number): TimelineRecord<MoneyIntent> | undefined {
    return this.#doubtful.get(entry)?.intent
  }

  #addIntent(intent: TimelineRecord<MoneyIntent>): void {
    const table = this.#table
    const entry = this.#size
    this.#size += 1
    const externalId = intent.kind === 'transfer' ? intent.externalId : (intent.row ?? intent.id)
    const row = intent.row ?? externalId
    const owner = this.#ownerNumber(intent, intent.kind)
    table.setAtMs(entry, parseInstant(intent.at) ?? 0)
    table.setCents(entry, intent.amountCents)
    if (intent.kind === 'refund') table.setWhole(entry, intent.isWhole)
    table.setNumber(entry, 'run', this.#nameNumber(intent.run ?? ''))
    table.setNumber(entry, 'reference', this.#nameNumber(intent.reference ?? ''))
    table.setNumber(entry, 'owner', owner)
    table.setNumber(entry, 'attempt', attemptIn(externalId, row))
    table.setNumber(entry, 'olderOfId', replaced(this.#byId, digestOf(`${owner} ${externalId}`), entry))
    if (row !== externalId) this.#byId.set(digestOf(`${owner} ${row}`), entry)
    this.#byIntent.set(digestOf(intent.id), entry)
    this.#addToPayment(entry, intent)
    if (intent.kind === 'transfer') {
      const toKey = digestOf(`${owner} ${comparableKey(intent.key)}`)
      table.setNumber(entry, 'olderOfKey', replaced(this.#byKey, toKey, entry))
    }
    this.#doubtful.set(entry, transactionOf(intent))
  }

  #addToPayment(entry: number, intent: TimelineRecord<MoneyIntent>): void {
    const key = digestOf(paymentKey(intent, intent.kind === 'refund' ? intent : { ...intent, keyType: intent.typeKey }))
    const payment = this.#byPayment.get(key) ?? this.#paymentCount++
    this.#byPayment.set(key, payment)
    this.#table.setNumber(entry, 'payment', payment)
    this.#table.setNumber(entry, 'olderOfPayment', this.#table.number(payment, 'newestOfPayment'))
    this.#table.setNumber(payment, 'newestOfPayment', entry + 1)
  }

  #addAnswer(entry: number, record: Exclude<FollowedRecord, { type: 'run' | 'intent' }>): void {
    const state = stateAfter(this.#table.state(entry), record)
    this.#table.setState(entry, state)
    const transaction = this.#doubtful.get(entry)
    if (transaction !== undefined) transaction.state = state
    if (record.type === 'finding') {
      this.#findingMs.set(entry, parseInstant(record.at) ?? 0)
      // Whoever found something out knew what had arrived before.
      this.#table.setEventState(entry, null)
      if (transaction !== undefined) Object.assign(transaction, { finding: record, event: null })
    }
    if (record.type === 'attempt' || (record.type === 'outcome' && record.outcome.startsWith('accepted'))) {
      this.#table.setAtMs(entry, parseInstant(record.at) ?? this.atMsOf(entry))
    }
    if (record.type !== 'outcome') return
    this.#table.setHeld(entry, record.code === 'DUPLICATE_EXTERNAL_ID')
    this.#table.setCents(entry, this.#table.cents(entry) ?? record.amountCents)
    if (transaction === undefined) return
    transaction.idTransaction ??= record.idTransaction
    const { idTransaction, intent } = transaction
    if (idTransaction !== null) this.#byTransaction.set(transactionDigest(intent, idTransaction), entry)
    const isDoubtful = state === 'unknown' || (state === 'accepted' && idTransaction === null)
    if (!isDoubtful) this.#doubtful.delete(entry)
  }

  /** True where it is known what an event is about. */
  #take(event: TimelineRecord<EventRecord>): boolean {
    const { baseUrl, clientId, idTransaction, externalId, subject } = event
    if (baseUrl === null || clientId === null) return false
    const account = { baseUrl, clientId }
    const byTransaction =
      idTransaction === null
        ? undefined
        : this.#byTransaction.get(transactionDigest({ ...event, ...account }, idTransaction))
    const byId = subject === 'transfer' && externalId !== null ? this.find(account, 'transfer', externalId) : undefined
    const entry = byTransaction ?? byId
    if (entry === undefined) return false
    const meaning = meaningOf(event)
    const isLate = (parseInstant(event.at) ?? 0) > (this.#findingMs.get(entry) ?? Number.NEGATIVE_INFINITY)
    if (meaning !== null && isLate && isFurther(meaning, this.stateOf(entry))) this.#table.setEventState(entry, meaning)
    return true
  }

  *#older(newest: number): Generator<number> {
    for (let at = newest; at !== -1; at = this.#table.number(at, 'olderOfPayment') - 1) yield at
  }

  /** The number of {@link ownerName}; most calls ask for the same as the one before. */
  #ownerNumber({ baseUrl, clientId }: LedgerAccount, kind: MoneyIntent['kind']): number {
    const last = this.#lastOwner
    if (last?.kind === kind && last.baseUrl === baseUrl && last.clientId === clientId) return last.number
    const number = this.#nameNumber(ownerName({ baseUrl, clientId }, kind))
    this.#lastOwner = { kind, baseUrl, clientId, number }
    return number
  }

  #nameNumber(name: string): number {
    const known = this.#names.get(name) ?? this.#names.size
    this.#names.set(name, known)
    return known
  }
}

/** Keeps an entry for a digest; gives one more than the entry that was kept before, 0 where there was none. */
function replaced(entries: DigestTable, digest: string, entry: number): number {
  const older = entries.get(digest)
  entries.set(digest, entry)
  return older === undefined ? 0 : older + 1
}

function attemptIn(externalId: string, row: string): number {
  return Number(/^-(\d{1,6})$/.exec(externalId.slice(row.length))?.[1] ?? 1)
}
