import { platform } from 'node:os'
import { resolve } from 'node:path'
import { withFolderLock } from '../locks/folderLock.ts'
import { makePrivateFolder } from '../locks/privateFolder.ts'
import { t } from '../text/words.ts'
import type { ProfileStore } from './profile.ts'
import { type Notice, readStoreFile, storePath } from './readStoreFile.ts'
import { removeLeftovers, replaceStoreFile } from './replaceStoreFile.ts'
import { contentsOf, systemFailure } from './store.ts'
import { readContents, storeDocument } from './storeShape.ts'

/** Returns the new store for the current one. If it throws, nothing is changed. */
export type Change = (store: ProfileStore) => ProfileStore | Promise<ProfileStore>

/**
 * Changes the stored profiles under a lock. Returns once the new store is on the disk; if it throws,
 * nothing was changed. Throws UsageError if the store is damaged or cannot be written, and what `change` throws.
 */
export async function changeProfiles(folder: string, change: Change, notice: Notice = () => undefined): Promise<void> {
  const home = resolve(folder)
  try {
    makePrivateFolder(home)
    await withFolderLock(home, 'profiles', platform(), () => rewrite(home, change, notice))
  } catch (error) {
    throw systemFailure(error, t`Cannot write ${storePath(home)}`, [t`The profiles were not changed`])
  }
}

async function rewrite(folder: string, change: Change, notice: Notice): Promise<void> {
  const before = readStoreFile(folder, notice)
  await removeLeftovers(folder)
  const { store, unknown } = contentsOf(folder, before)
  const document = storeDocument(await change(store), unknown)
  const text = `${JSON.stringify(document, null, 2)}\n`
  // Never write a file that could not be read again, which would lock the user out.
  readContents(text)
  if (text !== before) await replaceStoreFile(folder, { before, document, text }, notice)
}
