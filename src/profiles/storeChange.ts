import { platform } from 'node:os'
import { resolve } from 'node:path'
import { withFolderLock } from '../locks/folderLock.ts'
import { makePrivateFolder } from '../locks/privateFolder.ts'
import { t } from '../text/words.ts'
import type { ProfileStore } from './profile.ts'
import { contentsOf, inWords } from './store.ts'
import { removeLeftovers, replaceStoreFile } from './storeFile.ts'
import { type Notice, readStoreFile, storePath } from './storeReading.ts'
import { readContents, storeDocument } from './storeShape.ts'

/** What makes a new store of the old one; whatever it throws leaves the old one. */
export type Change = (store: ProfileStore) => ProfileStore | Promise<ProfileStore>

/**
 * Changes the stored profiles while no other process does. Returns once the new store is on the disk; where it throws,
 * the old one is still there. Throws UsageError where the store is damaged or cannot be written, and what `change` throws.
 */
export async function changeProfiles(folder: string, change: Change, notice: Notice = () => undefined): Promise<void> {
  const home = resolve(folder)
  try {
    makePrivateFolder(home)
    await withFolderLock(home, 'profiles', platform(), () => rewrite(home, change, notice))
  } catch (error) {
    throw inWords(error, t`${storePath(home)} cannot be written`, [t`The profiles are stored as they were`])
  }
}

async function rewrite(folder: string, change: Change, notice: Notice): Promise<void> {
  const before = readStoreFile(folder, notice)
  await removeLeftovers(folder)
  const { store, unknown } = contentsOf(folder, before)
  const document = storeDocument(await change(store), unknown)
  const text = `${JSON.stringify(document, null, 2)}\n`
  // What could not be read again must not be written: it would lock the user out.
  readContents(text)
  if (text !== before) await replaceStoreFile(folder, { before, document, text }, notice)
}
