import { expect, it } from 'vitest'
import { RateLimiter } from '../../src/batch/sendRows.ts'

it('spreads what it sends', () => {
  let nowMs = 0
  const pace = new RateLimiter(10, () => nowMs)
  expect([pace.takeMs(), pace.takeMs(), pace.takeMs()]).toEqual([0, 100, 200])
  nowMs = 1000
  expect([pace.takeMs(), pace.takeMs()]).toEqual([0, 100])
  nowMs = -1_000_000
  expect(pace.takeMs()).toBeLessThanOrEqual(10_000)
  const none = new RateLimiter(null, () => nowMs)
  expect([none.takeMs(), none.takeMs()]).toEqual([0, 0])
})
