import { readFile } from 'node:fs/promises'

/** The text of a file; nothing where there is none. Throws the system's error where it cannot be read. */
export async function readTextOrNothing(path: string): Promise<string> {
  try {
    return await readFile(path, 'utf8')
  } catch (error) {
    if (error instanceof Error && 'code' in error && error.code === 'ENOENT') return ''
    throw error
  }
}
