import { readdirSync } from 'node:fs'

/** What stands in a folder; nothing where there is none. Throws the system's error where it cannot be read. */
export function namesIn(folder: string): string[] {
  try {
    return readdirSync(folder)
  } catch (error) {
    if (error instanceof Error && 'code' in error && error.code === 'ENOENT') return []
    throw error
  }
}
