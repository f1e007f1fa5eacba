import type { Ledger } from '../ledger/ledger.ts'
import { type RunRowState, runRows } from '../ledger/runRows.ts'
import { type RowAction, type RowSelection, rowAction } from './rowAction.ts'

/** A row of a run that is to be sent. */
export interface SelectedRow {
  state: RunRowState
  action: RowAction
}

export interface RowSourceOptions {
  run: string
  selection: RowSelection
  /** Rows that were not part of the question. */
  skippedLines: ReadonlySet<number>
  /** At most so many rows are returned; null for all. */
  limit: number | null
  nowMs: number
}

const PAGE_ROWS = 200

/** Reads the rows of a run that are to be sent, in the order of the file, a page at a time. */
export class RowSource {
  readonly #ledger: Ledger
  readonly #run: string
  readonly #selection: RowSelection
  readonly #nowMs: number
  readonly #skippedLines: ReadonlySet<number>
  #left: number
  #page: SelectedRow[] = []
  #afterLine = 0
  #isAtEnd = false
  #reading: Promise<unknown> = Promise.resolve()

  constructor(ledger: Ledger, { run, selection, skippedLines, limit, nowMs }: RowSourceOptions) {
    this.#ledger = ledger
    this.#run = run
    this.#selection = selection
    this.#skippedLines = skippedLines
    this.#left = limit ?? Number.POSITIVE_INFINITY
    this.#nowMs = nowMs
  }

  /** Up to `count` further rows, fewer only at the end. Calls may overlap; each row is returned once. */
  take(count: number): Promise<SelectedRow[]> {
    const taken = this.#reading.then(() => this.#take(count))
    this.#reading = taken.catch(() => undefined)
    return taken
  }

  async #take(count: number): Promise<SelectedRow[]> {
    const rows: SelectedRow[] = []
    while (rows.length < count && this.#left > 0) {
      if (this.#page.length === 0) await this.#readPage()
      const row = this.#page.shift()
      if (row === undefined) break
      rows.push(row)
      this.#left -= 1
    }
    return rows
  }

  async #readPage(): Promise<void> {
    while (this.#page.length === 0 && !this.#isAtEnd) {
      const states = await this.#ledger.read((database) => runRows(database, this.#run, this.#afterLine, PAGE_ROWS))
      this.#afterLine = states.at(-1)?.row.line ?? this.#afterLine
      this.#isAtEnd = states.length < PAGE_ROWS
      for (const state of states) {
        const action = rowAction(state, this.#selection, this.#nowMs)
        if (action !== null && !this.#skippedLines.has(state.row.line)) this.#page.push({ state, action })
      }
    }
  }
}
