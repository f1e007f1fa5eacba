import { constants } from 'node:fs'
import { mkdtemp, open, readdir, rename, rm } from 'node:fs/promises'
import { join } from 'node:path'
import { t } from '../text/words.ts'
import type { AnswerFields } from '../wire/answers.ts'
import { UsageError } from '../wire/errors.ts'
import { FILE_MODE, HAS_MODES, type Notice, readStoreFile, storePath, systemCode } from './storeReading.ts'

/** Folders in which a new file is made ready; one that is left over belongs to a process that was killed. */
const WORKSHOP = '.profiles-'

/**
 * Puts a document in the place of the file, whose text was `before`. conf writes it to a folder of its own beside it; only
 * what has been read back whole and is on the disk takes the name, in one step. So the file is always the old or the new
 * one, and it is the old one if this throws.
 */
export async function replaceStoreFile(
  folder: string,
  change: { before: string | undefined; document: AnswerFields; text: string },
  notice: Notice,
): Promise<void> {
  const workshop = await mkdtemp(join(folder, WORKSHOP))
  try {
    const fresh = await writeWithConf(workshop, change.document, change.text)
    await demandWhole(fresh, change.text)
    // The lock is the kernel's of one machine; a container or another machine that shares the folder is seen here.
    if (readStoreFile(folder, notice) !== change.before) throw changedMeanwhile(storePath(folder))
    await rename(fresh, storePath(folder))
    await syncFolder(folder, notice)
  } finally {
    await rm(workshop, { recursive: true, force: true }).catch(() => undefined)
  }
}

/** Removes what killed processes have left, because there are secrets in it. The caller holds the lock. */
export async function removeLeftovers(folder: string): Promise<void> {
  for (const name of await readdir(folder)) {
    if (name.startsWith(WORKSHOP)) await rm(join(folder, name), { recursive: true, force: true })
  }
}

async function writeWithConf(workshop: string, document: AnswerFields, text: string): Promise<string> {
  const { default: Conf } = await import('conf')
  const conf = new Conf({
    cwd: workshop,
    configName: 'profiles',
    configFileMode: FILE_MODE,
    accessPropertiesByDotNotation: false,
    serialize: () => text,
  })
  // Setting the store whole keeps every key; `set` drops some names and takes dots in others for nesting.
  conf.store = document
  return conf.path
}

/** conf does not notice a short write, so what it wrote is read back before it counts. */
async function demandWhole(path: string, text: string): Promise<void> {
  const file = await open(path, 'r+')
  try {
    const written = await file.readFile()
    if (!written.equals(Buffer.from(text))) {
      throw new UsageError(t`The profiles could be written only in part, as happens on a full disk`, {
        details: [t`They are stored as they were`],
        hint: t`Make room on the disk, then try again`,
      })
    }
    if (HAS_MODES) await file.chmod(FILE_MODE)
    await file.sync()
  } finally {
    await file.close()
  }
}

/** The new name must survive a crash too. */
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
    notice(t`The profiles are stored, but the disk has not confirmed it: ${systemCode(error) ?? String(error)}`)
  }
}

function changedMeanwhile(path: string): UsageError {
  return new UsageError(t`${path} was changed by somebody else at the same moment`, {
    details: [t`That change stands; yours was not made`],
    hint: t`Run the command again`,
  })
}
