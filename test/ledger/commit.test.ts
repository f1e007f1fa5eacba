import { randomUUID } from 'node:crypto'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { expect, it, onTestFinished } from 'vitest'
import { type Ledger, openLedger } from '../../src/ledger/ledger.ts'
import { LedgerBusy } from '../../src/ledger/ledgerFile.ts'
import type { Writer } from '../../src/ledger/writer.ts'
import { loadSqlite, textOf } from '../../src/storage/sqlite.ts'

/** A ledger in a folder of its own, and how another program sees it. */
async function stage(timeoutMs = 1000) {
  const folder = mkdtempSync(join(tmpdir(), 'pixgate-commit-'))
  const stamp = { user: 'maria', machine: 'desk', pid: 1, now: () => Date.now(), newId: randomUUID }
  const ledger: Ledger = openLedger({ folder, ...stamp, notice: () => undefined, timeoutMs })
  await ledger.write(() => undefined)
  const other = (await loadSqlite())(join(folder, 'ledger.db'))
  onTestFinished(async () => {
    other.close()
    await ledger.close()
    rmSync(folder, { recursive: true })
  })
  const recorded = () =>
    other.all("SELECT content ->> 'environment' AS word FROM record ORDER BY seq").map((row) => textOf(row, 'word'))
  return { ledger, other, recorded }
}

/** Records one thing, and returns its number. */
function recording(environment: 'sandbox' | 'production') {
  return (writer: Writer) => writer.append({ type: 'clock', environment, gatewayAt: '2026-11-21T15:00:00.000Z' }).seq
}

function failing(): never {
  throw new Error('no')
}

it('records what waits in the transaction of the next decision, and each sees what was recorded last', async () => {
  const { ledger } = await stage()
  const waiting = ledger.commitSoon(recording('production'))
  const decided = await ledger.commit(recording('sandbox'))
  expect([decided.result, (await waiting).result]).toEqual([1, 2])
  expect((await waiting).seen).toEqual(decided.seen)
  expect(decided.seen.seq).toBe(2)
})

it('records what waits although the decision fails', async () => {
  const { ledger, recorded } = await stage()
  const waiting = ledger.commitSoon(recording('production'))
  const failed = ledger.commit((writer) => {
    recording('sandbox')(writer)
    failing()
  })
  await expect(failed).rejects.toThrow('no')
  await waiting
  expect(recorded()).toEqual(['production'])
})

it('records what waits although its transaction cannot be committed with the decision', async () => {
  const { ledger, recorded } = await stage()
  const waiting = ledger.commitSoon(recording('production'))
  const failed = ledger.commit((writer) => {
    recording('sandbox')(writer)
    // Noticed by COMMIT, as a full disk is.
    writer.database.exec(`CREATE TEMP TABLE whole (id INTEGER PRIMARY KEY);
      CREATE TEMP TABLE part (whole INTEGER REFERENCES whole DEFERRABLE INITIALLY DEFERRED);
      INSERT INTO part VALUES (1)`)
  })
  await expect(failed).rejects.toThrow('FOREIGN KEY constraint failed')
  expect((await waiting).seen.seq).toBe(1)
  expect(recorded()).toEqual(['production'])
})

it('records what waits by itself if no decision comes', async () => {
  const { ledger, recorded } = await stage()
  await Promise.all([ledger.commitSoon(recording('production')), ledger.commitSoon(recording('sandbox'))])
  expect(recorded()).toEqual(['production', 'sandbox'])
  await sleep(20)
  await ledger.commit(recording('sandbox'))
  expect(recorded()).toHaveLength(3)
})

it('makes no decision durable if what waits with it cannot be recorded', async () => {
  const { ledger, recorded } = await stage()
  const waiting = ledger.commitSoon(failing)
  const decided = ledger.commit(recording('sandbox'))
  await expect(waiting).rejects.toThrow('no')
  await expect(decided).rejects.toThrow('no')
  expect(recorded()).toEqual([])
})

it('gives up what waits if another program keeps the ledger, without doing it later', async () => {
  const { ledger, other, recorded } = await stage(50)
  other.exec('BEGIN IMMEDIATE')
  await expect(ledger.commitSoon(recording('production'))).rejects.toThrow(LedgerBusy)
  other.exec('ROLLBACK')
  await ledger.commit(recording('sandbox'))
  expect(recorded()).toEqual(['sandbox'])
})
