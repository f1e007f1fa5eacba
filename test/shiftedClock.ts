import { writeFileSync } from 'node:fs'
import { join } from 'node:path'

/** Shifts the clock of a process; the clocks of processes that follow one another never go back. */
const SHIFT = 'const real = Date.now, shiftMs = Number(process.env.CLOCK_SHIFT_MS); Date.now = () => real() + shiftMs'

/** The environment of a process whose clock is ahead of this one's by so much. The script that shifts it is written to a folder. */
export function shiftedClock(folder: string, shiftMs: number): Record<string, string> {
  const preload = join(folder, 'clock.cjs')
  writeFileSync(preload, SHIFT)
  return { NODE_OPTIONS: `--require ${preload}`, CLOCK_SHIFT_MS: String(shiftMs) }
}
