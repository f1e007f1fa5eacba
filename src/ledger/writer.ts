import { DamagedValue, type Database } from '../storage/sqlite.ts'
import { type ChainedRecord, type ChainPoint, chainEnd, chainedRecord, DamagedRecord, insertRecord } from './chain.ts'
import { updateDerivedTables, updateFirstAnswer } from './derivedTables.ts'
import type { LedgerEnvironment } from './paymentState.ts'
import { madeMsOf, withClockFloor } from './recordedClock.ts'
import type { AnswerRecord, AttemptRecord, FirstWriter, LedgerRecord, RecordContent } from './records.ts'

/** Writes records in one transaction. It must not be used after the transaction. */
export class Writer {
  readonly database: Database
  /** What was added in this transaction, in its order. */
  readonly appended: ChainedRecord[] = []
  readonly #environment: LedgerEnvironment
  readonly #isStoring: boolean
  #end: ChainPoint | undefined

  /** A writer that only `notes` writes nothing to the database, which then need not be locked. */
  constructor(database: Database, environment: LedgerEnvironment, does: 'stores' | 'notes' = 'stores') {
    this.database = database
    this.#environment = environment
    this.#isStoring = does === 'stores'
  }

  /** The time of this transaction's records, in ms. */
  get nowMs(): number {
    return this.#environment.now()
  }

  /** True if several machines share the ledger, see {@link LedgerEnvironment}. */
  get isShared(): boolean {
    return this.#environment.sharedAt !== undefined
  }

  /** Under which user records are added. */
  get user(): string {
    return this.#environment.user
  }

  newId(): string {
    return this.#environment.newId()
  }

  get end(): ChainPoint {
    this.#end ??= chainEnd(this.database)
    return this.#end
  }

  /** Adds a record to the chain and brings the derived tables up to date. `atMs` is now and `id` a new one unless they are given. */
  append<Content extends RecordContent>(
    content: Content & FirstWriter,
    atMs = this.nowMs,
    id = this.newId(),
  ): LedgerRecord<Content> {
    // What the same ledger held before was dated when it was written first.
    const dated = content.firstBy?.login === undefined ? withClockFloor(this.database, content, atMs) : content
    const record = this.#chain(this.#withLimit(dated, atMs), atMs, id)
    if (record.type === 'answer') this.#updateUnlessDamaged(() => updateDerivedTables(this.database, record))
    else if (this.#isStoring) updateDerivedTables(this.database, record)
    return record
  }

  /** {@link append} for the answer to an attempt that this process has recorded, of which nothing is read again. */
  appendAnswer(attempt: LedgerRecord<AttemptRecord>, content: AnswerRecord): void {
    const answer = this.#chain(content, this.nowMs, this.newId())
    this.#updateUnlessDamaged(() => updateFirstAnswer(this.database, attempt, answer))
  }

  /** A request of a shared ledger says until when it may be sent. One that another ledger recorded was sent from there. */
  #withLimit<Content extends RecordContent>(content: Content & FirstWriter, atMs: number): Content & FirstWriter {
    const { timeoutMs } = this.#environment
    const isRequest = content.type === 'attempt' || content.type === 'resend'
    if (!this.isShared || !isRequest || content.firstBy !== undefined) return content
    return Object.assign({ notAfter: new Date(atMs + timeoutMs).toISOString() }, content)
  }

  #chain<Content extends RecordContent>(
    content: Content & FirstWriter,
    atMs: number,
    id: string,
  ): LedgerRecord<Content> {
    const { user, machine } = this.#environment
    const chained = chainedRecord(this.end, { id, atMs, user, machine }, content)
    if (this.#isStoring) insertRecord(this.database, chained)
    this.appended.push(chained)
    const { seq, at, digest } = chained
    this.#end = { seq, digest }
    const { user: by = user, machine: on = machine } = content.firstBy ?? {}
    return Object.assign({}, content, {
      seq,
      id,
      at,
      user: by,
      machine: on,
      login: user,
      madeMs: madeMsOf(content, atMs),
    })
  }

  /**
   * What a request did is recorded even if an older record of its payment is damaged. The tables are then left as they are: a decision finds that
   * they do not follow from the records. No savepoint, because with one the search writes its words to the disk for each answer.
   */
  #updateUnlessDamaged(update: () => void): void {
    if (!this.#isStoring) return
    try {
      update()
    } catch (error) {
      if (!(error instanceof DamagedRecord) && !(error instanceof DamagedValue)) throw error
    }
  }
}
