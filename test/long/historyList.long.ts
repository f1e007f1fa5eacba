import { closeSync, mkdirSync, openSync, renameSync, writeSync } from 'node:fs'
import { join } from 'node:path'
import { expect, it } from 'vitest'
import { logLine } from '../../src/timeline/logFile.ts'
import { SEGMENT_BYTES_MAX, sealedPath } from '../../src/timeline/segments.ts'
import { accepted, stamped } from '../cli/writtenLedger.ts'
import { event } from '../timeline/ledger.ts'
import { emptyWorld, type World } from '../world.ts'

const TRANSFERS = 500_000
const EVENTS = 100_000
const MINUTE_MS = 60_000
const BEGAN_MS = Date.UTC(2026, 0, 1, 3)

/** Transfers a minute apart, each with its answer; the first fifth has events too. */
function fill(world: World): void {
  const folder = join(world.home, 'data')
  mkdirSync(folder, { recursive: true, mode: 0o700 })
  writeAll(join(folder, 'timeline.log'), TRANSFERS, (index) => {
    const reference = `salaries-${Math.floor(index / 1000)}`
    const key = { key: `person.${index}@example.com`, typeKey: 'email', body: '{'.padEnd(180, 'x') } as const
    return accepted({ externalId: `${index}`, at: timeOf(index), reference, ...key })
  })
  writeAll(join(folder, 'events.log'), EVENTS, (index) => {
    const body = { digest: 'd', bodyBase64: 'e'.repeat(400), n: index + 1 }
    return [stamped(timeOf(index), 'maria', event({ idTransaction: `id-${index}`, ...body }), `event-${index}`)]
  })
}

function timeOf(index: number): string {
  return new Date(BEGAN_MS + index * MINUTE_MS).toISOString()
}

/** Into files of the size at which they are sealed. */
function writeAll(path: string, count: number, recordsOf: (index: number) => object[]): void {
  let file = openSync(path, 'w', 0o600)
  let bytes = 0
  let sealed = 0
  for (let first = 0; first < count; first += 1000) {
    const records = Array.from({ length: 1000 }, (_, index) => recordsOf(first + index)).flat()
    bytes += writeSync(file, records.map((record) => logLine(JSON.stringify(record))).join(''))
    if (bytes < SEGMENT_BYTES_MAX) continue
    closeSync(file)
    sealed += 1
    renameSync(path, sealedPath(path, sealed))
    file = openSync(path, 'w', 0o600)
    bytes = 0
  }
  closeSync(file)
}

it('lists by filter what stands among 1,000,000 records', async () => {
  const world = emptyWorld()
  fill(world)
  const count = async (words: readonly string[]) => {
    const began = performance.now()
    const { exit, stdout } = await world.run(['history', ...words, '-o', 'csv', '--fields', 'pixgate.name'])
    console.log(`${words.join(' ')}: ${Math.round(performance.now() - began)} ms`)
    return [exit, stdout.trimEnd().split('\n').length - 1]
  }
  // The first look at the sealed files is kept beside them.
  expect(await count(['--reference', 'salaries-17'])).toEqual([0, 1000])
  expect(await count(['--reference', 'salaries-17'])).toEqual([0, 1000])
  expect(await count(['--since', '2026-03-01', '--until', '2026-03-01'])).toEqual([0, 1440])
  expect(await count(['--state', 'unknown'])).toEqual([0, 0])
  expect(await count(['--month', '2026-02', '--state', 'paid'])).toEqual([0, 28 * 1440])
})
