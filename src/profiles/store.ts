import { resolve } from 'node:path'
import { Malformed } from '../pix/malformed.ts'
import { t } from '../text/words.ts'
import { UsageError } from '../wire/errors.ts'
import type { ProfileStore } from './profile.ts'
import { type Notice, readStoreFile, storePath, systemCode } from './storeReading.ts'
import { EMPTY_CONTENTS, readContents, type StoreContents } from './storeShape.ts'

/**
 * The profiles stored in this folder; none where there is no file. Modes that let others in are mended, with a notice.
 * Throws UsageError that names a damaged file, a link, or what cannot be read; nothing is replaced then.
 */
export async function readProfiles(folder: string, notice: Notice = () => undefined): Promise<ProfileStore> {
  const home = resolve(folder)
  try {
    return contentsOf(home, readStoreFile(home, notice)).store
  } catch (error) {
    throw inWords(error, t`${storePath(home)} cannot be read`, [])
  }
}

/** The contents of the file's text; undefined is no file. Throws UsageError where it is damaged. */
export function contentsOf(folder: string, text: string | undefined): StoreContents {
  if (text === undefined) return EMPTY_CONTENTS
  try {
    return readContents(text)
  } catch (error) {
    if (!(error instanceof Malformed)) throw error
    throw new UsageError(t`The file ${storePath(folder)} is damaged: ${error.message}`, { hint: error.hint })
  }
}

/** A failure of the system in words; every other one as it is. */
export function inWords(error: unknown, sentence: string, details: readonly string[]): unknown {
  const code = systemCode(error)
  if (code === undefined) return error
  return new UsageError(`${sentence}: ${code}`, {
    details,
    hint:
      code === 'ENOSPC' || code === 'EDQUOT'
        ? t`Make room on the disk, then try again`
        : t`Make the folder and the file yours and writable, or name another folder with \`PIXGATE_CONFIG_DIR\``,
  })
}
