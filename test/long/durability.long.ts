import { expect, it } from 'vitest'
import { expectDurableBeforeSent } from '../payments/durability.ts'
import { canTrace } from '../syscalls.ts'

const RUNS = Number(process.env.CAMPAIGN_RUNS ?? 100)

it.each(['transfer', 'refund'] as const)(
  `has a payment on the disk before a byte leaves, ${RUNS} times: %s`,
  async (kind) => {
    expect(canTrace(), 'this needs strace').toBe(true)
    // Each time two payments are made.
    for (let run = 0; run < RUNS / 2; run++) await expectDurableBeforeSent(kind, run)
  },
)
