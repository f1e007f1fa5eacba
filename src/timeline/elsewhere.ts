import { reaisFromCents } from '../pix/amount.ts'
import { isFurther, meaningOf } from './eventMoves.ts'
import type { EventRecord, TimelineRecord } from './records.ts'
import type { TransactionState } from './transactions.ts'

type Event = TimelineRecord<EventRecord>

/** A refund or transfer that was not asked for from this machine, as far as events tell. */
export interface Elsewhere {
  kind: 'refund' | 'transfer'
  state: TransactionState
  /** The event that decides: the first of those that tell most, else the last. */
  event: Event
}

/** The refund or transfer that an id names in events of no transaction of this machine; undefined where it names none. */
export function findElsewhere(unlinked: readonly Event[], id: string): Elsewhere | undefined {
  const named = unlinked.filter(
    (event) => event.isSigned && isTold(event) && (event.idTransaction === id || event.externalId === id),
  )
  const last = named.at(-1)
  if (last === undefined) return undefined
  const own = named.filter(({ baseUrl, clientId }) => baseUrl === last.baseUrl && clientId === last.clientId)
  const kind = last.subject === 'refund' ? 'refund' : 'transfer'
  const found: Elsewhere = { kind, state: 'accepted', event: last }
  for (const event of own) {
    const meaning = meaningOf(event)
    if (meaning !== null && isFurther(meaning, found.state)) Object.assign(found, { state: meaning, event })
  }
  return found
}

/** It as `status` shows it in JSON; amounts in reais. */
export function elsewhereDocument({ kind, state, event }: Elsewhere): Record<string, unknown> {
  const { idTransaction, originalTransactionId, externalId, status, amountCents, profile, environment, baseUrl } = event
  const amount = amountCents === null ? null : reaisFromCents(amountCents)
  return {
    idTransaction,
    ...(kind === 'refund' ? { originalTransactionId } : { externalId }),
    status,
    amount,
    pixgate: {
      profile,
      environment,
      baseUrl,
      kind,
      name: externalId ?? idTransaction,
      outcome: 'accepted',
      state,
      knownBy: 'event',
      at: event.at,
      event: { n: event.n, event: event.event, status, amount, at: event.at },
      warnings: [],
    },
  }
}

/** The service has a query for payments alone. */
function isTold({ subject }: Event): boolean {
  return subject === 'refund' || subject === 'transfer'
}
