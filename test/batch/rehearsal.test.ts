import { expect, it, onTestFinished, vi } from 'vitest'
import { compareBooks, RehearsalFaults } from '../../src/steps/batch/rehearse.ts'

const A = { externalId: 'a', value: 10.5 }
const B = { externalId: 'b', value: 2 }

const EXPECTED = {
  cents: new Map([
    ['a', 1050],
    ['b', 200],
  ]),
  totalCents: 1250,
}

it.each([
  ['all once', [B, A], { paidOnce: 2, paidTwice: 0, missing: 0, paidCents: 1250, isRight: true }],
  ['one missing', [A], { paidOnce: 1, paidTwice: 0, missing: 1, paidCents: 1050, isRight: false }],
  ['one again', [A, B, B], { paidOnce: 2, paidTwice: 1, missing: 0, paidCents: 1450, isRight: false }],
  [
    'one again under a new id',
    [A, B, { ...B, externalId: 'b2' }],
    { paidOnce: 2, paidTwice: 1, missing: 0, paidCents: 1450, isRight: false },
  ],
  [
    'one of another amount',
    [A, { ...B, value: 2.01 }],
    { paidOnce: 1, paidTwice: 1, missing: 1, paidCents: 1251, isRight: false },
  ],
  ['no answer', undefined, { paidOnce: 0, paidTwice: 0, missing: 2, paidCents: 0, isRight: false }],
])('judges books with %s', (_, transfers, books) => {
  expect(compareBooks(EXPECTED, transfers)).toEqual(books)
})

it.each([1, 2, 19, 60, 1000])('loses an answer of %i rows and kills the first process once', (rows) => {
  vi.useFakeTimers()
  onTestFinished(() => void vi.useRealTimers())
  for (let seed = 0; seed < 50; seed++) {
    const injector = new RehearsalFaults(seed, rows, 10)
    const kill = vi.fn(() => true)
    injector.aimAt({ kill }, true)
    const lost = Array.from({ length: rows }, () => injector.onCall())
    vi.advanceTimersByTime(1000)
    expect(kill).toHaveBeenCalledOnce()
    expect(lost).toContain(true)
    expect(injector.faults).toBe(lost.filter(Boolean).length)
    expect(injector.killsWanted).toBe(Math.min(10, Math.ceil(rows / 20)))
  }
})

it('does not kill a process that is spared', () => {
  vi.useFakeTimers()
  onTestFinished(() => void vi.useRealTimers())
  const kill = vi.fn(() => true)
  for (let seed = 0; seed < 50; seed++) {
    const injector = new RehearsalFaults(seed, 60, 10)
    injector.aimAt({ kill }, false)
    injector.spare()
    for (let call = 0; call < 60; call++) injector.onCall()
  }
  vi.advanceTimersByTime(1000)
  expect(kill).not.toHaveBeenCalled()
})

it('gives the same faults for the same seed', () => {
  const throws = (seed: number) => {
    const injector = new RehearsalFaults(seed, 1000, 10)
    return Array.from({ length: 1000 }, () => injector.onCall())
  }
  expect(throws(42)).toEqual(throws(42))
  expect(throws(42)).not.toEqual(throws(43))
})
