import { parseInstant } from '../../pix/calendar.ts'
import { comparableKey } from '../../pix/pixKey.ts'
import { linkEvents } from '../../timeline/eventLinks.ts'
import { isFurther, meaningOf } from '../../timeline/eventMoves.ts'
import type { EventRecord, Finding, MoneyIntent, RunRecord, TimelineRecord } from '../../timeline/records.ts'
import type { FollowedRecord } from '../../timeline/timelineFollower.ts'
import { foldTransactions, stateAfter, type Transaction, type TransactionState } from '../../timeline/transactions.ts'
import { DigestTable, digestOf } from './digestTable.ts'
import { idDigest, keyDigest, type LedgerAccount, ownerName, paymentKey, transactionDigest } from './ledgerKeys.ts'

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
  readonly #states: TransactionState[] = []
  readonly #eventStates: (Finding | null)[] = []
  readonly #atMs: number[] = []
  readonly #cents: (number | null)[] = []
  readonly #wholes: boolean[] = []
  /** True where the gateway says that it holds the id already. */
  readonly #holds: boolean[] = []
  readonly #payments: number[] = []
  /** The entry before it of the same payment, and of the same id; -1 where there is none. */
  readonly #olderOfPayment: number[] = []
  readonly #olderOfId: number[] = []
  readonly #runsOf: number[] = []
  readonly #references: number[] = []
  readonly #owners: number[] = []
  readonly #attempts: number[] = []
  readonly #newestOfPayment: number[] = []
  /** The transfer before it to the same key; -1 where there is none. */
  readonly #olderOfKey: number[] = []
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

  /** How many payments are known. */
  get size(): number {
    return this.#states.length
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
      if (event.isSigned && event.subject !== 'payment') this.#pending.push({ ...event, headers: [], bodyBase64: '' })
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
      if (event !== null) this.#eventStates[entry] = meaningOf(event)
    }
  }

  /** The last payment under an id: an externalId, or what a row of a batch is known by. */
  find(account: LedgerAccount, kind: MoneyIntent['kind'], id: string): number | undefined {
    return this.#byId.get(idDigest(account, kind, id))
  }

  /** The entry that an intent is. */
  entryOf(intentId: string): number | undefined {
    return this.#byIntent.get(digestOf(intentId))
  }

  /** All known payments of a key, newest first; see {@link paymentKey}. */
  *samePayment(key: string): Generator<number> {
    const payment = this.#byPayment.get(digestOf(key))
    if (payment === undefined) return
    for (let at = this.#newestOfPayment[payment] ?? -1; at !== -1; at = this.#olderOfPayment[at] ?? -1) yield at
  }

  /** The amounts in cents of the last transfers to a key that may have moved money, as `comparableKey` writes it. */
  amountsTo(account: LedgerAccount, key: string): number[] {
    const amounts: number[] = []
    let at = this.#byKey.get(keyDigest(account, key)) ?? -1
    for (; at !== -1 && amounts.length < HABIT_PAYMENTS_MAX; at = this.#olderOfKey[at] ?? -1) {
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
    for (let at = entry; at !== -1; at = this.#olderOfId[at] ?? -1) yield at
  }

  /** True where the entry is such a payment. */
  isPayment(entry: number, key: string): boolean {
    return this.#byPayment.get(digestOf(key)) === this.#payments[entry]
  }

  stateOf(entry: number): TransactionState {
    const state = this.#states[entry] ?? 'unknown'
    const event = this.#eventStates[entry] ?? null
    return event !== null && isFurther(event, state) ? event : state
  }

  /** True where the money has moved, is moving, or may be. */
  mayHaveMoved(entry: number): boolean {
    const state = this.stateOf(entry)
    return ['accepted', 'unknown', 'paid'].includes(state) || (state === 'refused' && this.#holds[entry] === true)
  }

  /** When it was sent last, in ms since the epoch. */
  atMsOf(entry: number): number {
    return this.#atMs[entry] ?? 0
  }

  /** What it moves, null where that is not known. */
  centsOf(entry: number): number | null {
    return this.#cents[entry] ?? null
  }

  isWhole(entry: number): boolean {
    return this.#wholes[entry] === true
  }

  attemptOf(entry: number): number {
    return this.#attempts[entry] ?? 1
  }

  isOfRun(entry: number, run: string): boolean {
    return this.#runsOf[entry] === this.#names.get(run)
  }

  isOf(entry: number, account: LedgerAccount, kind: MoneyIntent['kind']): boolean {
    return this.#owners[entry] === this.#names.get(ownerName(account, kind))
  }

  /** True for what was sent under this reference by a batch. */
  isOfReference(entry: number, reference: string): boolean {
    return this.#references[entry] !== 0 && this.#references[entry] === this.#names.get(reference)
  }

  /** The intent of a payment whose outcome nobody knows. */
  intentInDoubt(entry: number): TimelineRecord<MoneyIntent> | undefined {
    return this.#doubtful.get(entry)?.intent
  }

  #addIntent(intent: TimelineRecord<MoneyIntent>): void {
    const entry = this.size
    const externalId = intent.kind === 'transfer' ? intent.externalId : (intent.row ?? intent.id)
    const row = intent.row ?? externalId
    const [transaction] = foldTransactions([intent])
    this.#states.push('unknown')
    this.#eventStates.push(null)
    this.#atMs.push(parseInstant(intent.at) ?? 0)
    this.#cents.push(intent.amountCents)
    this.#wholes.push(intent.kind === 'refund' && intent.isWhole)
    this.#holds.push(false)
    this.#runsOf.push(this.#nameNumber(intent.run ?? ''))
    this.#references.push(this.#nameNumber(intent.reference ?? ''))
    this.#owners.push(this.#nameNumber(ownerName(intent, intent.kind)))
    this.#attempts.push(attemptIn(externalId, row))
    this.#olderOfId.push(this.find(intent, intent.kind, externalId) ?? -1)
    for (const id of new Set([externalId, row])) this.#byId.set(idDigest(intent, intent.kind, id), entry)
    this.#byIntent.set(digestOf(intent.id), entry)
    const key = digestOf(paymentKey(intent, intent.kind === 'refund' ? intent : { ...intent, keyType: intent.typeKey }))
    const payment = this.#byPayment.get(key) ?? this.#newestOfPayment.length
    this.#byPayment.set(key, payment)
    this.#payments.push(payment)
    this.#olderOfPayment.push(this.#newestOfPayment[payment] ?? -1)
    this.#newestOfPayment[payment] = entry
    const toKey = intent.kind === 'transfer' ? keyDigest(intent, comparableKey(intent.key)) : undefined
    this.#olderOfKey.push((toKey === undefined ? undefined : this.#byKey.get(toKey)) ?? -1)
    if (toKey !== undefined) this.#byKey.set(toKey, entry)
    if (transaction !== undefined && isMoney(transaction)) this.#doubtful.set(entry, transaction)
  }

  #addAnswer(entry: number, record: Exclude<FollowedRecord, { type: 'run' | 'intent' }>): void {
    const state = stateAfter(this.#states[entry] ?? 'unknown', record)
    this.#states[entry] = state
    const transaction = this.#doubtful.get(entry)
    if (transaction !== undefined) transaction.state = state
    if (record.type === 'finding') {
      this.#findingMs.set(entry, parseInstant(record.at) ?? 0)
      // Whoever found something out knew what had arrived before.
      this.#eventStates[entry] = null
      if (transaction !== undefined) Object.assign(transaction, { finding: record, event: null })
    }
    if (record.type === 'attempt' || (record.type === 'outcome' && record.outcome.startsWith('accepted'))) {
      this.#atMs[entry] = parseInstant(record.at) ?? this.atMsOf(entry)
    }
    if (record.type !== 'outcome') return
    this.#holds[entry] = record.code === 'DUPLICATE_EXTERNAL_ID'
    this.#cents[entry] ??= record.amountCents
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
    if (meaning !== null && isLate && isFurther(meaning, this.stateOf(entry))) this.#eventStates[entry] = meaning
    return true
  }

  #nameNumber(name: string): number {
    const known = this.#names.get(name) ?? this.#names.size
    this.#names.set(name, known)
    return known
  }
}

function isMoney(transaction: Transaction): transaction is Transaction<MoneyIntent> {
  return transaction.intent.kind !== 'qr'
}

function attemptIn(externalId: string, row: string): number {
  return Number(/^-(\d{1,6})$/.exec(externalId.slice(row.length))?.[1] ?? 1)
}
