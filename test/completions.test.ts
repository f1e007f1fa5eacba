import { join } from 'node:path'
import { expect, it } from 'vitest'
import { SHELLS } from '../src/cli/completion/command.ts'
import { completionScript } from '../src/cli/completion/scripts.ts'
import { loadProgram } from '../src/cli/program.ts'

// `npm run completions` updates the scripts.
it.each(SHELLS)('has the script for %s as the command tree is now', async (shell) => {
  const path = join(import.meta.dirname, '..', 'completions', `pixgate.${shell}`)
  await expect(completionScript(shell, await loadProgram())).toMatchFileSnapshot(path)
})
