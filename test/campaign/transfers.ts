import { expect } from 'vitest'
import { endingOf } from '../gateway/commandLines.ts'
import { here } from '../inProcess.ts'
import type { ProcessResult } from '../world.ts'
import { expectSameBooks, paidUnder } from './books.ts'
import { type Campaign, meet, playCampaign, type Run } from './run.ts'

/** The exit codes that tell the user that nothing was paid. */
const NOT_PAID_EXITS: readonly number[] = [1, 2, 3, 4, 6, 7, 130, 143]
const OVER_EXITS: readonly number[] = [1, 4, 7]

/**
 * Plays runs of one kind of fault with `pixgate transfer` and `pixgate resume`, and compares the books at the end. Only what is
 * killed or interrupted is a process of its own, unless the campaign says otherwise.
 */
export function transferCampaign(campaign: Campaign): Promise<void> {
  return playCampaign(campaign, playTransfer, (post, sentCents) => expectSameBooks(post.world, post.gateway, sentCents))
}

/** One payment from the first attempt to the last doubt. Gives what was paid in the end, in cents. */
async function playTransfer(run: Run): Promise<number> {
  const { name, dice, gateway } = run
  const amountCents = 1 + dice.below(1_000_000)
  const payment = ['transfer', '--key', `${name}@example.com`, '--amount', (amountCents / 100).toFixed(2), '--yes']
  const asTyped = [...payment, '--external-id', name]
  const ran = await meet(run, asTyped)
  const isPaid = paidUnder(gateway, name).length > 0
  if (isPaid) expect(NOT_PAID_EXITS).not.toContain(ran.exit)
  if (ran.exit === 0) expect(isPaid).toBe(true)
  if (ran.exit === 5) {
    expect(ran.stderr).toContain(name)
    if (dice.below(3) === 0) await typeItAgain(run, payment)
  }
  await settle(run, ran, asTyped)
  await Promise.all(run.pending)
  const paid = paidUnder(gateway, name)
  expect(paid).toHaveLength(OVER_EXITS.includes(ran.exit) ? 0 : 1)
  return paid.length * amountCents
}

/** What a user does who did not read the hint. Nothing of it may reach the gateway. */
async function typeItAgain({ world, gateway, name, dice }: Run, payment: readonly string[]): Promise<void> {
  const ways = [
    [...payment],
    [...payment, '--again'],
    [...payment, '--external-id', name],
    [...payment, '--external-id', `${name}-b`, '--again'],
    [...payment, '--external-id', `${name}-b`, '--in-addition-to', name],
  ]
  const way = ways[dice.below(ways.length)] ?? payment
  const before = gateway.arrivals.length
  const ending = endingOf(await here(world)([...way, '-o', 'json']))
  expect(ending).toMatchObject({ exit: 2, code: 'REPEAT', outcome: 'not-sent', externalId: name })
  expect(gateway.arrivals).toHaveLength(before)
}

/** Goes on with it at a gateway that is well again. */
async function settle(
  { world, gateway, name }: Run,
  { exit }: ProcessResult,
  asTyped: readonly string[],
): Promise<void> {
  const postsBefore = gateway.arrivals.length
  const resumed = await here(world)(['resume', name, '--yes', '-o', 'json'])
  if (OVER_EXITS.includes(exit)) {
    expect(endingOf(resumed)).toMatchObject({ exit: 1 })
    expect(gateway.arrivals).toHaveLength(postsBefore)
    return
  }
  if (resumed.exit === 3) {
    // The process ended before its intent was recorded, so nothing had left.
    expect([-1, 130, 143]).toContain(exit)
    expect(paidUnder(gateway, name)).toEqual([])
    expect((await here(world)(asTyped)).exit).toBe(0)
    return
  }
  expect(resumed).toMatchObject({ exit: 0, stderr: '' })
  const document = JSON.parse(resumed.stdout)
  expect(document).toMatchObject({ externalId: name, pixgate: { warnings: [] } })
  expect(['accepted', 'accepted-before']).toContain(document.pixgate.outcome)
  expect(paidUnder(gateway, name)).toHaveLength(1)
  if (exit !== 0) return
  expect(document.pixgate.outcome).toBe('accepted-before')
  expect(gateway.arrivals).toHaveLength(postsBefore)
}
