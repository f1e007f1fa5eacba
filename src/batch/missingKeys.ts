import type { PostOutcome } from '../gateway/postOutcome.ts'
import { chainEnd } from '../ledger/chain.ts'
import type { MoneyPayment } from '../ledger/facts.ts'
import { failedTargets } from '../ledger/runRows.ts'
import type { PaymentContext } from '../payments/paymentContext.ts'
import { comparableKey } from '../pix/pixKey.ts'

/** A batch stops after so many keys that were not found, because the directory of keys blocks those who ask for too many. */
export const MISSING_KEYS_MAX = 20

const KEY_NOT_FOUND = 'PIX_KEY_NOT_FOUND'
/** Pause between two looks at the events. */
const READ_EVERY_MS = 500
/** An event may arrive before the answer by which it is recognised is recorded, so the last records are read again. */
const OVERLAP_RECORDS = 1000

/** The PIX keys of a run that were not found since it was started or resumed, as answers and later events say. */
export class MissingKeys {
  readonly #context: PaymentContext
  readonly #run: string
  readonly #firstSeq: number
  #readSeq: number
  #readMs = Number.NEGATIVE_INFINITY
  readonly #keys = new Set<string>()

  /** `lastSeq` is the last record before the run was started or resumed. */
  constructor(context: PaymentContext, run: string, lastSeq: number) {
    this.#context = context
    this.#run = run
    this.#firstSeq = lastSeq
    this.#readSeq = lastSeq
  }

  /** True if the run must stop. */
  get areTooMany(): boolean {
    return this.#keys.size >= MISSING_KEYS_MAX
  }

  /** Takes the answer to a request. */
  add(facts: MoneyPayment, result: PostOutcome): void {
    if (facts.kind !== 'transfer' || result.outcome !== 'refused' || result.answerError.code !== KEY_NOT_FOUND) return
    this.#keys.add(comparableKey(facts.key))
  }

  /** Takes the events that arrived, if the last look was a while ago. */
  async readEvents(): Promise<void> {
    const { ledger, now } = this.#context
    if (Math.abs(now() - this.#readMs) < READ_EVERY_MS) return
    this.#readMs = now()
    const fromSeq = Math.max(this.#firstSeq, this.#readSeq - OVERLAP_RECORDS)
    await ledger.read((database) => {
      this.#readSeq = chainEnd(database).seq
      for (const key of failedTargets(database, this.#run, KEY_NOT_FOUND, fromSeq)) this.#keys.add(key)
    })
  }
}
