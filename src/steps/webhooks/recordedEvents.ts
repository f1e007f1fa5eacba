import type { Context } from '../../context.ts'
import { type EventQuery, type EventWithForwards, findEvents, queryEvents } from '../../ledger/events.ts'
import { eventScope, isSameScope } from '../../ledger/paymentState.ts'
import type { Account } from '../../profiles/account.ts'
import { t } from '../../text/translate.ts'
import { NotFound } from '../../wire/errors.ts'

/** Which recorded events are meant. */
export interface RecordedEventQuery {
  /** Those that arrived within this time, in ms. */
  since?: number
  /** This many of the newest. */
  last?: number
  failed?: boolean
}

/**
 * The recorded webhooks that the options select, oldest first; only those of one account if the command line names it. Throws UsageError
 * if an option or the ledger is wrong.
 */
export async function queryRecordedEvents(
  context: Context,
  { since, last, failed = false }: RecordedEventQuery,
): Promise<EventWithForwards[]> {
  const account = await context.namedAccount()
  const query: EventQuery = {
    sinceMs: since === undefined ? null : context.now() - since,
    last: last ?? null,
    failed,
    scope: account === undefined ? null : eventScope(ownerOf(account)),
  }
  return context.read((database) => queryEvents(database, query))
}

/** The event with a number, or all that name an id, oldest first. Throws NotFound if there is none. */
export async function findRecordedEvents(context: Context, name: string): Promise<EventWithForwards[]> {
  const account = await context.namedAccount()
  const found = (await context.read((database) => findEvents(database, name))).filter(
    ({ record }) =>
      account === undefined || record.owner.clientId === null || isSameScope(record.owner, ownerOf(account)),
  )
  if (found.length > 0) return found
  throw new NotFound(t`No event \`${name}\` is recorded`, {
    outcome: 'not-sent',
    hint: t`Run \`pixgate webhook events\` to list the numbers and ids of recorded events`,
  })
}

function ownerOf({ environment, url, clientId }: Account) {
  return { environment, baseUrl: url, clientId }
}
