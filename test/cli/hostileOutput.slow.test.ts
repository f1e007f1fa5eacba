import { spawnSync } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { parse } from 'csv-parse/sync'
import fc from 'fast-check'
import { afterAll, expect, it } from 'vitest'
import { plainCell, textCell, unguardedCell } from '../../src/text/csv.ts'
import { FORMULA_ATTACKS, terminalAttacks } from '../hostileTexts.ts'
import { formulaFiles } from './formulaFiles.ts'
import {
  formOf,
  judgePlan,
  judgeProfiles,
  judgeServers,
  listingCommands,
  OutputJudge,
  singleCommands,
} from './hostileCommands.ts'
import { type HostileOutside, hostileOutside } from './hostileOutside.ts'
import { hostileParties } from './hostileParties.ts'
import { people } from './planPeople.ts'

const { maria, joao } = people(afterAll, 'maria', 'joao')
const CHECKER = join(import.meta.dirname, '..', 'formulaCells.py')
const hasPython = spawnSync('python3', ['--version']).status === 0
if (!hasPython) process.stderr.write('\n!!! SKIPPED: python3 is missing, so no CSV file is searched for formulas\n\n')

it.runIf(hasPython)(
  'no report and no file for a spreadsheet has a formula, whatever separates its cells',
  { timeout: 120_000 },
  async () => {
    const outside = await hostileOutside(FORMULA_ATTACKS)
    const parties = await hostileParties(outside, FORMULA_ATTACKS, { maker: maria, approver: joao, typedEach: 5 })
    const files = await formulaFiles(outside, [outside.batch.run, parties.run])
    const checked = spawnSync('python3', [CHECKER, ...files], { encoding: 'utf8' })
    expect(JSON.parse(checked.stdout)).toEqual([])
    // The check can fail: the lossless results have them all.
    const lossless = spawnSync('python3', [CHECKER, outside.batch.results], { encoding: 'utf8' })
    expect(JSON.parse(lossless.stdout).length).toBeGreaterThan(FORMULA_ATTACKS.length)
    await expectReadBack(outside)
  },
)

/** The file for a spreadsheet gives every text back when a batch reads it, and nothing of it is sent again. */
async function expectReadBack({ run, batch }: HostileOutside): Promise<void> {
  const again = await run('batch', 'transfer', batch.excel, '--map', 'name=fornecedor', '--yes')
  expect([again.exit, again.stderr]).toEqual([1, expect.stringContaining('Nothing of this file is left to send')])
  const lossless: Record<string, string>[] = parse(readFileSync(batch.results), { columns: true })
  const guarded: Record<string, string>[] = parse(readFileSync(batch.excel), {
    columns: true,
    delimiter: ';',
    bom: true,
  })
  expect(guarded.map(({ obs = '' }) => unguardedCell(obs))).toEqual(lossless.map(({ obs }) => obs))
}

it('a guarded cell is read back as it was', () => {
  const attacks = fc.oneof(
    fc.constantFrom(...FORMULA_ATTACKS),
    fc.string({ unit: fc.constantFrom(...`'"=+-@\t\r\n;, a1　＝`) }),
  )
  fc.assert(
    fc.property(attacks, (cell) => {
      expect(unguardedCell(plainCell(cell))).toBe(cell)
      expect(unguardedCell(textCell(cell))).toBe(cell)
    }),
    { numRuns: 5000 },
  )
})

it('prints nothing that a terminal obeys or hides, and at most eight marks on a character', {
  timeout: 120_000,
}, async () => {
  const texts = terminalAttacks(24, 'short')
  const outside = await hostileOutside(texts)
  const parties = await hostileParties(outside, texts, { maker: maria, approver: joao, typedEach: 12 })
  const judge = new OutputJudge(outside)
  let turn = 0
  const form = () => formOf(turn++)
  for (const words of listingCommands(outside, parties, texts)) await judge.run(form(), words)
  // Of these a command takes what hides and covers, but not what controls.
  for (const [place, text] of ['Ana\u200bLima', `z${'\u0301'.repeat(60)}`].entries()) {
    for (const words of singleCommands(outside, text, place)) await judge.run(form(), words)
  }
  await judgePlan(judge, form(), parties, 'short')
  await judgeServers(judge, form(), outside, texts.slice(0, 3))
  await judgeProfiles(judge, form(), outside, texts)
  expect(judge.found).toEqual([])
})
