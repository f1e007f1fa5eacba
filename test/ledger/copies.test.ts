import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { expect, it } from 'vitest'
import { backUp, exportLines } from '../../src/ledger/copies.ts'
import { checkLedger } from '../../src/ledger/integrity.ts'
import { integerOf, loadSqlite } from '../../src/storage/sqlite.ts'
import { startFaultGateway } from '../gateway/faultGateway.ts'
import { start } from '../gateway/running.ts'
import { emptyWorld } from '../world.ts'
import { inLedger, recordsOf } from './storedLedger.ts'

function transferOf(name: string): string[] {
  return ['transfer', '--key', `${name}@example.com`, '--amount', '1', '--external-id', name, '--yes']
}

it('is copied whole while other processes write', async () => {
  const gateway = await startFaultGateway()
  const world = emptyWorld({ PIXGATE_BASE_URL: gateway.url })
  expect((await world.run(transferOf('order-0'))).exit).toBe(0)
  const writers = [1, 2, 3].map((number) => start(world, transferOf(`order-${number}`)))
  const open = await loadSqlite()
  let copies = 0
  let isWriting = true
  void Promise.all(writers.map(({ ended }) => ended)).then(() => {
    isWriting = false
  })
  while (isWriting) {
    const copy = join(world.home, `copy-${copies++}.db`)
    await inLedger(world, (database) => backUp(database, copy))
    const opened = open(copy)
    expect(checkLedger(opened, open)).toEqual([])
    const row = opened.get('SELECT count(*) AS records FROM record')
    expect(row && integerOf(row, 'records')).toBeGreaterThanOrEqual(2)
    opened.close()
    // Nothing else lets this process hear that the others have ended.
    await new Promise(setImmediate)
  }
  expect(copies).toBeGreaterThan(0)
  expect((await recordsOf(world)).length).toBe(8)
})

it('is never copied over a file', async () => {
  const gateway = await startFaultGateway()
  const world = emptyWorld({ PIXGATE_BASE_URL: gateway.url })
  await world.prepare(transferOf('order-0'))
  const copy = join(world.home, 'copy.db')
  await inLedger(world, (database) => backUp(database, copy))
  await expect(inLedger(world, (database) => backUp(database, copy))).rejects.toThrow('already exists')
  expect(existsSync(copy)).toBe(true)
})

it('is exported as lines with number, content and checksum, in pages', async () => {
  const gateway = await startFaultGateway()
  const world = emptyWorld({ PIXGATE_BASE_URL: gateway.url })
  for (const name of ['order-0', 'order-1']) await world.prepare(transferOf(name))
  const lines = await inLedger(world, (database) => [...exportLines(database, 0, 3), ...exportLines(database, 3, 99)])
  const records = (await recordsOf(world)).map(({ madeMs: _, login: __, ...stored }) => stored)
  expect(lines.map((line) => JSON.parse(line))).toMatchObject(records)
  for (const line of lines) expect(JSON.parse(line).digest).toMatch(/^[0-9a-f]{64}$/)
})
