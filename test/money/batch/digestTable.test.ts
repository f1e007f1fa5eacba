import { readdirSync, readlinkSync } from 'node:fs'
import { expect, it } from 'vitest'
import { DigestTable, digestOf } from '../../../src/money/batch/digestTable.ts'

it('keeps what a Map keeps, while it grows', () => {
  const table = new DigestTable()
  const map = new Map<string, number>()
  for (let index = 0; index < 20_000; index++) {
    const name = `row ${(index * 7919) % 9000}`
    expect(table.get(digestOf(name))).toBe(map.get(name))
    table.set(digestOf(name), index % 3 === 0 ? 0 : index)
    map.set(name, index % 3 === 0 ? 0 : index)
  }
  for (const [name, value] of map) expect(table.get(digestOf(name))).toBe(value)
  expect(table.get(digestOf('absent'))).toBeUndefined()
})

it('tells digests apart that share their first words', () => {
  const table = new DigestTable()
  const one = '\xff'.repeat(32)
  const other = `${one.slice(0, 11)}\x02${one.slice(12)}`
  table.set(one, 5)
  expect(table.get(other)).toBeUndefined()
  table.set(other, 6)
  expect([table.get(one), table.get(other)]).toEqual([5, 6])
})

/** How many files of tables are open that have no name any more. */
function openTables(): number {
  const names = readdirSync('/proc/self/fd').map((fd) => {
    try {
      return readlinkSync(`/proc/self/fd/${fd}`)
    } catch {
      return 'closed meanwhile'
    }
  })
  return names.filter((name) => /pixgate-.*words.*deleted/.test(name)).length
}

it.skipIf(process.platform !== 'linux')('gives back the file of the table that it has grown out of', () => {
  const before = openTables()
  const table = new DigestTable()
  for (let index = 0; index < 400_000; index++) table.set(digestOf(`row ${index}`), index)
  expect(openTables() - before).toBe(1)
})
