// Writes completions/, the scripts that `pixgate completion` prints: `npm run completions`.
import { execFileSync } from 'node:child_process'
import { readdirSync, writeFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'

const BINARY = fileURLToPath(new URL('../bin/pixgate.js', import.meta.url))
const FOLDER = new URL('../completions/', import.meta.url)

for (const file of readdirSync(FOLDER)) {
  const shell = file.replace('pixgate.', '')
  writeFileSync(new URL(file, FOLDER), execFileSync(process.execPath, [BINARY, 'completion', shell]))
}
