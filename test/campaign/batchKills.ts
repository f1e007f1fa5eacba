import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect } from 'vitest'
import { type Fault, type FaultGateway, healthy, startFaultGateway } from '../gateway/faultGateway.ts'
import { actedBut, closeAfterActing, resetAfterActing, resetAfterReading, truncated } from '../gateway/faults.ts'
import { start } from '../gateway/running.ts'
import { emptyWorld, type World } from '../world.ts'
import { expectSameBooks } from './books.ts'
import { type Dice, diceOf } from './dice.ts'

/** What a campaign comes to; its rows and kills belong to several batches, two of which are under way at a time. */
export interface KillCampaign {
  batches: number
  rows: number
  kills: number
  seed: number
  /** One request in this many meets a fault. */
  faultIn: number
}

/** What happens to some of the requests in turn, so that not only the client dies. */
const FAULTS: readonly Fault[] = [resetAfterActing, resetAfterReading, closeAfterActing, truncated, actedBut(500)]
const WORK = ['--yes', '--concurrency', '8', '--stop-after', '1000000', '-o', 'json']

/** Kills batches at random moments, goes on with them each time, and compares the books at the end. */
export async function killCampaign({ batches, rows, kills, seed, faultIn }: KillCampaign): Promise<void> {
  let met = 0
  const ahead = Array.from({ length: batches }, (_, number) => number)
  const playInTurn = async () => {
    for (let number = ahead.shift(); number !== undefined; number = ahead.shift()) {
      const dice = diceOf(`batch/${seed}/${number}`)
      const faults = new Faults(faultIn, number)
      await killBatch({ rows: rows / batches, kills: kills / batches, dice, faults })
      met += faults.met
    }
  }
  try {
    await Promise.all([playInTurn(), playInTurn()])
    // Not every row is sent while faults happen: what is left after the last kill is sent without them.
    const least = batches * Math.floor(rows / batches / faultIn / 2)
    expect(met).toBeGreaterThanOrEqual(Math.min(FAULTS.length, least))
  } catch (error) {
    throw new Error(`CAMPAIGN_SEED=${seed}: ${error instanceof Error ? error.message : error}`, { cause: error })
  }
}

/** Gives the faults in turn, beginning with the one of this number, each to a request that the dice choose among the next `oneIn`. */
class Faults {
  /** How many requests have met one. */
  met = 0
  readonly #oneIn: number
  readonly #first: number
  #left = 0
  #before = 0

  constructor(oneIn: number, first: number) {
    this.#oneIn = oneIn
    this.#first = first
  }

  next(dice: Dice): Fault {
    if (this.#left === 0) {
      this.#left = this.#oneIn
      this.#before = dice.below(this.#oneIn)
    }
    this.#left -= 1
    return this.#left === this.#before ? (FAULTS[(this.#first + this.met++) % FAULTS.length] ?? healthy) : healthy
  }
}

interface BatchWork {
  rows: number
  kills: number
  dice: Dice
  faults: Faults
}

async function killBatch({ rows, kills, dice, faults }: BatchWork): Promise<void> {
  const gateway = await startFaultGateway()
  const world = emptyWorld({ PIXGATE_BASE_URL: gateway.url })
  const pending = new Set<Promise<void>>()
  gateway.always(async (call) => {
    const end = Promise.resolve(faults.next(dice)(call))
    pending.add(end)
    await end
    pending.delete(end)
  })
  const file = join(world.home, 'payroll.csv')
  const totalCents = writeRows(file, rows, dice)
  let run: string | undefined
  for (let kill = 0; kill < kills; kill++) {
    const process = start(world, lineFor(run, file))
    await killedSoon(process, gateway, { dice, perKill: Math.ceil((rows / kills) * 1.5) })
    run ??= await newestRun(world)
  }
  gateway.always(undefined)
  await Promise.all(pending)
  const last = await world.run(lineFor(run, file))
  expect([0, 2], last.stderr).toContain(last.exit)
  await expectAllPaid(world, gateway, { rows, totalCents })
}

/** As a person would go on: with the run where there is one, else with the file. */
function lineFor(run: string | undefined, file: string): string[] {
  return run === undefined ? ['batch', 'transfer', file, ...WORK] : ['resume', run, ...WORK]
}

async function newestRun(world: World): Promise<string | undefined> {
  const [newest]: { run: string }[] = JSON.parse((await world.run(['batch', 'list', '-o', 'json'])).stdout)
  return newest?.run
}

async function killedSoon(
  process: ReturnType<typeof start>,
  gateway: FaultGateway,
  { dice, perKill }: { dice: Dice; perKill: number },
): Promise<void> {
  // Some die before their first request, most in the middle of the work.
  const moment = dice.below(5) === 0 ? undefined : gateway.arrived(gateway.arrivals.length + 1 + dice.below(perKill))
  const pause = new Promise<void>((resolve) => setTimeout(resolve, 100 + dice.below(600)))
  await Promise.race([moment ?? pause, process.ended])
  process.signal('SIGKILL')
  await process.ended
}

function writeRows(file: string, rows: number, dice: Dice): number {
  let totalCents = 0
  let lastCents = 0
  const lines = Array.from({ length: rows }, (_, row) => {
    // Every tenth row occurs twice.
    const person = row % 10 === 9 ? row - 1 : row
    const cents = row % 10 === 9 ? lastCents : 1 + dice.below(100_000)
    lastCents = cents
    totalCents += cents
    return `person${person}@example.com,${(cents / 100).toFixed(2)}`
  })
  writeFileSync(file, `key,value\n${lines.join('\n')}\n`)
  return totalCents
}

async function expectAllPaid(
  world: World,
  gateway: FaultGateway,
  { rows, totalCents }: { rows: number; totalCents: number },
): Promise<void> {
  const ids = gateway.ledger.map(({ externalId }) => externalId)
  expect(new Set(ids).size).toBe(ids.length)
  expect(ids).toHaveLength(rows)
  expect(JSON.parse(await world.prepare(['batch', 'list', '-o', 'json']))).toEqual([
    expect.objectContaining({ rows, accepted: rows, refused: 0, unknown: 0, notSent: 0, finished: true }),
  ])
  await expectSameBooks(world, gateway, totalCents)
}
