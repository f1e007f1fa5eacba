import type {
  EventRecord,
  ForwardRecord,
  LedgerRecord,
  PlanStepRecord,
  RunRecord,
  SettingRecord,
} from '../../../src/ledger/records.ts'
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

/** 1 if a receiver answered 200 in at most 5 s, else 0. */
export function forwardOk({ status, ms, error }: ForwardRecord): number {
  return error === null && status === 200 && ms / 1000 <= 5 ? 1 : 0
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

/** The row by which a change of a profile, or of all profiles of an account, is found. */
export function profileChangeRow(
  { seq, type, owner }: LedgerRecord<SettingRecord>,
  account: number | null,
): ExpectedRow {
  return { seq, account, profile: type !== 'profile-change' ? '' : (owner.profile ?? '') }
}

/** The row by which a record about a plan is found. */
export function planStepRow(record: LedgerRecord<PlanStepRecord>, account: number | null): ExpectedRow {
  const { seq, plan, type } = record
  return { seq, plan, type, account }
}
