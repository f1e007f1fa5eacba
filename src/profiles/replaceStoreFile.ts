import { constants } from 'node:fs'
import { mkdtemp, open, readdir, rename, rm } from 'node:fs/promises'
import { join } from 'node:path'
import { t } from '../text/translate.ts'
import type { AnswerFields } from '../wire/answers.ts'
import { systemCode, UsageError } from '../wire/errors.ts'
import { FILE_MODE, HAS_MODES, type Notice, readStoreFile, storePath } from './storeFile.ts'

/** Prefix of temporary folders for a new file. A leftover one belongs to a process that was killed. */
const TEMP_PREFIX = '.profiles-'

/**
 * Replaces the file, whose text was `before`, atomically. conf writes the document to a temporary folder; it is read back,
 * synced and then renamed. The file is therefore always either the old or the new one, and the old one if this throws.
 */
export async function replaceStoreFile(
  folder: string,
  change: { before: string | undefined; document: AnswerFields; text: string },
  notice: Notice,
): Promise<void> {
  const tempFolder = await mkdtemp(join(folder, TEMP_PREFIX))
  try {
    const fresh = await writeWithConf(tempFolder, change.document, change.text)
    await verifyWritten(fresh, change.text)
    // The lock only works on one machine; this detects changes by a container or machine that shares the folder.
    if (readStoreFile(folder, notice) !== change.before) throw changedMeanwhile(storePath(folder))
    await rename(fresh, storePath(folder))
    await syncFolder(folder, notice)
  } finally {
    await rm(tempFolder, { recursive: true, force: true }).catch(() => undefined)
  }
}

/** Removes temporary folders of killed processes, which contain secrets. The caller holds the lock. */
export async function removeLeftovers(folder: string): Promise<void> {
  for (const name of await readdir(folder)) {
    if (name.startsWith(TEMP_PREFIX)) await rm(join(folder, name), { recursive: true, force: true })
  }
}

async function writeWithConf(tempFolder: string, document: AnswerFields, text: string): Promise<string> {
  const { default: Conf } = await import('conf')
  const conf = new Conf({
    cwd: tempFolder,
    configName: 'profiles',
    configFileMode: FILE_MODE,
    accessPropertiesByDotNotation: false,
    serialize: () => text,
  })
  // Assigning the whole store keeps every key; `set` drops some names and treats dots as nesting.
  conf.store = document
  return conf.path
}

/** Reads the file back, because conf does not detect a partial write, and syncs it to disk. */
async function verifyWritten(path: string, text: string): Promise<void> {
  const file = await open(path, 'r+')
  try {
    const written = await file.readFile()
    if (!written.equals(Buffer.from(text))) {
      throw new UsageError(t`The profiles were only partially written; the disk may be full`, {
        details: [t`The profiles were not changed`],
        hint: t`Free some disk space, then try again`,
      })
    }
    if (HAS_MODES) await file.chmod(FILE_MODE)
    await file.sync()
  } finally {
    await file.close()
  }
}

/** Syncs the folder, so that the rename survives a crash. */
async function syncFolder(folder: string, notice: Notice): Promise<void> {
  if (!HAS_MODES) return
  try {
    const handle = await open(folder, constants.O_RDONLY | constants.O_DIRECTORY)
    try {
      await handle.sync()
    } finally {
      await handle.close()
    }
  } catch (error) {
    notice(
      t`The profiles are stored, but may be lost in a crash, because the folder could not be synced: ${systemCode(error) ?? String(error)}`,
    )
  }
}

function changedMeanwhile(path: string): UsageError {
  return new UsageError(t`${path} was changed by another process at the same time`, {
    details: [t`That change was kept; yours was not made`],
    hint: t`Run the command again`,
  })
}
