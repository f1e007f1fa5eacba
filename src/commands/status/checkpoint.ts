import { createHash } from 'node:crypto'
import { appendFile, readdir, readFile, rm, stat } from 'node:fs/promises'
import { join } from 'node:path'
import type { Account } from '../../profiles/account.ts'
import { makePrivateFolder } from '../../storage/privateFolder.ts'
import { type AnswerFields, isObject, readObject } from '../../wire/answers.ts'
import { isSystemError } from '../../wire/errors.ts'

/** How long the answers of an interrupted run are used. */
const ANSWERS_MS = 60 * 60_000
const FOLDER = 'checks'

/** What the gateway answered to one query, and when, in ms since the epoch. */
interface KeptAnswer {
  atMs: number
  fields: AnswerFields
}

/** The answers of a long check, kept until it is complete, so that an interrupted check can be continued. */
export interface Checkpoint {
  /** How many answers there are from a run that did not end. */
  readonly size: number
  answerTo(idTransaction: string): KeptAnswer | undefined
  /** Does nothing if the file cannot be written, because the check does not depend on it. */
  keep(idTransaction: string, fields: AnswerFields): Promise<void>
  /** Forgets all answers, once nothing is left to ask. */
  drop(): Promise<void>
}

/** The answers for these bytes, the file of a check, and this account; without those of earlier runs if `isFresh`. */
export async function openCheckpoint(
  dataFolder: string,
  file: Uint8Array,
  { url, clientId }: Pick<Account, 'url' | 'clientId'>,
  now: () => number,
  isFresh: boolean,
): Promise<Checkpoint> {
  const folder = join(dataFolder, FOLDER)
  const digest = createHash('sha256')
    .update(JSON.stringify([url, clientId]))
    .update(file)
    .digest('hex')
    .slice(0, 32)
  const path = join(folder, `${digest}.log`)
  await dropOld(folder, now())
  if (isFresh) await rm(path, { force: true }).catch(nothingThere)
  const answers = new Map<string, KeptAnswer>()
  for (const line of (await readFile(path, 'utf8').catch(nothingKept)).split('\n')) {
    // A process that was killed may have left half a line.
    const value = readObject(line)
    if (value === undefined || !isObject(value.fields) || typeof value.atMs !== 'number') continue
    if (now() - value.atMs >= ANSWERS_MS) continue
    answers.set(String(value.id), { atMs: value.atMs, fields: value.fields })
  }
  let canWrite = true
  return {
    size: answers.size,
    answerTo: (idTransaction) => answers.get(idTransaction),
    async keep(idTransaction, fields) {
      if (!canWrite) return
      try {
        makePrivateFolder(folder)
        await appendFile(path, `${JSON.stringify({ atMs: now(), id: idTransaction, fields })}\n`, { mode: 0o600 })
      } catch (error) {
        if (!isSystemError(error)) throw error
        canWrite = false
      }
    },
    async drop() {
      await rm(path, { force: true }).catch(nothingThere)
    },
  }
}

async function dropOld(folder: string, nowMs: number): Promise<void> {
  for (const name of await readdir(folder).catch(nothingThere)) {
    const path = join(folder, name)
    const found = await stat(path).catch(nothingThere)
    if ('mtimeMs' in found && nowMs - found.mtimeMs > ANSWERS_MS) await rm(path, { force: true })
  }
}

/** Another run may have removed it in the meantime, and none of it is needed. */
function nothingThere(error: unknown): [] {
  if (isSystemError(error)) return []
  throw error
}

/** What cannot be read is asked again. */
function nothingKept(error: unknown): string {
  return String(nothingThere(error))
}
