import { join } from 'node:path'
import { performance } from 'node:perf_hooks'
import { expect, it, onTestFinished } from 'vitest'
import { loadSqlite } from '../../src/storage/sqlite.ts'
import { emptyWorld, type World } from '../world.ts'
import { idsOf, interrupt, linesOf, recordedEvents, startListening } from './listening.ts'
import { deliver, eventBody } from './webhooks.ts'

/** Holds the ledger as another program that writes does; returns what releases it. */
async function lockLedger({ home }: World): Promise<() => void> {
  const open = await loadSqlite()
  const database = open(join(home, 'data', 'ledger.db'))
  database.exec('BEGIN IMMEDIATE')
  let isLocked = true
  const release = () => {
    if (isLocked) database.exec('ROLLBACK')
    isLocked = false
  }
  onTestFinished(() => {
    release()
    database.close()
  })
  return release
}

it('waits for another program that writes, and then answers 200', async () => {
  const world = emptyWorld()
  const listening = await startListening(world)
  const release = await lockLedger(world)
  const answers = ['a', 'b', 'c'].map((id) => deliver(listening.port, eventBody(id)))
  // It rejects what has no signature in the meantime.
  expect(await deliver(listening.port, eventBody('d'), { headers: {} })).toBe(401)
  setTimeout(release, 1_000)
  expect(await Promise.all(answers)).toEqual([200, 200, 200])
  expect((await interrupt(listening)).exit).toBe(0)
  expect(idsOf(await recordedEvents(world)).sort()).toEqual(['a', 'b', 'c'])
})

it('answers 503 within 5 s while the ledger is locked, and stores only what it answers 200', async () => {
  const world = emptyWorld()
  const listening = await startListening(world)
  const release = await lockLedger(world)
  const beganMs = performance.now()
  const answers = ['a', 'b'].map((id) => deliver(listening.port, eventBody(id)))
  expect(await Promise.all(answers)).toEqual([503, 503])
  expect(performance.now() - beganMs).toBeLessThan(5_000)
  expect(performance.now() - beganMs).toBeGreaterThan(3_500)
  release()
  expect(await deliver(listening.port, eventBody('b'))).toBe(200)
  const { exit, stderr } = await interrupt(listening)
  expect(exit).toBe(1)
  expect(stderr).toContain('An event could not be stored, so it was answered 503')
  await listening.allRead
  expect(linesOf(listening).at(-1)).toMatchObject({ received: 3, valid: 1, invalid: 0, notStored: 2, duplicates: 0 })
  expect(linesOf(listening).at(-2)).toMatchObject({ n: 1, valid: true, duplicate: false })
  expect(idsOf(await recordedEvents(world))).toEqual(['b'])
})
