import { expect, it } from 'vitest'
import { startFaultGateway } from '../gateway/faultGateway.ts'
import { answering } from '../gateway/faults.ts'
import { shiftedClock } from '../shiftedClock.ts'
import { emptyWorld, type ProcessResult } from '../world.ts'

const DAY_MS = 24 * 60 * 60 * 1000
const PROFILE = ['--environment', 'production', '--client-id', 'shop', '--client-secret-env', 'SHOP_SECRET']

/** A machine with a production profile whose clock is wrong whenever a test says so, and a gateway that tells its time. */
async function shop() {
  const gateway = await startFaultGateway({ clock: Date.now })
  const world = emptyWorld({ SHOP_SECRET: 'secret-of-the-shop' })
  const address = ['--base-url', gateway.url, '--callback-url', 'https://shop.example.com/pix']
  await world.prepare(['profile', 'add', 'prod', ...PROFILE, ...address])
  const run = (args: readonly string[], shiftMs = 0): Promise<ProcessResult> =>
    world.run([...args, '--confirm', 'prod'], { env: shiftedClock(world.home, shiftMs) })
  return { gateway, run }
}

function transfer(id: string): string[] {
  return ['transfer', '--key', 'maria@example.com', '--amount', '10', '--external-id', id]
}

function settle(as: string): string[] {
  return ['history', 'settle', 'invoice-1', '--as', as, '--because', 'looked up']
}

it.each([
  ['ahead: a note makes no payment forgotten', 'paid', 7, 7, 'the gateway'],
  ['behind: a note makes no payment forgotten', 'not-paid', -30, 0, 'already sent'],
])('a clock that is %s', async (_name, as, noteDays, laterDays, words) => {
  const { gateway, run } = await shop()
  expect((await run(transfer('invoice-1'))).exit).toBe(0)
  expect((await run(settle(as), noteDays * DAY_MS)).exit).toBe(0)
  const later = await run(transfer('invoice-2'), laterDays * DAY_MS)
  expect(later).toMatchObject({ exit: 2, stdout: '' })
  expect(later.stderr).toContain(words)
  expect(gateway.ledger).toHaveLength(1)
})

it('is wrong for the first payment of a ledger, and stops it', async () => {
  const { gateway, run } = await shop()
  for (const days of [-30, 30]) {
    const first = await run(transfer('invoice-1'), days * DAY_MS)
    expect(first).toMatchObject({ exit: 2, stdout: '' })
    expect(first.stderr).toContain(", but the gateway's says ")
  }
  expect(gateway.ledger).toEqual([])
})

it.each([-30, 30])('was wrong for the first payment of a ledger, and nobody could tell: %i days', async (days) => {
  const { gateway, run } = await shop()
  gateway.askedForTime(answering({ status: 404 }))
  const first = await run(transfer('invoice-1'), days * DAY_MS)
  expect(first.exit).toBe(0)
  expect(first.stderr).toContain('the gateway did not tell its time, so the clock was not checked')
  // The answer tells the gateway's time: a payment in the past would be forgotten once the clock is right.
  if (days < 0) expect(first.stderr).toContain('; set the clock of this machine')
  gateway.askedForTime(undefined)
  for (const shiftMs of [days * DAY_MS, 0]) {
    const again = await run(transfer('invoice-2'), shiftMs)
    expect(again).toMatchObject({ exit: 2, stdout: '' })
    expect(again.stderr).toContain('The same payment was already sent')
  }
  expect(gateway.ledger).toHaveLength(1)
})
