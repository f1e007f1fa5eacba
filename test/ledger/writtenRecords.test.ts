import { randomUUID } from 'node:crypto'
import fc from 'fast-check'
import { expect, it } from 'vitest'
import { openEmptyLedger } from '../../src/ledger/ledgerFile.ts'
import { isRecordType, wrongMember } from '../../src/ledger/records.ts'
import { loadSqlite, textOf } from '../../src/storage/sqlite.ts'
import { longSteps, stepTaker } from './ledgerSteps.ts'
import { MemoryLedger } from './memoryLedger.ts'

const RUNS = Number(process.env.PROPERTY_RUNS ?? 60)

it('finds nothing wrong in what pixgate itself wrote', async () => {
  const open = await loadSqlite()
  await fc.assert(
    fc.asyncProperty(longSteps, async (taken) => {
      const database = await openEmptyLedger(randomUUID)
      try {
        const take = stepTaker(new MemoryLedger(database, open))
        for (const each of taken) take(each)
        // The requests of these steps have no real body.
        for (const row of database.all("SELECT type, content FROM record WHERE type <> 'attempt'")) {
          const [type, content] = [textOf(row, 'type'), textOf(row, 'content')]
          if (!isRecordType(type)) throw new Error(`a record of the type ${type}`)
          expect(wrongMember(type, JSON.parse(content)), `${type}: ${content}`).toBeUndefined()
        }
      } finally {
        database.close()
      }
    }),
    { numRuns: Math.ceil(RUNS / 6) },
  )
})
