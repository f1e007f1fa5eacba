import { execFileSync } from 'node:child_process'
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { basename, join } from 'node:path'

/** The declarations of `pixgate/sandbox` and `pixgate/webhooks`, and of what they import. */
const DECLARATIONS = [
  'library/sandbox.d.ts',
  'library/webhooks.d.ts',
  'sandbox/faultKinds.d.ts',
  'sandbox/sandboxError.d.ts',
  'sandbox/sandboxSettings.d.ts',
  'schemas/jsonSchema.d.ts',
  'schemas/sandboxAnswers.d.ts',
]

/** Writes the declaration files of the package's entries into one folder. */
export function writeDeclarations(root, folder) {
  const emitted = mkdtempSync(join(tmpdir(), 'pixgate-declarations-'))
  try {
    const tsc = join(root, 'node_modules', 'typescript', 'bin', 'tsc')
    const project = ['-p', join(root, 'tsconfig.library.json'), '--outDir', emitted]
    execFileSync(process.execPath, [tsc, ...project], { stdio: 'inherit' })
    for (const path of DECLARATIONS) {
      const text = readFileSync(join(emitted, path), 'utf8')
      writeFileSync(join(folder, basename(path)), inOneFolder(text))
    }
  } finally {
    rmSync(emitted, { recursive: true, force: true })
  }
}

/** The text with its imports pointing to files beside it. */
function inOneFolder(text) {
  return text.replace(/from '([^']+)\.ts'/g, (_all, path) => {
    const isWritten = DECLARATIONS.some((known) => basename(known) === `${basename(path)}.d.ts`)
    if (!isWritten) throw new Error(`${path} is imported by a declaration file and not written`)
    return `from './${basename(path)}.js'`
  })
}
