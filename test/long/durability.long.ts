import { expect, it } from 'vitest'
import { expectDurableBeforeSent } from '../money/durability.ts'
import { canTrace } from '../money/syscalls.ts'

const RUNS = Number(process.env.CAMPAIGN_RUNS ?? 100)

it.each(['transfer', 'refund'] as const)(
  `has the intent on the disk before a byte leaves, ${RUNS} times: %s`,
  async (kind) => {
    expect(canTrace(), 'strace must be there for this').toBe(true)
    // Each time two payments are made.
    for (let run = 0; run < RUNS / 2; run++) await expectDurableBeforeSent(kind, run)
  },
)
