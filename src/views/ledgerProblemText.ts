import type { LedgerProblem } from '../ledger/ledgerProblem.ts'
import { t } from '../text/translate.ts'

/** What is wrong with a ledger, as a sentence. */
export function ledgerProblemText(problem: LedgerProblem): string {
  switch (problem.is) {
    case 'damaged-file':
      return t`SQLite found damage: ${problem.found}`
    case 'other-schema':
      return t`The schema is not the one that pixgate writes`
    case 'missing-record':
      return t`Record ${problem.seq} is missing`
    case 'changed-record':
      return t`Record ${problem.seq} does not match its checksum`
    case 'changed-batch-row':
      return t`Line ${problem.line} of ${problem.run} does not match its checksum`
    case 'batch-rows-without-run':
      return t`Rows of a batch have no run`
    case 'missing-row':
      return problem.seq === null
        ? t`The table ${problem.table} does not match the records: a row is missing`
        : t`The table ${problem.table} does not match the records: the row of record ${problem.seq} is missing`
    case 'different-row': {
      const columns = problem.columns.join(', ')
      return problem.seq === null
        ? t`The table ${problem.table} does not match the records: ${columns}`
        : t`The table ${problem.table} does not match the records: ${columns} of record ${problem.seq}`
    }
    case 'row-count':
      return problem.rows === 1
        ? t`The table ${problem.table} does not match the records: it has 1 row, not ${problem.expected}`
        : t`The table ${problem.table} does not match the records: it has ${problem.rows} rows, not ${problem.expected}`
    case 'wrong-payment-of-event':
      return t`The table event does not match the records: the payment of event ${problem.n}`
    case 'different-search':
      return t`The table search does not match the records: payments are not found by their words`
  }
}
