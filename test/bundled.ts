import { mkdtempSync, symlinkSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { rolldown } from 'rolldown'

const ROOT = join(import.meta.dirname, '..')

/** One module of `src/` with all that it imports, for a process of its own: the path of the file. */
export async function bundled(module: string): Promise<string> {
  const folder = mkdtempSync(join(tmpdir(), 'pixgate-bundled-'))
  const file = join(folder, 'module.mjs')
  // SQLite for Node.js 20 is a native module, which cannot be bundled.
  symlinkSync(join(ROOT, 'node_modules'), join(folder, 'node_modules'))
  const external = [/^node:/, '@photostructure/sqlite']
  const bundle = await rolldown({ input: join(ROOT, 'src', module), platform: 'node', logLevel: 'silent', external })
  await bundle.write({ file, format: 'esm', codeSplitting: false })
  await bundle.close()
  return file
}
