import type { AccountKey } from '../../ledger/accounts.ts'
import type { Ledger } from '../../ledger/ledger.ts'
import { concludeEndedSenders, isAnySending } from '../../ledger/processes.ts'
import { addBrought, recordsToBring } from '../../ledger/team/broughtRecords.ts'
import { t } from '../../text/translate.ts'
import { UsageError } from '../../wire/errors.ts'

/** How far one ledger has taken over the records of another. */
interface TakenOver {
  records: number
  /** The number of the last record that was looked at. */
  lastSeq: number
}

/**
 * Adds the records of an account in one ledger to another, from a number on. What was added before is left out, so it may be repeated after a crash. Throws
 * UsageError while a payment of the account is being sent.
 */
export async function takeOver(from: Ledger, to: Ledger, account: AccountKey, afterSeq: number): Promise<TakenOver> {
  await assertNothingIsBeingSent(from)
  const taken: TakenOver = { records: 0, lastSeq: afterSeq }
  for (;;) {
    const page = await from.read((database) => recordsToBring(database, account, taken.lastSeq))
    if (page.lastSeq === null) return taken
    if (page.records.length > 0) {
      taken.records += await to.write((writer) => {
        addBrought(writer, page.records)
        return writer.appended.length
      })
    }
    taken.lastSeq = page.lastSeq
  }
}

/** The other ledger could not tell who is sending. */
async function assertNothingIsBeingSent(ledger: Ledger): Promise<void> {
  const sender = await ledger.sender()
  const { folder } = ledger.environment
  const isSent = await ledger.write((writer) => {
    concludeEndedSenders(writer, sender, folder)
    return isAnySending(writer.database)
  })
  if (!isSent) return
  throw new UsageError(t`A payment is being sent from the ledger at this moment`, {
    details: [t`Nothing was changed`],
    hint: t`Wait until it has ended, then run the command again`,
  })
}
