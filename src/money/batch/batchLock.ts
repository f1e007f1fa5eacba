import { hash } from 'node:crypto'
import { rename, rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { holdFolderLock, type Release } from '../../locks/folderLock.ts'
import { readTextOrNothing } from '../../locks/textFile.ts'
import { formatInstant, parseInstant } from '../../pix/calendar.ts'
import { t } from '../../text/words.ts'
import type { Owner, RunRecord } from '../../timeline/records.ts'
import { isObject, textField } from '../../wire/answers.ts'
import { isSystemError, UsageError } from '../../wire/errors.ts'
import { cannotKeep, runsFolder } from './runRows.ts'

/** Whoever holds the lock writes down at once who it is. */
const LOOKS = 25
const LOOK_AGAIN_MS = 20

/** Who works on a batch. */
export interface Holder {
  pid: number
  user: string
  machine: string
  /** RFC 3339, UTC. */
  since: string
}

/**
 * Keeps every other process of this machine away from the rows of a reference, until it is released or this process ends,
 * whatever ends it. Throws UsageError that names the holder where there is one, or where nothing can be written.
 */
export async function holdBatch(
  dataFolder: string,
  platform: NodeJS.Platform,
  batch: Pick<RunRecord, 'kind' | 'reference'> & Pick<Owner, 'baseUrl' | 'clientId'>,
  holder: Holder,
): Promise<Release> {
  const folder = runsFolder(dataFolder)
  const { kind, reference, baseUrl, clientId } = batch
  const name = `batch-${hash('sha256', JSON.stringify([kind, reference, baseUrl, clientId]), 'hex').slice(0, 16)}`
  const release = await holdFolderLock(folder, name, platform).catch((error: unknown) => {
    throw isSystemError(error) ? cannotKeep(folder, error.code) : error
  })
  const path = join(folder, `${name}.json`)
  if (release === undefined) throw heldBy(reference, await holderIn(path))
  try {
    // Another process reads the whole of it or nothing.
    await writeFile(`${path}.new`, JSON.stringify(holder), { mode: 0o600 })
    await rename(`${path}.new`, path)
  } catch (error) {
    await release()
    throw isSystemError(error) ? cannotKeep(folder, error.code) : error
  }
  return () => rm(path, { force: true }).finally(release)
}

/** Who holds the lock; undefined where that is not written within a moment. */
async function holderIn(path: string): Promise<Holder | undefined> {
  for (let looked = 0; looked < LOOKS; looked++) {
    const holder = readHolder(await readTextOrNothing(path))
    if (holder !== undefined) return holder
    await sleep(LOOK_AGAIN_MS)
  }
  return undefined
}

function readHolder(text: string): Holder | undefined {
  try {
    const value: unknown = JSON.parse(text)
    return isHolder(value) ? value : undefined
  } catch (error) {
    if (error instanceof SyntaxError) return undefined
    throw error
  }
}

function isHolder(value: unknown): value is Holder {
  return (
    isObject(value) &&
    typeof value.pid === 'number' &&
    ['user', 'machine', 'since'].every((name) => textField(value, name) !== null)
  )
}

function heldBy(reference: string, holder: Holder | undefined): UsageError {
  const by =
    holder === undefined
      ? []
      : [
          t`It is process ${holder.pid}, started by ${holder.user} on ${holder.machine}, at work since ${formatInstant(parseInstant(holder.since) ?? 0)}`,
        ]
  return new UsageError(t`Another process works on the batch ${reference}`, {
    details: [...by, t`Nothing was sent from here`],
    hint: t`Wait for it to end; \`pixgate batch list\` shows how far it is`,
  })
}
