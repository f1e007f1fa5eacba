import { DamagedValue, type Database } from '../storage/sqlite.ts'
import { type ChainPoint, chainDigest, chainEnd, DamagedRecord, insertRecord } from './chain.ts'
import { updateDerivedTables, updateFirstAnswer } from './derivedTables.ts'
import type { LedgerEnvironment } from './environment.ts'
import type { AnswerRecord, AttemptRecord, LedgerRecord, RecordContent } from './records.ts'

/** Writes records in one transaction. It must not be used after the transaction. */
export class Writer {
  readonly database: Database
  readonly #environment: LedgerEnvironment
  #end: ChainPoint | undefined

  constructor(database: Database, environment: LedgerEnvironment) {
    this.database = database
    this.#environment = environment
  }

  /** The time of this transaction's records, in ms. */
  get nowMs(): number {
    return this.#environment.now()
  }

  newId(): string {
    return this.#environment.newId()
  }

  get end(): ChainPoint {
    this.#end ??= chainEnd(this.database)
    return this.#end
  }

  /** Adds a record to the chain and brings the derived tables up to date. `atMs` is now unless it is given. */
  append<Content extends RecordContent>(content: Content, atMs = this.nowMs): LedgerRecord<Content> {
    const record = this.#chain(content, atMs)
    if (record.type === 'answer') this.#updateUnlessDamaged(() => updateDerivedTables(this.database, record))
    else updateDerivedTables(this.database, record)
    return record
  }

  /** {@link append} for the answer to an attempt that this process has recorded, of which nothing is read again. */
  appendAnswer(attempt: LedgerRecord<AttemptRecord>, content: AnswerRecord): void {
    const answer = this.#chain(content, this.nowMs)
    this.#updateUnlessDamaged(() => updateFirstAnswer(this.database, attempt, answer))
  }

  #chain<Content extends RecordContent>(content: Content, atMs: number): LedgerRecord<Content> {
    const { user, machine } = this.#environment
    const before = this.end
    const stamp = { seq: before.seq + 1, id: this.newId(), at: new Date(atMs).toISOString(), user, machine }
    const { type } = content
    const payment = 'payment' in content ? content.payment : null
    const stored = { ...stamp, type, payment, content: JSON.stringify(content) }
    const digest = chainDigest(before.digest, stored)
    insertRecord(this.database, stored, digest)
    this.#end = { seq: stamp.seq, digest }
    return { ...content, ...stamp, madeMs: atMs }
  }

  /**
   * What a request did is recorded even if an older record of its payment is damaged. The tables are then left as they are: a decision finds that
   * they do not follow from the records. No savepoint, because with one the search writes its words to the disk for each answer.
   */
  #updateUnlessDamaged(update: () => void): void {
    try {
      update()
    } catch (error) {
      if (!(error instanceof DamagedRecord) && !(error instanceof DamagedValue)) throw error
    }
  }
}
