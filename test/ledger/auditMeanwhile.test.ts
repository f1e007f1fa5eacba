import { randomUUID } from 'node:crypto'
import fc from 'fast-check'
import { expect, it } from 'vitest'
import { LedgerCheck } from '../../src/ledger/integrity.ts'
import { openEmptyLedger } from '../../src/ledger/ledgerFile.ts'
import { loadSqlite } from '../../src/storage/sqlite.ts'
import { steps, stepTaker } from './ledgerSteps.ts'
import { MemoryLedger, memoryLedger } from './memoryLedger.ts'

const RUNS = Number(process.env.PROPERTY_RUNS ?? 60)

it('finds nothing wrong with a ledger that others write while it is checked', { timeout: 120_000 }, async () => {
  const open = await loadSqlite()
  await fc.assert(
    fc.asyncProperty(steps, steps, async (before, meanwhile) => {
      const database = await openEmptyLedger(randomUUID)
      const check = new LedgerCheck(open, ':memory:')
      try {
        const take = stepTaker(new MemoryLedger(database, open))
        for (const each of before) take(each)
        const left = [...meanwhile]
        const takeNext = () => {
          const next = left.shift()
          if (next !== undefined) take(next)
        }
        check.checkFile(database)
        while (check.checkRecords(database)) takeNext()
        while (check.checkTables(database)) takeNext()
        expect(check.problems).toEqual([])
      } finally {
        check.close()
        database.close()
      }
    }),
    { numRuns: Math.ceil(RUNS / 3) },
  )
})

it('compares the tables that are still to come with what is written meanwhile', async () => {
  const ledger = await memoryLedger()
  const attempt = ledger.attempt()
  const check = new LedgerCheck(await loadSqlite(), ':memory:')
  try {
    check.checkFile(ledger.database)
    while (check.checkRecords(ledger.database));
    // The row of the payment.
    while (check.comparedRows === 0) check.checkTables(ledger.database)
    ledger.answer(attempt, 'accepted', { idTransaction: 'id-1' })
    ledger.database.run("UPDATE attempt SET outcome = 'refused'")
    while (check.checkTables(ledger.database));
    expect(check.problems).toEqual([{ is: 'different-row', table: 'attempt', row: String(attempt.seq) }])
  } finally {
    check.close()
  }
})
