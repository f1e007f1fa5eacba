import { readdir } from 'node:fs/promises'

/** What stands in a folder; nothing where there is none. Throws the system's error where it cannot be read. */
export async function namesIn(folder: string): Promise<string[]> {
  try {
    return await readdir(folder)
  } catch (error) {
    if (error instanceof Error && 'code' in error && error.code === 'ENOENT') return []
    throw error
  }
}
