import { setTimeout as sleep } from 'node:timers/promises'
import { expect } from 'vitest'
import { diceOf } from '../campaign/dice.ts'
import { startFaultGateway } from '../gateway/faultGateway.ts'
import { start } from '../gateway/running.ts'
import { paymentsOf, problemsOf } from '../ledger/storedLedger.ts'
import { emptyWorld } from '../world.ts'

/** At which points the transfers were killed, as far as the ledger and the gateway tell. */
export interface KilledTransfers {
  beforeRecord: number
  recordedOnly: number
  carriedOut: number
  finished: number
}

/**
 * Kills this many transfers with SIGKILL at moments that the seed chooses, and resumes each, or makes it if it was not recorded. Asserts that
 * each is paid once, and that the ledger is whole.
 */
export async function killTransfers(count: number, seed: number): Promise<KilledTransfers> {
  const gateway = await startFaultGateway()
  const world = emptyWorld({ PIXGATE_BASE_URL: gateway.url })
  const dice = diceOf(`${seed}/transfers`)
  const seen: KilledTransfers = { beforeRecord: 0, recordedOnly: 0, carriedOut: 0, finished: 0 }
  const transferOf = (name: string) => [
    'transfer',
    '--key',
    `${name}@example.com`,
    '--amount',
    '1',
    '--external-id',
    name,
    '--yes',
  ]
  let usualMs = Number.POSITIVE_INFINITY
  // The faster of two, because other work on the machine can slow one down.
  for (const name of ['first', 'second']) {
    const beganMs = performance.now()
    expect((await world.run(transferOf(name))).exit).toBe(0)
    usualMs = Math.min(usualMs, performance.now() - beganMs)
  }
  for (let number = 0; number < count; number++) {
    const name = `order-${number}`
    const isPaid = () => gateway.ledger.some(({ externalId }) => externalId === name)
    const sending = start(world, transferOf(name))
    // It records and sends in the second half of its life; each kill has its own part of that.
    await Promise.race([sleep(usualMs * (0.3 + (number + dice.fraction()) / count)), sending.ended])
    sending.signal('SIGKILL')
    const { exit } = await sending.ended
    const wasPaid = isPaid()
    const known = (await paymentsOf(world)).find((each) => each.name === name)
    if (known === undefined) {
      expect([exit, wasPaid], `${name}, seed ${seed}`).toEqual([-1, false])
      expect((await world.run(transferOf(name))).exit).toBe(0)
      seen.beforeRecord += 1
    } else {
      const resumed = await world.run(['resume', name, '--yes'])
      expect(resumed.exit, `${name}, seed ${seed}: ${resumed.stderr}`).toBe(0)
      if (exit === 0) seen.finished += 1
      else if (wasPaid) seen.carriedOut += 1
      else seen.recordedOnly += 1
    }
    expect(
      gateway.ledger.filter(({ externalId }) => externalId === name),
      `${name}, seed ${seed}`,
    ).toHaveLength(1)
  }
  expect(await problemsOf(world)).toEqual([])
  expect((await paymentsOf(world)).filter(({ state }) => state !== 'accepted')).toEqual([])
  return seen
}
