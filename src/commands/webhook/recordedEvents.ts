import type { Context } from '../../context.ts'
import { durationOption } from '../../settings.ts'
import { t } from '../../text/words.ts'
import type { EventWishes } from '../../timeline/eventChoice.ts'
import type { JournalEvent } from '../../timeline/journal.ts'
import { isSameAccount } from '../../timeline/ownership.ts'
import { isSystemError, NotFound, UsageError } from '../../wire/errors.ts'
import { wholeNumber } from '../optionValues.ts'

/** Options that pick recorded events, as commander gives them. */
export interface TypedEventWishes {
  since?: string
  last?: string
  failed?: boolean
}

const LAST_MAX = 1_000_000_000

/**
 * The webhooks that this machine has recorded, oldest first; where the command line names an account, only that account's.
 * Throws UsageError where they cannot be read.
 */
export async function recordedEvents(context: Context): Promise<JournalEvent[]> {
  const account = await context.namedAccount()
  const events = await readAll(context)
  if (account === undefined) return events
  // What belongs to no account may be this one's.
  return events.filter(
    ({ record }) => record.clientId === null || isSameAccount(record, { ...account, baseUrl: account.url }),
  )
}

async function readAll(context: Context): Promise<JournalEvent[]> {
  const journal = await context.journal()
  try {
    return await journal.events()
  } catch (error) {
    if (!isSystemError(error)) throw error
    throw new UsageError(t`The events that arrived cannot be read in ${context.dataFolder()}: ${error.code}`, {
      hint: t`Make the folder and its files readable, or name another with \`PIXGATE_DATA_DIR\``,
    })
  }
}

/** Reads the options that pick recorded events. Throws UsageError. */
export function readEventWishes({ now }: Context, { since, last, failed }: TypedEventWishes): EventWishes {
  return {
    sinceMs: since === undefined ? null : now() - durationOption(since, '--since'),
    last: last === undefined ? null : wholeNumber(last, '--last', 1, LAST_MAX),
    failed: failed === true,
  }
}

/** The failure of naming an event that was not recorded. */
export function noSuchEvent(name: string): NotFound {
  return new NotFound(t`No event \`${name}\` was recorded on this machine`, {
    outcome: 'not-sent',
    hint: t`\`pixgate webhook events\` lists the numbers and ids of those that were`,
  })
}
