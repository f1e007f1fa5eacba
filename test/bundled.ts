import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { rolldown } from 'rolldown'

const SRC = join(import.meta.dirname, '..', 'src')

/** One module of `src/` with all that it imports, for a process of its own: the path of the file, which ends with this process. */
export async function bundled(module: string): Promise<string> {
  const folder = mkdtempSync(join(tmpdir(), 'pixgate-bundled-'))
  process.on('exit', () => rmSync(folder, { recursive: true, force: true }))
  const file = join(folder, 'module.mjs')
  const bundle = await rolldown({ input: join(SRC, module), platform: 'node', logLevel: 'silent' })
  await bundle.write({ file, format: 'esm', codeSplitting: false })
  await bundle.close()
  return file
}
