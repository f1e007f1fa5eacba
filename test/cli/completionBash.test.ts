import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, it } from 'vitest'
import { COMPLETIONS, completionCases, isInstalled, runProgram, shellWorld, wrongLines } from './completionCases.ts'

const SCRIPT = join(COMPLETIONS, 'pixgate.bash')
const RC = `
source ${SCRIPT}
show() { printf '%s\\n' "$*" >> "$HOME/shown"; }
PS1=
`
/** readline's keys: put in all completions, go to the beginning, and there write the command that notes the line. */
const KEYS = '\u001b*\u0001show '

it.skipIf(!isInstalled('bash') || !isInstalled('script'))('completes in bash', async () => {
  const { world, id, here } = await shellWorld()
  expect(runProgram('bash', ['-n', SCRIPT], world, here)).toBe('')
  const cases = completionCases(id)
  writeFileSync(join(world.home, 'rc'), RC)
  const typed = `${cases.map(({ line }) => `${line}${KEYS}\n`).join('')}exit\n`
  runProgram('script', ['-qec', `bash --noprofile --rcfile ${world.home}/rc -i`, '/dev/null'], world, here, typed)
  const shown = readFileSync(join(world.home, 'shown'), 'utf8').trimEnd().split('\n')
  expect(shown).toHaveLength(cases.length)
  const offered = new Map(cases.map(({ line }, index) => [line, addedTo(line, shown[index] ?? '')]))
  expect(wrongLines(cases, offered)).toEqual({})
})

/** The words that came in place of the last one. */
function addedTo(line: string, shown: string): string[] {
  const before = line.slice(0, line.lastIndexOf(' ') + 1)
  if (shown.trimEnd() === line.trimEnd()) return []
  return shown.slice(before.length).trim().split(/\s+/)
}
