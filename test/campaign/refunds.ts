import { expect } from 'vitest'
import { endingOf } from '../gateway/commandLines.ts'
import { here } from '../inProcess.ts'
import { expectSameBooks, history, paidUnder } from './books.ts'
import { KINDS, type Kind } from './kinds.ts'
import { type Campaign, meet, playCampaign, type Run } from './run.ts'

const NAMES: readonly string[] = [
  'no fault',
  'reset before reading',
  'reset after acting',
  '500 after acting',
  '408',
  '3xx',
  '400',
  'truncated 200',
  'stall',
  'late processing',
  'kill -9',
  'Ctrl-C twice',
]

/** The kinds of fault that a refund meets. */
export const REFUND_KINDS: readonly Kind[] = KINDS.filter(({ name }) => NAMES.includes(name))

/**
 * Plays runs with `pixgate refund`: one with an unknown outcome is never sent again before a person has found out about it. Only what is
 * killed or interrupted is a process of its own, unless the campaign says otherwise.
 */
export function refundCampaign(campaign: Campaign): Promise<void> {
  return playCampaign(campaign, playRefund, (post, sentCents) => expectSameBooks(post.world, post.gateway, sentCents))
}

/** One refund from the first attempt to the last doubt. Gives what was returned in the end, in cents. */
async function playRefund(run: Run): Promise<number> {
  const { world, gateway, name, dice } = run
  const amountCents = 1 + dice.below(1000)
  const refund = ['refund', name, '--amount', (amountCents / 100).toFixed(2), '--reason', 'damaged', '--yes']
  const ran = await meet(run, dice.coin() ? refund : [...refund, '--skip-query'])
  await Promise.all(run.pending)
  const isPaid = paidUnder(gateway, name).length > 0
  if ([1, 2, 6, 130, 143].includes(ran.exit)) expect(isPaid).toBe(false)
  if (ran.exit === 0) expect(isPaid).toBe(true)
  if (ran.exit === 1) return 0
  const line = (await history(world)).find((each) => each.originalTransactionId === name)
  if (line === undefined || line.pixgate.state === 'not-sent') {
    // It was killed, or the time was over, before anything had left.
    expect([-1, 6]).toContain(ran.exit)
    expect(isPaid).toBe(false)
    expect((await here(world)(refund)).exit).toBe(0)
  } else if (line.pixgate.state === 'unknown') {
    await typeItAgain(run, refund)
    const finding = ['--as', isPaid ? 'paid' : 'not-paid', '--because', 'seen in the dashboard']
    expect((await here(world)(['history', 'settle', line.pixgate.id, ...finding])).exit).toBe(0)
    // What a person says was not made is a repeat until it is typed that another one is meant.
    expect((await here(world)([...refund, '-o', 'json'])).exit).toBe(2)
    if (!isPaid) expect((await here(world)([...refund, '--in-addition-to', line.pixgate.id])).exit).toBe(0)
  } else expect([ran.exit, line.pixgate.state]).toEqual([ran.exit === -1 ? -1 : 0, 'accepted'])
  expect(paidUnder(gateway, name)).toHaveLength(1)
  return amountCents
}

/** What a user does who did not read the hint. Nothing of it may reach the gateway. */
async function typeItAgain({ world, gateway, name, dice }: Run, refund: readonly string[]): Promise<void> {
  const other = ['refund', name, '--amount', '0,01', '--reason', 'another', '--yes']
  const ways = [refund, [...refund, '--again'], other, [...other, '--again', '--skip-query']]
  const posts = () => gateway.arrivals.filter(({ method }) => method === 'POST').length
  const before = posts()
  const again = await here(world)([...(ways[dice.below(ways.length)] ?? refund), '-o', 'json'])
  expect(endingOf(again)).toMatchObject({ exit: 2, code: 'REPEAT', outcome: 'not-sent' })
  const resumed = await here(world)(['resume', name, '--yes', '-o', 'json'])
  expect(endingOf(resumed)).toMatchObject({ exit: 2, outcome: 'not-sent' })
  expect(posts()).toBe(before)
}
