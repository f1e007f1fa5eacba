/** What a check of the whole ledger found wrong. `table` is a table that is built from the records, `seq` the number of a record. */
export type LedgerProblem =
  /** In SQLite's words. */
  | { is: 'damaged-file'; found: string }
  | { is: 'other-schema' }
  | { is: 'missing-record'; seq: number }
  | { is: 'changed-record'; seq: number }
  | { is: 'changed-batch-row'; run: string; line: number }
  | { is: 'batch-rows-without-run' }
  /** `seq` is null for a row that comes from several records. */
  | { is: 'missing-row'; table: string; seq: number | null }
  | { is: 'different-row'; table: string; columns: readonly string[]; seq: number | null }
  | { is: 'row-count'; table: string; rows: number; expected: number }
  | { is: 'wrong-payment-of-event'; n: number }
  /** Payments are not found by their words. */
  | { is: 'different-search' }
