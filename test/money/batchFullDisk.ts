import { rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect } from 'vitest'
import { readLog } from '../../src/timeline/logFile.ts'
import { type FullDisk, fill } from './fullDisk.ts'

const ROWS = 12
const WORK = ['--yes', '-o', 'json', '--concurrency', '2']

/** What stood when a batch had been tried on the full disk. */
interface TriedBatch {
  exit: number
  /** How many of its rows the gateway had before there was room again. */
  sent: number
}

/**
 * Sends a batch while so many bytes are free, goes on with it while the disk is full, and when there is room again; every
 * row that was sent must have been recorded before, and be paid once in the end.
 */
export async function sendWithFree(disk: FullDisk, freeBytes: number): Promise<TriedBatch> {
  const { world, gateway } = disk
  const name = `free-${String(freeBytes).padStart(5, '0')}`
  const file = join(world.home, `${name}.csv`)
  const rows = Array.from({ length: ROWS }, (_, row) => `${name}-p${row}@example.com,${row + 1}`)
  writeFileSync(file, `key,value\n${rows.join('\n')}\n`)
  const filler = fill(disk, freeBytes, false)
  const before = gateway.ledger.length
  const first = await world.run(['batch', 'transfer', file, ...WORK])
  await expectRecorded(disk, before)
  if (first.exit === 2) expect(first.stderr).toContain('ENOSPC')
  expect([0, 2, 5], first.stderr).toContain(first.exit)
  expectTruth(first.stdout, await statesOf(disk))
  const run = await runOf(disk)
  if (run !== undefined) await world.run(['resume', run, ...WORK])
  await expectRecorded(disk, before)
  const sent = gateway.ledger.length - before

  rmSync(filler)
  const line = run === undefined ? ['batch', 'transfer', file, ...WORK] : ['resume', run, ...WORK]
  const last = await world.run(line)
  expect(last.exit, last.stderr).toBe(0)
  const paid = gateway.ledger.slice(before).map(({ body }) => `${body.key},${body.value}`)
  expect(paid.toSorted()).toEqual(rows.toSorted())
  return { exit: first.exit, sent }
}

/** Every payment that the gateway has carried out since must have its intent in a timeline that is whole. */
async function expectRecorded({ gateway, log }: FullDisk, before: number): Promise<void> {
  const { entries, damagedLines, isTorn } = await readLog(log)
  expect({ damagedLines, isTorn }).toEqual({ damagedLines: [], isTorn: false })
  const recorded = entries.flatMap(({ json }) => JSON.parse(json).externalId ?? [])
  for (const { externalId } of gateway.ledger.slice(before)) expect(recorded).toContain(externalId)
}

/** What the timeline knows of each row that was sent: its last outcome. */
async function statesOf({ log }: FullDisk): Promise<Map<unknown, string>> {
  const { entries } = await readLog(log)
  const names = new Map<string, unknown>()
  const states = new Map<unknown, string>()
  for (const { json } of entries) {
    const record = JSON.parse(json)
    if (record.type === 'intent') names.set(record.id, record.externalId)
    if (record.type === 'outcome') states.set(names.get(record.of), record.outcome)
  }
  return states
}

/** Nothing may be said that is not recorded. */
function expectTruth(stdout: string, states: ReadonlyMap<unknown, string>): void {
  for (const line of stdout.trimEnd().split('\n')) {
    if (line === '') continue
    const { type, externalId, outcome } = JSON.parse(line)
    if (type === 'row' && outcome !== 'unknown') expect(outcome).toBe(states.get(externalId))
  }
}

async function runOf({ world }: FullDisk): Promise<string | undefined> {
  const { stdout } = await world.run(['batch', 'list', '-o', 'json'])
  return JSON.parse(stdout)[0]?.run
}
