import { mkdirSync, statSync } from 'node:fs'
import { dirname } from 'node:path'

const OWNER_ONLY = 0o700

/**
 * Makes a folder for its owner alone, and the folders above it; one that exists stays as it is. Throws the system's error.
 * The recursive form of `mkdir` is not used, because it tries for ever below /proc; and another thread is not asked, because
 * that takes many times as long.
 */
export function makePrivateFolder(path: string): void {
  try {
    mkdirSync(path, OWNER_ONLY)
    return
  } catch (error) {
    const code = error instanceof Error && 'code' in error ? error.code : undefined
    if (code === 'EEXIST' && statSync(path).isDirectory()) return
    if (code !== 'ENOENT' || dirname(path) === path) throw error
  }
  makePrivateFolder(dirname(path))
  try {
    mkdirSync(path, OWNER_ONLY)
  } catch (error) {
    if (!statSync(path).isDirectory()) throw error
  }
}
