import { formatReais } from '../../pix/amount.ts'
import type { KeyType } from '../../pix/pixKey.ts'
import { comparableKey } from '../../pix/pixKey.ts'
import { t } from '../../text/words.ts'
import type { CheckedRow } from './batchFile.ts'
import { DigestTable, digestOf } from './digestTable.ts'
import { paymentParts } from './rowIds.ts'

/** Rows of the same key and amount, or of the same payment and amount. */
export interface EqualRow {
  line: number
  firstLine: number
}

/** A row that pays a key far more than it was paid before. */
export interface UnusualRow {
  line: number
  key: string
  amountCents: number
  medianCents: number
}

/** What a person should look at before the batch is sent. Of each list the first hundred are kept, and all are counted. */
export interface Notices {
  equalCount: number
  equal: readonly EqualRow[]
  unusualCount: number
  unusual: readonly UnusualRow[]
  largest: { line: number; destination: string; amountCents: number } | null
  keyTypes: Readonly<Partial<Record<KeyType, number>>>
  /** Refunds of all that is left, whose amounts the total does not hold. */
  wholeCount: number
  /** Rows with a cell of several lines in which the separator stands: a quote may swallow rows. */
  swallowed: readonly { line: number }[]
}

/** The amounts in cents that a key was paid before, by the key as `comparableKey` writes it. */
export type EarlierAmounts = (comparableKey: string) => readonly number[]

const LISTED_MAX = 100
const HABIT_PAYMENTS_MIN = 3
const HABIT_TIMES = 5

/** Gathers the notices of a file, row by row. */
export class NoticeGathering {
  readonly #delimiter: string
  readonly #earlier: EarlierAmounts
  readonly #firstLines = new DigestTable()
  readonly #keyTypes: Partial<Record<KeyType, number>> = {}
  readonly #equal: EqualRow[] = []
  readonly #unusual: UnusualRow[] = []
  readonly #swallowed: { line: number }[] = []
  #equalCount = 0
  #unusualCount = 0
  #wholeCount = 0
  #largest: Notices['largest'] = null

  constructor(delimiter: string, earlier: EarlierAmounts) {
    this.#delimiter = delimiter
    this.#earlier = earlier
  }

  add(row: CheckedRow): void {
    this.#compare(row)
    this.#noteLargest(row)
    if (row.amountCents === null) this.#wholeCount += 1
    if (row.kind === 'transfer') {
      this.#keyTypes[row.keyType] = (this.#keyTypes[row.keyType] ?? 0) + 1
      this.#noteHabit(row.line, row.key, row.amountCents)
    }
    const mayBeRows = row.cells.some((cell) => /[\r\n]/.test(cell) && cell.includes(this.#delimiter))
    if (mayBeRows && this.#swallowed.length < LISTED_MAX) this.#swallowed.push({ line: row.line })
  }

  notices(): Notices {
    return {
      equalCount: this.#equalCount,
      equal: this.#equal,
      unusualCount: this.#unusualCount,
      unusual: this.#unusual,
      largest: this.#largest,
      keyTypes: this.#keyTypes,
      wholeCount: this.#wholeCount,
      swallowed: this.#swallowed,
    }
  }

  #compare(row: CheckedRow): void {
    const digest = digestOf(JSON.stringify(paymentParts(row).slice(0, 2)))
    const firstLine = this.#firstLines.get(digest)
    if (firstLine === undefined) {
      this.#firstLines.set(digest, row.line)
      return
    }
    this.#equalCount += 1
    if (this.#equal.length < LISTED_MAX) this.#equal.push({ line: row.line, firstLine })
  }

  #noteLargest(row: CheckedRow): void {
    if (row.amountCents === null || row.amountCents <= (this.#largest?.amountCents ?? 0)) return
    const destination = row.kind === 'transfer' ? row.key : row.originalTransactionId
    this.#largest = { line: row.line, destination, amountCents: row.amountCents }
  }

  #noteHabit(line: number, key: string, amountCents: number): void {
    const before = this.#earlier(comparableKey(key))
    if (before.length < HABIT_PAYMENTS_MIN) return
    const medianCents = median(before)
    if (amountCents <= HABIT_TIMES * medianCents) return
    this.#unusualCount += 1
    if (this.#unusual.length < LISTED_MAX) this.#unusual.push({ line, key, amountCents, medianCents })
  }
}

/** The notices as sentences, the graver ones first; none for what is in order. */
export function noticeWords(notices: Notices): string[] {
  const words: string[] = []
  const [unusual] = notices.unusual
  if (unusual !== undefined) {
    const usual = formatReais(unusual.medianCents)
    words.push(
      t`Amounts far above what the key was paid before: ${notices.unusualCount}, the first on line ${unusual.line}: ${formatReais(unusual.amountCents)} to ${unusual.key}, which usually gets ${usual}`,
    )
  }
  const [equal] = notices.equal
  if (equal !== undefined) {
    words.push(
      t`Rows with the same destination and amount as one above: ${notices.equalCount}, the first on line ${equal.line}, like line ${equal.firstLine}. Each is a payment of its own`,
    )
  }
  const [swallowed] = notices.swallowed
  if (swallowed !== undefined) {
    words.push(
      t`A cell on line ${swallowed.line} has several lines with the separator in them: is a quote closed too late, and are these rows?`,
    )
  }
  if (notices.wholeCount > 0) {
    words.push(t`Refunds of all that is left, which the total does not hold: ${notices.wholeCount}`)
  }
  return words
}

function median(amounts: readonly number[]): number {
  const sorted = amounts.toSorted((one, other) => one - other)
  const middle = Math.floor(sorted.length / 2)
  const upper = sorted[middle] ?? 0
  return sorted.length % 2 === 1 ? upper : Math.round(((sorted[middle - 1] ?? 0) + upper) / 2)
}
