import { join } from 'node:path'
import { t } from '../text/words.ts'
import { isSystemError, UsageError } from '../wire/errors.ts'
import { meantBy } from './ledgerCandidates.ts'
import { isMeant, type LedgerFilter } from './ledgerFilter.ts'
import { LedgerLines } from './ledgerLines.ts'
import { selectLines } from './lineSelection.ts'
import { TIMELINE_FILE } from './timelineFile.ts'
import { foldLedger, type Transaction } from './transactions.ts'

/** Where the ledger is, and who is told of what cannot be read of it. */
export interface ScanSurroundings {
  folder: string
  notice(line: string): void
}

/**
 * The transactions that a filter means, in the order of their intents: the same as reading and folding everything and
 * leaving out the others, but only their lines, and those that they depend on, are parsed. Damage is told like
 * `Timeline.read` does. Throws UsageError where the timeline cannot be read.
 */
export async function scanLedger({ folder, notice }: ScanSurroundings, filter: LedgerFilter): Promise<Transaction[]> {
  const path = join(folder, TIMELINE_FILE)
  const read = new LedgerLines(folder).read((timeline, journal) =>
    selectLines(timeline, journal, meantBy(filter, timeline), filter.state),
  )
  const { records, damage, eventDamage, isTorn } = await read.catch((error: unknown) => {
    throw cannotRead(path, error)
  })
  if (isTorn) notice(t`The last line of ${path} was not written whole and does not count`)
  for (const sentence of [...damage, ...eventDamage]) notice(sentence)
  return foldLedger(records).transactions.filter((each) => isMeant(each, filter))
}

function cannotRead(path: string, error: unknown): unknown {
  if (!isSystemError(error)) return error
  return new UsageError(t`What happened before cannot be read from ${path}: ${error.code}`, {
    hint: t`Make the folder and the file readable, or name another with \`PIXGATE_DATA_DIR\``,
  })
}
