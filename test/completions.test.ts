import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, it } from 'vitest'
import { completionScript } from '../src/cli/completion/scripts.ts'
import { SHELLS } from '../src/cli/completion/shells.ts'
import { buildTree } from '../src/cli/run.ts'

it.each(SHELLS)('has the script for %s as the command tree is now', async (shell) => {
  const path = join(import.meta.dirname, '..', 'completions', `pixgate.${shell}`)
  const isFresh = readFileSync(path, 'utf8') === completionScript(shell, await buildTree(() => async () => undefined))
  expect(isFresh, `completions/pixgate.${shell} is out of date: run \`npm run completions\``).toBe(true)
})
