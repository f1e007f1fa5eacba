import { describe, expect, it } from 'vitest'
import type { StoredProfile } from '../../src/profiles/profile.ts'
import { emptyWorld, sandboxWorld } from '../world.ts'
import { atOnce, carriedOut, failureOf, inProduction, inThisProcess, paidPayment } from './payments.ts'

async function profileWith(differences: Partial<StoredProfile>) {
  const { url } = await sandboxWorld()
  const world = await inProduction(emptyWorld(), url, differences)
  const id = await paidPayment(url, 100)
  const confirm = ['--confirm', 'prod', '-o', 'json']
  return {
    ...world,
    url,
    transfer: (amount: string, { run } = inThisProcess(world)) =>
      run(['transfer', '--key', 'a@example.com', '--amount', amount, ...confirm]),
    refund: (...words: string[]) => inThisProcess(world).run(['refund', id, '--reason', 'x', ...words, ...confirm]),
  }
}

const OVER = { exit: 2, code: 'OVER_LIMIT', outcome: 'not-sent' }

describe('the limits of a profile', () => {
  it('bind one payment', async () => {
    const world = await profileWith({ maxAmountCents: 5000 })
    expect(failureOf(await world.transfer('50,01'))).toMatchObject(OVER)
    expect(failureOf(await world.refund('--amount', '50,01'))).toMatchObject(OVER)
    expect(failureOf(await world.refund('--full'))).toMatchObject(OVER)
    expect(failureOf(await world.refund('--full', '--skip-query'))).toMatchObject(OVER)
    expect((await world.transfer('50')).exit).toBe(0)
    const { transfers, refunds } = await carriedOut(world.url)
    expect([transfers.length, refunds.length]).toEqual([1, 0])
  })

  it('bind a day, transfers and refunds together', async () => {
    const world = await profileWith({ maxDayCents: 10_000 })
    expect((await world.transfer('60')).exit).toBe(0)
    expect(failureOf(await world.refund('--amount', '40,01'))).toMatchObject(OVER)
    expect((await world.refund('--amount', '40')).exit).toBe(0)
    expect(failureOf(await world.transfer('0,01'))).toMatchObject(OVER)
  })

  it('bind those that are sent at the same moment', async () => {
    const world = await profileWith({ maxDayCents: 10_000 })
    const runs = await atOnce(['40,01', '40,02', '40,03', '40,04'], (amount) => world.transfer(amount, world))
    expect(runs.map(({ exit }) => exit).sort()).toEqual([0, 0, 2, 2])
    expect((await carriedOut(world.url)).transfers).toHaveLength(2)
  })
})

it('moves no money with a read-only profile', async () => {
  const world = await profileWith({ readOnly: true })
  for (const run of [
    await world.transfer('1'),
    await world.refund('--full'),
    await inThisProcess(world).run(['resume', 'x', '--json']),
  ]) {
    const failure = failureOf(run)
    expect(failure).toMatchObject({ exit: 2, code: 'USAGE', outcome: 'not-sent' })
    expect(failure.message).toContain('read-only')
  }
  const { transfers, refunds } = await carriedOut(world.url)
  expect([...transfers, ...refunds]).toEqual([])
})
