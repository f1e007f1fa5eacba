import { checkLedger } from '../../../src/ledger/integrity.ts'
import { ledgerProblemText } from '../../../src/steps/integrityCheck.ts'
import type { Database, OpenDatabase } from '../../../src/storage/sqlite.ts'
import { oracleProblems } from './ledgerAudit.ts'

/** What the check of a ledger finds, as it is told to a person. Of a ledger that it finds sound, what the oracle finds wrong: a fault of the derivation. */
export function ledgerProblems(database: Database, open: OpenDatabase): string[] {
  const found = checkLedger(database, open).map(ledgerProblemText)
  return found.length > 0 ? found : oracleProblems(database, open).map((each) => `oracle: ${JSON.stringify(each)}`)
}
