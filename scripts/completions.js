import { mkdirSync, writeFileSync } from 'node:fs'
import { buildTree } from '../dist/cli.js'
import { completionScript } from '../dist/completion/scripts.js'
import { SCRIPT_FILES } from '../dist/completion/shells.js'

const folder = new URL('../completions/', import.meta.url)
mkdirSync(folder, { recursive: true })
const tree = await buildTree(() => async () => undefined)
for (const [shell, file] of Object.entries(SCRIPT_FILES)) {
  writeFileSync(new URL(file, folder), completionScript(shell, tree))
}
