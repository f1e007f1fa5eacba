import { open, readdir, rm } from 'node:fs/promises'
import { platform } from 'node:os'
import { join } from 'node:path'
import type { Context } from '../../context.ts'
import { holdFolderLock, removeLockFile } from '../../locks/folderLock.ts'
import { makePrivateFolder } from '../../locks/privateFolder.ts'
import { runsFolder } from '../../money/batch/runRows.ts'
import { inputChunks } from '../../terminal/inputFile.ts'
import { t } from '../../text/words.ts'
import { isSystemError, UsageError } from '../../wire/errors.ts'

/** A file that can be read several times. */
export interface Spooled {
  path: string
  /** Removes what was made for it. */
  close(): Promise<void>
}

const INPUT = /^(input-.+)\.csv$/

/**
 * A file as it is, and standard input as a private file that is removed; it is kept below the data folder. Throws UsageError
 * where it cannot be kept.
 */
export async function spooled(context: Context, path: string, dataFolder?: string): Promise<Spooled> {
  if (path !== '-') return { path, close: async () => undefined }
  const folder = runsFolder(dataFolder ?? context.dataFolder())
  const name = `input-${context.newId()}`
  const kept = join(folder, `${name}.csv`)
  let release = async () => {}
  const close = async () => {
    await rm(kept, { force: true })
    await removeLockFile(folder, name)
    await release()
  }
  try {
    makePrivateFolder(folder)
    await removeAbandoned(folder)
    release = (await holdFolderLock(folder, name, platform())) ?? release
    const file = await open(kept, 'wx', 0o600)
    try {
      for await (const chunk of inputChunks(context.world.stdin, 'batchFile')) await file.writeFile(chunk)
    } finally {
      await file.close()
    }
    return { path: kept, close }
  } catch (error) {
    await close()
    if (!isSystemError(error)) throw error
    throw new UsageError(t`Standard input cannot be kept in ${folder}: ${error.code}`, {
      details: [t`Nothing was sent`],
      hint: t`Make room on the disk and the folder writable, or name the file instead of \`-\``,
    })
  }
}

/** Removes what processes have left behind that were killed: nobody holds its lock any more. */
async function removeAbandoned(folder: string): Promise<void> {
  for (const entry of await readdir(folder)) {
    const name = INPUT.exec(entry)?.[1]
    const release = name === undefined ? undefined : await holdFolderLock(folder, name, platform())
    if (release === undefined) continue
    await rm(join(folder, entry), { force: true })
    if (name !== undefined) await removeLockFile(folder, name)
    await release()
  }
}
