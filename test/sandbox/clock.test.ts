import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest'
import { Clock } from '../../src/sandbox/sandboxOptions.ts'

beforeEach(() => {
  vi.useFakeTimers({ now: 1_000_000 })
})
afterEach(() => {
  vi.useRealTimers()
})

function clockAt(): Clock {
  return new Clock(() => Date.now())
}

describe('Clock', () => {
  test('runs due timers by the wall clock, in order of time, equal ones in order of creation', () => {
    const clock = clockAt()
    const ran: string[] = []
    clock.at(1_000_300, () => ran.push('third'))
    clock.at(1_000_100, () => ran.push('first'))
    clock.at(1_000_100, () => ran.push('second'))
    expect(ran).toEqual([])
    vi.advanceTimersByTime(100)
    expect(ran).toEqual(['first', 'second'])
    vi.advanceTimersByTime(200)
    expect(ran).toEqual(['first', 'second', 'third'])
  })

  test('never runs anything before `at` returns, even what is overdue', () => {
    const clock = clockAt()
    const ran: string[] = []
    clock.at(0, () => ran.push('overdue'))
    expect(ran).toEqual([])
    vi.advanceTimersByTime(1)
    expect(ran).toEqual(['overdue'])
  })

  test('advance runs each timer at its own time, including timers set on the way', () => {
    const clock = clockAt()
    const seen: [string, number][] = []
    clock.at(1_005_000, () => {
      seen.push(['outer', clock.now()])
      clock.at(1_006_000, () => seen.push(['inner', clock.now()]))
      clock.at(1_020_000, () => seen.push(['later', clock.now()]))
    })
    clock.advance(10_000)
    expect(seen).toEqual([
      ['outer', 1_005_000],
      ['inner', 1_006_000],
    ])
    expect(clock.now()).toBe(1_010_000)
    vi.advanceTimersByTime(10_000)
    expect(seen.at(-1)).toEqual(['later', 1_020_000])
  })

  test('after an advance it still goes on with the wall clock', () => {
    const clock = clockAt()
    clock.advance(86_400_000)
    vi.advanceTimersByTime(5)
    expect(clock.now()).toBe(1_000_000 + 86_400_000 + 5)
  })

  test('waits longer than a timer of the system can, without waking early', () => {
    const clock = clockAt()
    const ran: number[] = []
    const dueMs = 1_000_000 + 40 * 86_400_000
    clock.at(dueMs, () => ran.push(clock.now()))
    vi.advanceTimersByTime(40 * 86_400_000 - 1)
    expect(ran).toEqual([])
    vi.advanceTimersByTime(1)
    expect(ran).toEqual([dueMs])
  })

  test('runDue runs what became due while no timer had fired', () => {
    let wallMs = 0
    const clock = new Clock(() => wallMs)
    const ran: string[] = []
    clock.at(500, () => ran.push('due'))
    wallMs = 500
    clock.runDue()
    expect(ran).toEqual(['due'])
  })

  test('reset discards all timers and returns to the wall clock; close accepts no more timers', () => {
    const clock = clockAt()
    const ran: string[] = []
    clock.at(1_000_100, () => ran.push('forgotten'))
    clock.advance(50)
    clock.reset(0)
    expect(clock.now()).toBe(1_000_000)
    clock.close()
    clock.at(1_000_100, () => ran.push('refused'))
    vi.advanceTimersByTime(1000)
    expect(ran).toEqual([])
    expect(vi.getTimerCount()).toBe(0)
  })
})
