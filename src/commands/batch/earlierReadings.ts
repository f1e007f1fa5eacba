import { type EarlierReading, earlierReading } from '../../batch/earlierReading.ts'
import type { Context } from '../../context.ts'
import { runsOfAccount } from '../../ledger/runs.ts'
import { formatInstant, parseInstant } from '../../pix/calendar.ts'
import type { Account } from '../../profiles/account.ts'
import { t } from '../../text/translate.ts'

/** As many of the newest batches are considered. */
const RUNS_MAX = 100
/** `22/10`. */
const DAY_CHARACTERS = 5

/** How the columns of the files that an account sent before were read, newest first. */
export async function earlierReadings(
  context: Context,
  account: Account,
  kind: 'transfer' | 'refund',
): Promise<EarlierReading[]> {
  const ledger = await context.ledger()
  return ledger.read((database) => runsOfAccount(database, account, kind).slice(0, RUNS_MAX).map(earlierReading))
}

/** Asks whether a file is to be read like an earlier one. Only a person can say so: false if none is there, or has answered in advance. */
export async function acceptReading({ terminal, settings }: Context, earlier: EarlierReading): Promise<boolean> {
  if (!terminal.canAsk || settings.yes || settings.confirm !== undefined) return false
  const { file, run, confirmedAt, map, ignored } = earlier
  const read = Object.entries(map).map(([field, column]) => t`\`${column}\` is ${field}`)
  const unused = ignored.map((column) => t`\`${column}\` is not used`)
  terminal.say(t`Its headings are those of an earlier file, in which ${[...read, ...unused].join(', ')}`)
  const day = formatInstant(parseInstant(confirmedAt) ?? 0).slice(0, DAY_CHARACTERS)
  return terminal.confirm(
    file === null
      ? t`Read the columns as in the run ${run} of ${day}?`
      : t`Read the columns as in \`${file}\` of ${day}?`,
  )
}
