import { expect, it } from 'vitest'
import { PARSERS } from '../parsers/cases.ts'
import { tryParser } from '../parsers/tryParser.ts'

const SEED = process.env.SEED ?? 'parsers'
const CASES = Number(process.env.CASES ?? 1_000_000)
/** Each part has a seed of its own, so that what is found is found again in seconds, and a run that was stopped goes on at `FROM`. */
const PART = 20_000
const FROM = Number(process.env.FROM ?? 0)

it.each(PARSERS.map((parser) => [parser.name, parser] as const))(
  `%s: ${CASES} cases of the seed ${SEED}`,
  { timeout: 4 * 3600_000 },
  async (name, parser) => {
    const sum = { read: 0, refused: 0, slowestMs: 0 }
    for (let from = FROM; from < CASES; from += PART) {
      const tried = await tryParser(parser, Math.min(PART, CASES - from), `${SEED} ${from}`)
      expect(tried.wrong, `FROM=${from}`).toEqual([])
      sum.read += tried.read
      sum.refused += tried.refused
      sum.slowestMs = Math.max(sum.slowestMs, tried.slowestMs)
      const [end, slowest] = [Math.min(from + PART, CASES), Math.round(sum.slowestMs)]
      process.stderr.write(
        `${name} ${FROM} to ${end}: ${sum.read} read, ${sum.refused} refused, slowest ${slowest} ms\n`,
      )
    }
  },
)
