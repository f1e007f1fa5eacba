import { join } from 'node:path'
import { expect, it } from 'vitest'
import { SHELLS } from '../src/cli/completion/completion.ts'
import { completionScript } from '../src/cli/completion/completionScript.ts'
import { loadProgram } from '../src/cli/program.ts'

// `npm run completions` updates the scripts.
it.each(SHELLS)('has an up-to-date script for %s', async (shell) => {
  const path = join(import.meta.dirname, '..', 'completions', `pixgate.${shell}`)
  await expect(completionScript(shell, await loadProgram())).toMatchFileSnapshot(path)
})
