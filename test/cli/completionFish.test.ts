import { join } from 'node:path'
import { expect, it } from 'vitest'
import {
  COMPLETIONS,
  completionCases,
  isInstalled,
  offeredIn,
  runProgram,
  shellWorld,
  wrongLines,
} from './completionCases.ts'

const SCRIPT = join(COMPLETIONS, 'pixgate.fish')
const DRIVER = `
source ${SCRIPT}
while read --line line
  for candidate in (complete -C $line)
    printf '%s\\t%s\\n' $line (string split -- \\t $candidate)[1]
  end
end`

it.skipIf(!isInstalled('fish'))('completes in fish', async () => {
  const { world, id, here } = await shellWorld()
  expect(runProgram('fish', ['--no-execute', SCRIPT], world, here)).toBe('')
  const cases = completionCases(id)
  const lines = cases.map(({ line }) => `${line}\n`).join('')
  const said = runProgram('fish', ['--no-config', '-c', DRIVER], world, here, lines)
  expect(wrongLines(cases, offeredIn(said))).toEqual({})
})
