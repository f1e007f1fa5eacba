import type { EventRecord, ForwardRecord, LedgerRecord, RunRecord } from '../records.ts'
import type { ExpectedRow } from './paymentRows.ts'
import { deliveryText, ownerText, scopeOf, sha256 } from './spelling.ts'

/** The row of an event, except for its payment: which one that is depends on the order in which things were written. */
export function eventRow(event: LedgerRecord<EventRecord>, lastForwardOk: number | null): ExpectedRow {
  const bodyChecksum = sha256(Buffer.from(event.bodyBase64, 'base64'))
  return {
    n: event.n,
    seq: event.seq,
    owner: ownerText(event),
    event_key: deliveryText(event, bodyChecksum),
    digest: bodyChecksum,
    duplicate_of: event.duplicateOf,
    scope: event.isSigned ? scopeOf(event.owner) : null,
    event: event.event,
    subject: event.subject,
    id_transaction: event.idTransaction,
    original_id: event.originalTransactionId,
    external_id: event.externalId,
    status: event.status,
    amount_cents: event.amountCents,
    received_ms: Date.parse(event.at),
    last_forward_ok: lastForwardOk,
  }
}

/** 1 if a receiver took the event with a status from 200 to 299, else 0. */
export function forwardOk({ status, error }: ForwardRecord): number {
  return error === null && status !== null && Math.trunc(status / 100) === 2 ? 1 : 0
}

/** The row of a batch that was accepted, except for what only its file says. */
export function runRow(run: LedgerRecord<RunRecord>, account: number | null): ExpectedRow {
  return {
    name: run.run,
    seq: run.seq,
    account,
    kind: run.kind,
    file: run.file,
    reference: run.reference,
    state: 'accepted',
    rows: run.rows,
    total_cents: run.totalCents,
    fingerprint: run.fingerprint,
  }
}
