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
