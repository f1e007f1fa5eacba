import { mkdir, stat } from 'node:fs/promises'
import { dirname } from 'node:path'

const OWNER_ONLY = 0o700

/**
 * Makes a folder for its owner alone, and the folders above it; one that exists stays as it is. Throws the system's error.
 * The recursive form of `mkdir` is not used, because it tries for ever below /proc.
 */
export async function makePrivateFolder(path: string): Promise<void> {
  try {
    await mkdir(path, OWNER_ONLY)
    return
  } catch (error) {
    const code = error instanceof Error && 'code' in error ? error.code : undefined
    if (code === 'EEXIST' && (await stat(path)).isDirectory()) return
    if (code !== 'ENOENT' || dirname(path) === path) throw error
  }
  await makePrivateFolder(dirname(path))
  await mkdir(path, OWNER_ONLY).catch(async (error: unknown) => {
    if (!(await stat(path)).isDirectory()) throw error
  })
}
