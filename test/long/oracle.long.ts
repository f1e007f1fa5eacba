import { randomUUID } from 'node:crypto'
import fc from 'fast-check'
import { expect, it } from 'vitest'
import { openEmptyLedger } from '../../src/ledger/ledgerFile.ts'
import { loadSqlite } from '../../src/storage/sqlite.ts'
import { longSteps, takeSteps } from '../ledger/ledgerSteps.ts'
import { MemoryLedger } from '../ledger/memoryLedger.ts'

const RUNS = Number(process.env.PROPERTY_RUNS ?? 300)

it('finds nothing wrong with a ledger in which much happened, and neither does the oracle', async () => {
  const open = await loadSqlite()
  await fc.assert(
    fc.asyncProperty(longSteps, async (taken) => {
      const database = await openEmptyLedger(randomUUID)
      try {
        const ledger = new MemoryLedger(database, open)
        takeSteps(ledger, taken)
        expect(ledger.problems()).toEqual([])
      } finally {
        database.close()
      }
    }),
    { numRuns: RUNS },
  )
})
