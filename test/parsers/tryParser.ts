import { diceOf } from '../campaign/dice.ts'
import { isOwnError, type Parser } from './cases.ts'

/** A case that takes longer of the processor is a hang. */
const HANG_MS = 2000
const FOUND_MAX = 5

/** What became of the cases of a parser. */
export interface Tried {
  /** How many were read, and how many refused with an error of its own. */
  read: number
  refused: number
  slowestMs: number
  /** The first inputs with which it crashed, took too long, or gave back something else. */
  wrong: string[]
}

/** Tries a parser with cases of a seed. */
export async function tryParser(parser: Parser, count: number, seed: string): Promise<Tried> {
  const dice = diceOf(`${seed} ${parser.name}`)
  const tried: Tried = { read: 0, refused: 0, slowestMs: 0, wrong: [] }
  for (let left = count; left > 0 && tried.wrong.length < FOUND_MAX; left -= 1) {
    const input = parser.make(dice)
    const beganMs = performance.now()
    try {
      await parser.read(input)
      tried.read += 1
    } catch (error) {
      if (isOwnError(error)) tried.refused += 1
      else tried.wrong.push(`${error instanceof Error ? error.stack : error}: ${JSON.stringify(input)}`)
    }
    const ms = performance.now() - beganMs
    tried.slowestMs = Math.max(tried.slowestMs, ms)
    // On a busy machine, a process may have waited so long for its turn.
    if (ms > HANG_MS && (await processorMs(parser, input)) > HANG_MS)
      tried.wrong.push(`${Math.round(ms)} ms: ${JSON.stringify(input)}`)
  }
  return tried
}

async function processorMs(parser: Parser, input: string): Promise<number> {
  const began = process.cpuUsage()
  try {
    await parser.read(input)
  } catch {
    // What it throws was judged before.
  }
  const { user, system } = process.cpuUsage(began)
  return (user + system) / 1000
}
