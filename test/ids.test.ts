import { expect, test } from 'vitest'
import { newId, random } from '../src/ids.ts'

const UUID_4 = /^[0-9a-f]{8}-[0-9a-f]{4}-4[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/

test('ids are random UUIDs', () => {
  const ids = Array.from({ length: 1000 }, newId)
  expect(ids.filter((id) => !UUID_4.test(id))).toEqual([])
  expect(new Set(ids).size).toBe(1000)
  // Each digit but those of the version and the variant is each of sixteen.
  for (const place of [0, 7, 9, 15, 21, 24, 35]) expect(new Set(ids.map((id) => id[place])).size).toBe(16)
})

test('random numbers are at least 0 and below 1', () => {
  const numbers = Array.from({ length: 1000 }, random)
  expect(numbers.every((number) => number >= 0 && number < 1)).toBe(true)
})
