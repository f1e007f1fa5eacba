import { readdirSync } from 'node:fs'
import { expect } from 'vitest'
import { startFaultGateway } from '../gateway/faultGateway.ts'
import { problemsOf } from '../ledger/storedLedger.ts'
import { DISK_CALLS, type DiskFault, withDiskFault } from '../syscalls.ts'
import { emptyWorld } from '../world.ts'
import { type Dice, diceOf } from './dice.ts'
import { transferOf } from './writingCommand.ts'
import { WRITING } from './writingCommands.ts'

/** How many runs ended with which exit code. */
export type DiskEndings = Record<string, number>

/** All faults of a command that makes these calls so often. */
function faultsOf(counts: Readonly<Record<string, number>>): DiskFault[] {
  return DISK_CALLS.flatMap((call) =>
    Array.from({ length: counts[call] ?? 0 }, (_, index) => index + 1).flatMap((nth): DiskFault[] => [
      { call, nth, error: 'ENOSPC', isLasting: true },
      { call, nth, error: 'EIO', isLasting: false },
    ]),
  )
}

/**
 * Runs a command, and lets the disk fail at each of its system calls in turn; with `count`, at so many that the seed chooses. Asserts
 * that nothing is sent without a record, that no defect is reported, that each file is the old or the new one, and that the ledger is
 * whole.
 */
export async function failDisk(
  command: string,
  { count, seed, onRun }: { count?: number; seed: number; onRun?(endings: DiskEndings): void },
): Promise<DiskEndings> {
  const known = WRITING[command]
  if (known === undefined) throw new Error(`there is no command ${command}`)
  const gateway = await startFaultGateway()
  gateway.payment = { ...gateway.payment, amount: 1_000_000 }
  const world = emptyWorld({
    PIXGATE_BASE_URL: gateway.url,
    PIXGATE_CALLBACK_URL: 'http://127.0.0.1:1/',
    SHOP_SECRET: 's',
  })
  await world.prepare(transferOf('before'))
  const dice = diceOf(`${seed}/${command}`)
  const run = async (name: string, fault: DiskFault | undefined) => {
    await known.prepare?.({ world, gateway, name })
    const ran = await withDiskFault(world, known.words(name, world), fault, { stdin: known.stdin?.(name) ?? '' })
    try {
      expect([70, -1, 134, 139]).not.toContain(ran.exit)
      expect(ran.stderr).not.toMatch(/\n {4}at /)
      await known.check({ world, gateway, name, ran })
      const left = readdirSync(world.home).filter((each) => each.startsWith(`${name}.`) && each.endsWith('.part'))
      // What cannot be removed stays.
      if (fault?.call !== 'unlink') expect(left).toEqual([])
    } catch (error) {
      const why = `seed ${seed}, ${command}, ${JSON.stringify(fault)}`
      throw new Error(`${why}: ${error instanceof Error ? error.message : error}\n${JSON.stringify(ran)}`, {
        cause: error,
      })
    }
    return ran
  }
  const { counts, exit } = await run(`${command.replaceAll(' ', '-')}-healthy`, undefined)
  expect([0, 1]).toContain(exit)
  const endings: DiskEndings = {}
  const wrong: unknown[] = []
  for (const [index, fault] of chosen(faultsOf(counts), count, dice).entries()) {
    const ran = await run(`${command.replaceAll(' ', '-')}-${index}`, fault).catch(
      (error: unknown) => void wrong.push(error),
    )
    if (ran !== undefined) endings[ran.exit] = (endings[ran.exit] ?? 0) + 1
    onRun?.(endings)
  }
  expect(wrong).toEqual([])
  expect(await problemsOf(world)).toEqual([])
  return endings
}

/** All faults, or so many different ones. */
function chosen(faults: readonly DiskFault[], count: number | undefined, dice: Dice): DiskFault[] {
  const left = [...faults]
  return Array.from({ length: Math.min(count ?? left.length, left.length) }, () =>
    left.splice(count === undefined ? 0 : dice.below(left.length), 1),
  ).flat()
}
