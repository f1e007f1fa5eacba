import { type Database, textOrNull } from '../storage/sqlite.ts'
import type { PaymentSummary } from './derivePayment.ts'
import { knownOriginal } from './originals.ts'
import { canBeAbout, findingFromEvent, isSameScope } from './paymentState.ts'
import type { AttemptRecord, EventRecord, LedgerRecord } from './records.ts'
import { isSameId } from './samePayment.ts'

/** Why an event does not prove that a payment was made. */
export type ProofFault = 'unsigned' | 'unverified' | 'other-payment' | 'not-paid' | 'amount'

type Event = LedgerRecord<EventRecord>
type Attempts = readonly Pick<LedgerRecord<AttemptRecord>, 'owner' | 'facts' | 'externalId' | 'at'>[]

/**
 * Why an event cannot prove that a payment with these attempts was made; null if it can, once a person says that it is about this payment: only its
 * amount, and what it does not name, tell it from one about an equal payment.
 */
export function faultOfProof(event: Event, attempts: Attempts): ProofFault | null {
  const [first] = attempts
  if (!event.isSigned) return 'unsigned'
  if (first === undefined || !canBeOf(event, first, attempts)) return 'other-payment'
  if (findingFromEvent(event) !== 'paid') return 'not-paid'
  const { amountCents } = first.facts
  return amountCents === null || event.amountCents === amountCents ? null : 'amount'
}

/** True if no account, kind, time or id of the user says that an event is about another payment. */
function canBeOf(event: Event, { owner, facts, at }: Attempts[number], attempts: Attempts): boolean {
  const { subject, originalTransactionId, externalId } = event
  if (!isSameScope(event.owner, owner) || Date.parse(event.at) < Date.parse(at)) return false
  if (subject === null || !canBeAbout(subject, facts.kind)) return false
  if (facts.kind === 'refund') return isSameId(facts.originalTransactionId, originalTransactionId)
  return externalId === null || attempts.some((each) => isSameId(each.externalId, externalId))
}

/** {@link faultOfProof}, for an event that the ledger or the gateway's id may show to be that of another payment. */
export function faultOfNewProof(
  database: Database,
  event: Event,
  { id, summary }: { id: string; summary: PaymentSummary },
): ProofFault | null {
  const row = database.get('SELECT payment, is_verified FROM event WHERE n = ?', event.n)
  if (event.isSigned && row?.is_verified !== 1) return 'unverified'
  const linked = row === undefined ? null : textOrNull(row, 'payment')
  const ids = summary.attempts.flatMap(({ idTransaction }) => idTransaction ?? [])
  const isOther =
    linked === null ? ids.length > 0 && !ids.some((each) => isSameId(each, event.idTransaction)) : !isSameId(linked, id)
  const attempts = summary.attempts.map(({ record }) => record)
  const fault = faultOfProof(event, attempts) ?? (isOfWhole(database, event, attempts) ? null : 'amount')
  return fault === 'unsigned' || !isOther ? fault : 'other-payment'
}

/** False if a refund names no amount, and the event has another one than the payment that all of is returned. */
function isOfWhole(database: Database, event: Event, [first]: Attempts): boolean {
  if (first?.facts.kind !== 'refund' || first.facts.amountCents !== null) return true
  const account = { ...first.owner, url: first.owner.baseUrl }
  const { amountCents } = knownOriginal(database, account, first.facts.originalTransactionId)
  return amountCents === null || event.amountCents === amountCents
}
