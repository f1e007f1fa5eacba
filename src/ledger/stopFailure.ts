import { formatInstant, parseInstant } from '../pix/calendar.ts'
import type { Database } from '../storage/sqlite.ts'
import { t } from '../text/translate.ts'
import { UsageError } from '../wire/errors.ts'
import type { LedgerEnvironment } from './environment.ts'
import type { LedgerRecord } from './records.ts'
import { stopInForce, wasHeardSince } from './stop.ts'
import type { LedgerStoppedRecord } from './stopRecords.ts'

/**
 * Checks that nobody has stopped the ledger. To be called in the transaction of whatever moves money, settles or imports. Throws the
 * {@link stopFailure}.
 */
export function assertNotStopped(database: Database, environment: LedgerEnvironment): void {
  const failure = stopFailure(database, environment)
  if (failure !== null) throw failure
}

/** The failure, with code `LEDGER_OLDER`, of what a stopped ledger does not allow; null if it is not stopped. */
export function stopFailure(database: Database, { sharedAt, user, machine }: LedgerEnvironment): UsageError | null {
  const stop = stopInForce(database)
  if (stop === null) return null
  const isHeard = wasHeardSince(database, stop, { login: user, machine })
  const ending = endingCommand(sharedAt ?? '', stop)
  return new UsageError(t`The shared ledger is stopped, so nothing was sent`, {
    code: 'LEDGER_OLDER',
    details: [
      stopSentence(stop),
      t`A payment that is missing there could be made twice`,
      ...(isHeard ? [t`This machine has handed over what it had`] : []),
    ],
    hint: isHeard
      ? t`Run \`pixgate ledger repair\` on every other machine; then the owner of the database runs \`${ending}\``
      : t`Run \`pixgate ledger repair\` here and on every other machine; then the owner of the database runs \`${ending}\``,
  })
}

/** Who stopped the ledger, where and why. */
export function stopSentence({ user, machine, at, lacksRecords }: LedgerRecord<LedgerStoppedRecord>): string {
  const time = formatInstant(parseInstant(at) ?? 0)
  return lacksRecords
    ? t`${user} on ${machine} found on ${time} that the database lacks records`
    : t`${user} on ${machine} found on ${time} that the database was restored or replaced`
}

/** The command with which the owner of a ledger ends a stop. */
function endingCommand(address: string, { tableOwner }: LedgerStoppedRecord): string {
  return `pixgate ledger repair ${address.replace(/\/\/[^@]*@/, `//${encodeURIComponent(tableOwner)}@`)}`
}
