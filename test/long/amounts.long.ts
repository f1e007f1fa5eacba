import { expect, it } from 'vitest'
import { changedAmounts } from '../pix/changedAmounts.ts'

it('brings every amount from 0.01 to 20000.00 back through text and JSON', () => {
  expect(changedAmounts(1, 2_000_000)).toEqual([])
})
