import { platform } from 'node:os'
import { resolve } from 'node:path'
import { withFolderLock } from '../locks/folderLock.ts'
import { makePrivateFolder } from '../locks/privateFolder.ts'
import { Malformed } from '../pix/malformed.ts'
import { t } from '../text/words.ts'
import { UsageError } from '../wire/errors.ts'
import type { ProfileStore } from './profile.ts'
import { type Notice, readStoreFile, removeLeftovers, replaceStoreFile, storePath, systemCode } from './storeFile.ts'
import { EMPTY_CONTENTS, readContents, type StoreContents, storeDocument } from './storeShape.ts'

/** What makes a new store of the old one; whatever it throws leaves the old one. */
export type Change = (store: ProfileStore) => ProfileStore | Promise<ProfileStore>

/**
 * The profiles stored in this folder; none where there is no file. Modes that let others in are mended, with a notice.
 * Throws UsageError that names a damaged file, a link, or what cannot be read; nothing is replaced then.
 */
export async function readProfiles(folder: string, notice: Notice = () => undefined): Promise<ProfileStore> {
  const home = resolve(folder)
  try {
    return contentsOf(home, await readStoreFile(home, notice)).store
  } catch (error) {
    throw inWords(error, t`${storePath(home)} cannot be read`, [])
  }
}

/**
 * Changes the stored profiles while no other process does. Returns once the new store is on the disk; where it throws,
 * the old one is still there. Throws UsageError where the store is damaged or cannot be written, and what `change` throws.
 */
export async function changeProfiles(folder: string, change: Change, notice: Notice = () => undefined): Promise<void> {
  const home = resolve(folder)
  try {
    await makePrivateFolder(home)
    await withFolderLock(home, 'profiles', platform(), () => rewrite(home, change, notice))
  } catch (error) {
    throw inWords(error, t`${storePath(home)} cannot be written`, [t`The profiles are stored as they were`])
  }
}

async function rewrite(folder: string, change: Change, notice: Notice): Promise<void> {
  const before = await readStoreFile(folder, notice)
  await removeLeftovers(folder)
  const { store, unknown } = contentsOf(folder, before)
  const document = storeDocument(await change(store), unknown)
  const text = `${JSON.stringify(document, null, 2)}\n`
  // What could not be read again must not be written: it would lock the user out.
  readContents(text)
  if (text !== before) await replaceStoreFile(folder, { before, document, text }, notice)
}

function contentsOf(folder: string, text: string | undefined): StoreContents {
  if (text === undefined) return EMPTY_CONTENTS
  try {
    return readContents(text)
  } catch (error) {
    if (!(error instanceof Malformed)) throw error
    throw new UsageError(t`The file ${storePath(folder)} is damaged: ${error.message}`, { hint: error.hint })
  }
}

/** A failure of the system in words; every other one as it is. */
function inWords(error: unknown, sentence: string, details: readonly string[]): unknown {
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
