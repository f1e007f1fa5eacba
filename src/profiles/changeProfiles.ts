import { readdirSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs'
import { basename, dirname, join, resolve } from 'node:path'
import type Conf from 'conf'
import type { Options } from 'conf'
import { withFileLock } from '../storage/fileLock.ts'
import { makePrivateFolder, syncFolder } from '../storage/privateFolder.ts'
import { sqliteCode } from '../storage/sqlite.ts'
import { systemTrouble } from '../storage/systemTrouble.ts'
import { t } from '../text/translate.ts'
import type { AnswerFields } from '../wire/answers.ts'
import { isSystemError, UsageError } from '../wire/errors.ts'
import { type ProfileStore, storePath } from './profile.ts'
import { FILE_MODE, isStore, type Notice, parseStore, readStoreFile, STORE_VERSION, systemFailure } from './store.ts'

const LOCK_FILE = 'profiles.lock'
/** What conf puts behind the name of the file that it writes and then renames. */
const TEMPORARY = '.tmp-'
const WAIT_MS = 15_000

/** What gives the parts of a store that change; whatever it throws leaves the old one. */
type ProfileStoreChange = (store: ProfileStore) => Partial<ProfileStore> | Promise<Partial<ProfileStore>>

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
    await withFileLock(join(home, LOCK_FILE), WAIT_MS, () => rewrite(home, change, notice))
  } catch (error) {
    if (isSystemError(error) && error.code === 'ETIMEDOUT') throw storeBusyFailure(home)
    if (sqliteCode(error) !== null) throw cannotLock(home, error)
    throw systemFailure(error, home, (reason) => t`${storePath(home)} cannot be written: ${reason}`, [
      t`The profiles are stored as they were`,
    ])
  }
}

/** How conf holds the profiles: for their owner alone, a key with a dot is a key, and what it cannot read stays as it is. */
export function confOptions(folder: string): Options<AnswerFields> {
  return {
    cwd: folder,
    configName: basename(storePath(folder), '.json'),
    configFileMode: FILE_MODE,
    accessPropertiesByDotNotation: false,
    clearInvalidConfig: false,
    rootSchema: { isValid: isStore },
    ajvOptions: {
      keywords: [{ keyword: 'isValid', compile: (isValid) => isValid }],
      // It is compiled for one write: what ajv would do for many takes longer than all the rest.
      validateSchema: false,
      code: { optimize: false },
    },
    serialize,
  }
}

async function rewrite(folder: string, change: ProfileStoreChange, notice: Notice): Promise<void> {
  const before = readStoreFile(folder, notice)
  const store = parseStore(folder, before)
  const { active, profiles, ledgers = [], lang } = { ...store, ...(await change(store)) }
  const { default: Store } = await import('conf')
  // The lock only works on one machine; this detects changes by a container or machine that shares the folder.
  if (readStoreFile(folder, notice) !== before) throw changedMeanwhile(storePath(folder))
  const conf = new Store(confOptions(folder))
  // The whole store at once: `set` writes once for each key that is added, and once more for each that goes.
  const next = {
    ...conf.store,
    version: STORE_VERSION,
    active,
    profiles: Object.fromEntries(profiles),
    ledgers: ledgers.length === 0 ? undefined : ledgers,
    lang,
  }
  if (serialize(next) !== before) keepingOld(folder, before, () => writeWhole(conf, next))
}

/** Has conf write the file. Throws UsageError if only a part was written, which conf does not notice, and the system's error. */
function writeWhole(conf: Conf<AnswerFields>, store: AnswerFields): void {
  const { SNAP } = process.env
  // Where it is set, as in the terminal of an editor installed as a snap, conf does not write atomically.
  delete process.env.SNAP
  try {
    conf.store = store
  } finally {
    if (SNAP !== undefined) process.env.SNAP = SNAP
  }
  if (readFileSync(conf.path, 'utf8') !== serialize(store)) {
    throw new UsageError(t`The profiles were only partially written; the disk may be full`, {
      details: [t`The profiles were not changed`],
      hint: t`Free some disk space, then run the command again`,
    })
  }
  syncFolder(dirname(conf.path))
}

/**
 * Keeps a copy of the file until the work is done, and puts it back if that throws. It also outlives a process that is killed while conf
 * writes into the file itself, which conf does where the file cannot be renamed (EXDEV).
 */
function keepingOld(folder: string, before: string | undefined, work: () => void): void {
  const path = storePath(folder)
  const kept = `${path}${TEMPORARY}before`
  let putBack = () => undefined
  try {
    if (before !== undefined) writeFileSync(kept, before, { mode: FILE_MODE, flush: true })
    putBack = () => void (before === undefined ? rmSync(path, { force: true }) : renameSync(kept, path))
    work()
    removeTemporaryFiles(folder)
  } catch (error) {
    putBack()
    removeTemporaryFiles(folder)
    throw error
  }
}

/** Removes the copy, and what processes that were killed while they wrote have left: it contains secrets. The caller holds the lock. */
function removeTemporaryFiles(folder: string): void {
  const prefix = `${basename(storePath(folder))}${TEMPORARY}`
  for (const name of readdirSync(folder)) {
    if (name.startsWith(prefix)) rmSync(join(folder, name), { force: true })
  }
}

function serialize(store: AnswerFields): string {
  return `${JSON.stringify(store, null, 2)}\n`
}

function changedMeanwhile(path: string): UsageError {
  return new UsageError(t`${path} was changed by another process at the same time`, {
    details: [t`That change was kept; yours was not made`],
    hint: t`Run the command again`,
  })
}

function storeBusyFailure(folder: string): UsageError {
  return new UsageError(t`Another pixgate has been changing the profiles in ${folder} for ${WAIT_MS / 1000} seconds`, {
    details: [t`Nothing was changed`],
    hint: t`Wait for it to finish, then try again; if it hangs, end it first`,
  })
}

function cannotLock(folder: string, error: unknown): UsageError {
  const { reason, hint } = systemTrouble(error, folder, 'PIXGATE_CONFIG_DIR')
  return new UsageError(t`\`${join(folder, LOCK_FILE)}\` cannot be used: ${reason}`, {
    details: [t`The profiles are stored as they were`],
    hint,
  })
}
