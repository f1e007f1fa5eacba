import { appendFileSync, mkdirSync } from 'node:fs'
import { join } from 'node:path'
import { logLine } from '../../src/timeline/logFile.ts'
import type { EventRecord, TimelineEntry, TransferIntent } from '../../src/timeline/records.ts'
import { at, outcome, transfer } from '../timeline/ledger.ts'
import type { World } from '../world.ts'

/** What a transfer in a written ledger has of its own, and who asked for it. */
interface Written extends Partial<TransferIntent> {
  externalId: string
  user?: string
  /** RFC 3339, UTC. */
  at: string
}

/** Appends records as this world's machine would have. */
export function writeLedger(world: World, records: readonly object[], file = 'timeline.log'): void {
  const folder = join(world.home, 'data')
  mkdirSync(folder, { recursive: true, mode: 0o700 })
  appendFileSync(join(folder, file), records.map((record) => logLine(JSON.stringify(record))).join(''), { mode: 0o600 })
}

/** A transfer and its answer, which has the id `id-` and the externalId. */
export function accepted({ externalId, user = 'maria', at: when, ...own }: Written): object[] {
  const id = `intent-${externalId}`
  const answer = outcome(id, { idTransaction: `id-${externalId}`, status: 'PROCESSING' })
  return [
    stamped(when, user, transfer({ externalId, ...own }), id),
    stamped(when, user, answer, `answer-${externalId}`),
  ]
}

/** A record of this time and user. */
export function stamped<Entry extends TimelineEntry | EventRecord>(
  when: string,
  user: string,
  entry: Entry,
  id: string,
) {
  return { ...at(0, entry, id), at: when, user }
}
