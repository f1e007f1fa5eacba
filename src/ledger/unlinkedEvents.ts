import { reaisFromCents } from '../pix/amount.ts'
import type { Database } from '../storage/sqlite.ts'
import { RECORD_COLUMNS, readRecord } from './chain.ts'
import { canBeAbout, eventScope, findingFromEvent, isSameScope } from './eventMeaning.ts'
import { type PaymentState, stateRank } from './paymentState.ts'
import type { Payment } from './payments.ts'
import type { EventRecord, LedgerRecord } from './records.ts'

type Event = LedgerRecord<EventRecord>

/** A refund or transfer that was not sent from this machine, as far as events tell. */
export interface ExternalTransaction {
  kind: 'refund' | 'transfer'
  state: PaymentState
  /** The event that decides: the first of those that say most, else the last. */
  event: Event
}

/** The refund or transfer that events without a payment of this machine are about; undefined if there is none. */
export function externalTransaction(events: readonly Event[]): ExternalTransaction | undefined {
  const signed = events.filter(({ isSigned, subject }) => isSigned && (subject === 'refund' || subject === 'transfer'))
  const last = signed.at(-1)
  if (last === undefined) return undefined
  const found: ExternalTransaction = {
    kind: last.subject === 'refund' ? 'refund' : 'transfer',
    state: 'accepted',
    event: last,
  }
  for (const event of signed) {
    const meaning = event === last || isSameScope(event.owner, last.owner) ? findingFromEvent(event) : null
    if (meaning === null || stateRank(meaning) <= stateRank(found.state)) continue
    found.state = meaning
    found.event = event
  }
  return found
}

/** It as `status` shows it in JSON; amounts in reais. */
export function externalDocument({ kind, state, event }: ExternalTransaction): Record<string, unknown> {
  const { idTransaction, originalTransactionId, externalId, status, amountCents, owner } = event
  const amount = amountCents === null ? null : reaisFromCents(amountCents)
  return {
    idTransaction,
    ...(kind === 'refund' ? { originalTransactionId } : { externalId }),
    status,
    amount,
    pixgate: {
      profile: owner.profile,
      environment: owner.environment,
      baseUrl: owner.baseUrl,
      kind,
      name: externalId ?? idTransaction,
      payee: event.name,
      outcome: 'accepted',
      state,
      attempts: 0,
      errorCode: event.errorCode,
      errorMessage: event.errorMessage,
      knownBy: 'event',
      at: event.at,
      event: { n: event.n, event: event.event, status, amount, at: event.at },
      warnings: [],
    },
  }
}

/**
 * The events of the same amount that may be about a payment of which the gateway's id is not known, but need not be: only a person can
 * tell. Oldest first; none for a payment that is finished.
 */
export function possibleEvents(
  database: Database,
  { facts, owner, summary, first }: Payment,
): LedgerRecord<EventRecord>[] {
  const scope = eventScope(owner)
  const isOpen = summary.state === 'unknown' || summary.state === 'accepted'
  if (facts.amountCents === null || scope === null || !isOpen || summary.idTransaction !== null) return []
  return database
    .all(
      `SELECT ${RECORD_COLUMNS} FROM event JOIN record ON record.seq = event.seq
       WHERE event.payment IS NULL AND event.scope = ? AND event.amount_cents = ? AND event.received_ms >= ? ORDER BY event.n`,
      scope,
      facts.amountCents,
      Date.parse(first.at),
    )
    .map(readRecord)
    .filter((record): record is LedgerRecord<EventRecord> => record.type === 'event')
    .filter(
      ({ subject, externalId, originalTransactionId }) =>
        canBeAbout(subject, facts.kind) &&
        (facts.kind !== 'transfer' || externalId === null) &&
        (facts.kind !== 'refund' || originalTransactionId === facts.originalTransactionId),
    )
}
