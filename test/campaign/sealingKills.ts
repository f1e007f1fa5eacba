import { existsSync, mkdirSync, readdirSync, watch, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { expect } from 'vitest'
import { logLine } from '../../src/timeline/logFile.ts'
import { SEGMENT_BYTES_MAX } from '../../src/timeline/segments.ts'
import { startFaultGateway } from '../gateway/faultGateway.ts'
import { type Started, start } from '../gateway/running.ts'
import { at, outcome, transfer } from '../timeline/ledger.ts'
import { emptyWorld } from '../world.ts'
import { expectSameBooks, paidUnder } from './books.ts'
import { type Dice, diceOf } from './dice.ts'

const AT_ONCE = 3
const KILLED = -1
/** So that a file is full with few records. */
const LONG_TEXT = 'x'.repeat(128 * 1024)

/** How many processes were killed, and how often after a file had been sealed and before it was known what came of it. */
export interface SealingKills {
  killed: number
  sealed: number
}

/**
 * Lets several processes pay at once into a timeline that is just full, so that one of them seals it, and kills them all:
 * at a moment that the seed throws, or as soon as the file has its new name. Then all is settled. Asserts that no record is
 * lost or damaged, and that every payment was made once.
 */
export async function sealingKills({ rounds, seed }: { rounds: number; seed: number }): Promise<SealingKills> {
  const gateway = await startFaultGateway()
  const world = emptyWorld({ PIXGATE_BASE_URL: gateway.url })
  const folder = join(world.home, 'data')
  const dice = diceOf(`${seed}/sealing`)
  const beganMs = performance.now()
  await world.run(['history'])
  const usualMs = (performance.now() - beganMs) * 2
  const names: string[] = []
  const seen: SealingKills = { killed: 0, sealed: 0 }
  for (let round = 0; round < rounds; round++) {
    fillUp(folder, round)
    const payments = Array.from({ length: AT_ONCE }, (_, place) => paymentOf(`round-${round}-${place}`))
    const processes = payments.map(({ args }) => start(world, args))
    await momentToKill(folder, round + 1, { dice, usualMs, processes })
    for (const each of processes) each.signal('SIGKILL')
    const ends = await Promise.all(processes.map(({ ended }) => ended))
    seen.killed += ends.filter(({ exit }) => exit === KILLED).length
    if (existsSync(join(folder, sealedName(round + 1)))) seen.sealed += 1
    for (const { name, args } of payments) {
      const resumed = await world.run(['resume', name, '--yes'])
      // The process ended before its intent was recorded, so nothing had left.
      const settled = resumed.exit === 3 ? await world.run(args) : resumed
      expect(settled.exit, settled.stderr).toBe(0)
      expect(paidUnder(gateway, name)).toHaveLength(1)
      names.push(name)
    }
    expect(readdirSync(folder).filter((name) => /^timeline\.\d+\.log$/.test(name))).toHaveLength(round + 1)
  }
  expect(gateway.ledger.map(({ body }) => body.externalId).sort()).toEqual(names.sort())
  await expectSameBooks(world, gateway, names.length * 100)
  return seen
}

function paymentOf(name: string): { name: string; args: string[] } {
  return { name, args: ['transfer', '--key', `${name}@example.com`, '--amount', '1', '--external-id', name, '--yes'] }
}

/** Makes the timeline so long that the next record goes into a new file, by what is known of one refused transfer. */
function fillUp(folder: string, round: number): void {
  mkdirSync(folder, { recursive: true, mode: 0o700 })
  const intent = at(0, transfer({ externalId: `filler-${round}` }), `filler-${round}`)
  const answer = at(0, outcome(intent.id, { outcome: 'refused', code: LONG_TEXT }))
  const lines = Math.ceil(SEGMENT_BYTES_MAX / LONG_TEXT.length)
  const text = logLine(JSON.stringify(intent)) + logLine(JSON.stringify(answer)).repeat(lines)
  writeFileSync(join(folder, 'timeline.log'), text, { flag: 'a', mode: 0o600 })
}

function sealedName(number: number): string {
  return `timeline.${String(number).padStart(6, '0')}.log`
}

async function momentToKill(
  folder: string,
  number: number,
  { dice, usualMs, processes }: { dice: Dice; usualMs: number; processes: readonly Started[] },
): Promise<void> {
  if (dice.coin()) {
    await sleep(dice.fraction() * usualMs)
    return
  }
  const watching = new AbortController()
  const sealed = new Promise<void>((resolve) => {
    watch(folder, { signal: watching.signal }, (_, name) => {
      if (name === sealedName(number)) resolve()
    })
  })
  await Promise.race([sealed, Promise.all(processes.map(({ ended }) => ended))])
  watching.abort()
}
