import { parseInstant } from '../../pix/calendar.ts'
import { comparableKey } from '../../pix/pixKey.ts'
import { linkEvents } from '../../timeline/eventLinks.ts'
import type { EventRecord, MoneyIntent, RunRecord, TimelineRecord } from '../../timeline/records.ts'
import type { FollowedRecord } from '../../timeline/timelineFollower.ts'
import { type TransactionState, transactionOf } from '../../timeline/transactions.ts'
import { DigestTable, digestOf, replaced } from './digestTable.ts'
import { Doubts } from './doubts.ts'
import { type LedgerAccount, paymentKey } from './ledgerKeys.ts'
import { PaymentNames } from './paymentNames.ts'
import { PaymentStates } from './paymentStates.ts'
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
  readonly #states = new PaymentStates(this.#table)
  readonly #names = new PaymentNames(this.#table, this.#states)
  #size = 0
  #begunCents = 0
  #paymentCount = 0
  readonly #byKey = new DigestTable()
  readonly #byIntent = new DigestTable()
  readonly #byPayment = new DigestTable()
  readonly #doubts = new Doubts()
  #pending: TimelineRecord<EventRecord>[] = []

  /** How many payments are known. */
  get size(): number {
    return this.#size
  }

  /**
   * Cents of all that was asked for, and once more for each record that may have begun to count later. It only grows: what
   * is sent between two instants is never more than what it has grown.
   */
  get begunCents(): number {
    return this.#begunCents
  }

  /** Takes in the next record of the timeline. */
  add(record: FollowedRecord): void {
    if (record.type === 'run') this.runs.set(record.run, { record, before: this.size })
    else if (record.type === 'intent') {
      if (record.kind !== 'qr') this.#addIntent(record)
    } else {
      const entry = this.entryOf(record.of)
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
    const doubtful = this.#doubts.all()
    for (const [entry, transaction] of doubtful) transaction.state = this.stateOf(entry)
    this.#pending = linkEvents(
      doubtful.map(([, transaction]) => transaction),
      rest,
    )
    for (const [entry, transaction] of doubtful) {
      for (const record of transaction.records) if (record.type === 'event') this.#addEvent(entry, record)
      transaction.records = transaction.records.filter(({ type }) => type !== 'event')
    }
  }

  /** The last payment under an id: an externalId, or what a row of a batch is known by. */
  find(account: LedgerAccount, kind: MoneyIntent['kind'], id: string): number | undefined {
    return this.#names.find(account, kind, id)
  }

  /** The entry that an intent is. */
  entryOf(intentId: string): number | undefined {
    return this.#doubts.entryOf(intentId) ?? this.#byIntent.get(digestOf(intentId))
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
    let at = this.#byKey.get(digestOf(`${this.#names.ownerNumber(account, 'transfer')} ${key}`)) ?? -1
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
  sameId(entry: number): Iterable<number> {
    return this.#names.sameId(entry)
  }

  /** True where the entry is such a payment. */
  isPayment(entry: number, key: string): boolean {
    return this.#byPayment.get(digestOf(key)) === this.#table.number(entry, 'payment')
  }

  stateOf(entry: number): TransactionState {
    return this.#states.stateOf(entry)
  }

  /** True where the money has moved, is moving, or may be. */
  mayHaveMoved(entry: number): boolean {
    return this.#states.mayHaveMoved(entry)
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
    return this.#table.is(entry, 'isWhole')
  }

  attemptOf(entry: number): number {
    return this.#table.number(entry, 'attempt')
  }

  isOfRun(entry: number, run: string): boolean {
    return this.#table.number(entry, 'run') === this.#names.known(run)
  }

  isOf(entry: number, account: LedgerAccount, kind: MoneyIntent['kind']): boolean {
    return this.#table.number(entry, 'owner') === this.#names.ownerNumber(account, kind)
  }

  /** True for what was sent under this reference by a batch. */
  isOfReference(entry: number, reference: string): boolean {
    const number = this.#table.number(entry, 'reference')
    return number !== 0 && number === this.#names.known(reference)
  }

  /** The intent of a payment whose outcome nobody knows. */
  intentInDoubt(entry: number): TimelineRecord<MoneyIntent> | undefined {
    return this.#doubts.get(entry)?.intent
  }

  #addIntent(intent: TimelineRecord<MoneyIntent>): void {
    const table = this.#table
    const entry = this.#size
    this.#size += 1
    const externalId = intent.kind === 'transfer' ? intent.externalId : (intent.row ?? intent.id)
    const row = intent.row ?? externalId
    const owner = this.#names.addOwner(intent)
    this.#begunCents += intent.amountCents ?? 0
    table.add(entry, {
      askedAtMs: parseInstant(intent.at) ?? 0,
      cents: intent.amountCents,
      isWhole: intent.kind === 'refund' && intent.isWhole,
      run: this.#names.numberOf(intent.run ?? ''),
      reference: this.#names.numberOf(intent.reference ?? ''),
      owner,
      attempt: attemptIn(externalId, row),
    })
    this.#names.add(entry, externalId, row)
    this.#byIntent.set(digestOf(intent.id), entry)
    this.#addToPayment(entry, intent)
    if (intent.kind === 'transfer') {
      const toKey = digestOf(`${owner} ${comparableKey(intent.key)}`)
      table.setNumber(entry, 'olderOfKey', replaced(this.#byKey, toKey, entry))
    }
    this.#doubts.add(entry, transactionOf(intent))
  }

  #addToPayment(entry: number, intent: TimelineRecord<MoneyIntent>): void {
    const key = digestOf(paymentKey(intent, comparedOf(intent)))
    const known = this.#byPayment.get(key)
    const payment = known ?? this.#paymentCount++
    if (known === undefined) this.#byPayment.set(key, payment)
    this.#table.setNumber(entry, 'payment', payment)
    this.#table.setNumber(entry, 'olderOfPayment', this.#table.number(payment, 'newestOfPayment'))
    this.#table.setNumber(payment, 'newestOfPayment', entry + 1)
  }

  #addAnswer(entry: number, record: Exclude<FollowedRecord, { type: 'run' | 'intent' }>): void {
    const state = this.#states.addAnswer(entry, record)
    const transaction = this.#doubts.get(entry)
    if (record.type === 'finding' && transaction !== undefined) transaction.finding = record
    if (record.type === 'attempt') transaction?.records.push(record)
    if (record.type === 'attempt' || (record.type === 'outcome' && record.outcome.startsWith('accepted'))) {
      this.#table.setAtMs(entry, parseInstant(record.at) ?? this.atMsOf(entry))
    }
    if (record.type === 'outcome') {
      this.#table.setCents(entry, this.#table.cents(entry) ?? record.amountCents)
      this.#name(entry, record.idTransaction)
      const isDoubtful = state === 'unknown' || (state === 'accepted' && !this.#table.is(entry, 'isNamed'))
      if (!isDoubtful) this.#doubts.delete(entry)
    }
    if (this.mayHaveMoved(entry)) this.#begunCents += this.centsOf(entry) ?? 0
  }

  /** Keeps the id that the gateway gave to a payment; the first that is known counts. */
  #name(entry: number, idTransaction: string | null): void {
    const transaction = this.#doubts.get(entry)
    if (this.#names.addTransaction(entry, idTransaction) && transaction !== undefined) {
      transaction.idTransaction = idTransaction
    }
  }

  /** True where it is known what an event is about. */
  #take(event: TimelineRecord<EventRecord>): boolean {
    const entry = this.#names.entryOf(event)
    if (entry !== undefined) this.#addEvent(entry, event)
    return entry !== undefined
  }

  #addEvent(entry: number, event: TimelineRecord<EventRecord>): void {
    this.#name(entry, event.idTransaction)
    this.#states.addEvent(entry, event)
  }

  *#older(newest: number): Generator<number> {
    for (let at = newest; at !== -1; at = this.#table.number(at, 'olderOfPayment') - 1) yield at
  }
}

function comparedOf(intent: MoneyIntent): Parameters<typeof paymentKey>[1] {
  if (intent.kind === 'refund') return intent
  const { kind, key, typeKey: keyType, amountCents } = intent
  return { kind, key, keyType, amountCents }
}

function attemptIn(externalId: string, row: string): number {
  return Number(/^-(\d{1,6})$/.exec(externalId.slice(row.length))?.[1] ?? 1)
}
