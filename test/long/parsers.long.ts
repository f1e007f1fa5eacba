import { expect, it } from 'vitest'
import { PARSERS } from '../parsers/cases.ts'
import { tryParser } from '../parsers/tryParser.ts'

const SEED = process.env.SEED ?? 'parsers'
const CASES = Number(process.env.CASES ?? 1_000_000)

it.each(PARSERS.map((parser) => [parser.name, parser] as const))(
  `%s: ${CASES} cases of the seed ${SEED}`,
  { timeout: 4 * 3600_000 },
  async (name, parser) => {
    const { read, refused, slowestMs, wrong } = await tryParser(parser, CASES, SEED)
    process.stderr.write(`${name}: ${read} read, ${refused} refused, slowest ${Math.round(slowestMs)} ms\n`)
    expect(wrong).toEqual([])
  },
)
