import { join, resolve } from 'node:path'
import { withFileLock } from '../storage/fileLock.ts'
import { createPrivateFile, makePrivateFolder } from '../storage/privateFolder.ts'
import { sqliteCode } from '../storage/sqlite.ts'
import { t } from '../text/translate.ts'
import { isSystemError, UsageError } from '../wire/errors.ts'
import type { ProfileStore } from './profile.ts'
import { removeLeftovers, replaceStoreFile } from './replaceStoreFile.ts'
import { contentsOf, systemFailure } from './store.ts'
import { type Notice, readStoreFile, storePath } from './storeFile.ts'
import { readContents, storeDocument } from './storeShape.ts'

const LOCK_FILE = 'profiles.lock'
const SQLITE_FULL = 13
const WAIT_MS = 15_000

/** What gives the parts of a store that change; whatever it throws leaves the old one. */
export type ProfileStoreChange = (store: ProfileStore) => Partial<ProfileStore> | Promise<Partial<ProfileStore>>

/**
 * Changes the stored profiles under a lock. Returns once the new store is on the disk; if it throws,
 * nothing was changed. Throws UsageError if the store is damaged or cannot be written, and what `change` throws.
 */
export async function changeProfiles(
  folder: string,
  change: ProfileStoreChange,
  notice: Notice = () => undefined,
): Promise<void> {
  const home = resolve(folder)
  try {
    makePrivateFolder(home)
    const lock = join(home, LOCK_FILE)
    createPrivateFile(lock)
    await withFileLock(lock, WAIT_MS, () => rewrite(home, change, notice))
  } catch (error) {
    if (isSystemError(error) && error.code === 'ETIMEDOUT') throw storeBusyFailure(home)
    if (sqliteCode(error) !== null) throw cannotLock(home, error)
    throw systemFailure(error, (code) => t`${storePath(home)} cannot be written: ${code}`, [
      t`The profiles are stored as they were`,
    ])
  }
}

async function rewrite(folder: string, change: ProfileStoreChange, notice: Notice): Promise<void> {
  const before = readStoreFile(folder, notice)
  await removeLeftovers(folder)
  const { store, unknown } = contentsOf(folder, before)
  const document = storeDocument({ ...store, ...(await change(store)) }, unknown)
  const text = `${JSON.stringify(document, null, 2)}\n`
  // Never write a file that could not be read again, which would lock the user out.
  readContents(text)
  if (text !== before) await replaceStoreFile(folder, { before, document, text }, notice)
}

function storeBusyFailure(folder: string): UsageError {
  return new UsageError(t`Another pixgate has been changing the profiles in ${folder} for ${WAIT_MS / 1000} seconds`, {
    details: [t`Nothing was changed`],
    hint: t`Wait for it to finish, then try again; if it hangs, end it first`,
  })
}

function cannotLock(folder: string, error: unknown): UsageError {
  const reason = error instanceof Error ? error.message : String(error)
  return new UsageError(t`\`${join(folder, LOCK_FILE)}\` cannot be used: ${reason}`, {
    details: [t`The profiles are stored as they were`],
    hint:
      sqliteCode(error) === SQLITE_FULL
        ? t`Free some disk space, then try again`
        : t`Make sure that you own the folder and can write to it, or set \`PIXGATE_CONFIG_DIR\` to another folder`,
  })
}
