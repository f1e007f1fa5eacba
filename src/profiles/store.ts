import { resolve } from 'node:path'
import { Malformed } from '../pix/malformed.ts'
import { t } from '../text/translate.ts'
import { systemCode, UsageError } from '../wire/errors.ts'
import { LOCAL_PROFILE } from './account.ts'
import type { ProfileStore } from './profile.ts'
import { type Notice, readStoreFile, storePath } from './storeFile.ts'
import { EMPTY_CONTENTS, readContents, type StoreContents } from './storeShape.ts'

/**
 * Reads the profiles stored in this folder; none if there is no file. Too open permissions are fixed, with a notice.
 * Throws a UsageError that names a damaged or unreadable file or a symbolic link.
 */
export async function readProfiles(folder: string, notice: Notice = () => undefined): Promise<ProfileStore> {
  return readProfilesNow(folder, notice)
}

/** {@link readProfiles} for a transaction, which cannot wait. */
export function readProfilesNow(folder: string, notice: Notice = () => undefined): ProfileStore {
  const home = resolve(folder)
  try {
    return contentsOf(home, readStoreFile(home, notice)).store
  } catch (error) {
    throw systemFailure(error, (code) => t`Cannot read ${storePath(home)}: ${code}`, [])
  }
}

/** The names that `--profile` accepts, with their addresses: the built-in profile and those stored in this folder. */
export async function profileAddresses(folder: string): Promise<[name: string, baseUrl: string][]> {
  const { profiles } = await readProfiles(folder)
  const stored = [...profiles].map(([name, { baseUrl }]): [string, string] => [name, baseUrl])
  return [[LOCAL_PROFILE.name, LOCAL_PROFILE.baseUrl], ...stored]
}

/** Parses the file's text; undefined means no file. Throws UsageError if it is damaged. */
export function contentsOf(folder: string, text: string | undefined): StoreContents {
  if (text === undefined) return EMPTY_CONTENTS
  try {
    return readContents(text)
  } catch (error) {
    if (!(error instanceof Malformed)) throw error
    throw new UsageError(t`The file ${storePath(folder)} is damaged: ${error.message}`, { hint: error.hint })
  }
}

/** Turns a system error into a UsageError, whose sentence names its code; returns any other error unchanged. */
export function systemFailure(error: unknown, sentence: (code: string) => string, details: readonly string[]): unknown {
  const code = systemCode(error)
  if (code === undefined) return error
  return new UsageError(sentence(code), {
    details,
    hint:
      code === 'ENOSPC' || code === 'EDQUOT'
        ? t`Free some disk space, then try again`
        : t`Make sure that you own the folder and the file and can write to them, or set \`PIXGATE_CONFIG_DIR\` to another folder`,
  })
}
