import { comparableTarget } from '../ledger/derivedTables.ts'
import { assertNoOldLog } from '../ledger/ledgerFile.ts'
import { loadPayment, type Payment } from '../ledger/payments.ts'
import { concludeEndedSenders, livingProcess, type ProcessHolder, type SenderProcess } from '../ledger/processes.ts'
import {
  type AttemptRecord,
  type LedgerRecord,
  type MoneyPayment,
  NO_RESPONSE,
  type RunPlace,
} from '../ledger/records.ts'
import { olderLedger, witnessOf } from '../ledger/witness.ts'
import type { Writer } from '../ledger/writer.ts'
import { type Database, textOf } from '../storage/sqlite.ts'
import { t } from '../text/translate.ts'
import { isCountedToday } from './amountLimits.ts'
import { ownerOf, type PaymentContext } from './paymentContext.ts'
import { freeExternalId, mayBeRetried, paymentOfRow, unsentPayment } from './paymentLookup.ts'
import { type Conflict, findConflict, type PlannedPayment } from './paymentRules.ts'
import { requestBody } from './requestBody.ts'

/** A payment to make. */
interface NewPayment {
  action: 'pay'
  facts: MoneyPayment
  externalId: string | null
  /** The row's id in its reference; for a single transfer its externalId, for a single refund null. */
  rowId: string | null
  place: RunPlace | null
  accepted: ReadonlySet<string>
  originalCents: number | null
}

/** A further attempt of a payment that was refused, under an externalId of its own. */
interface Retry {
  action: 'retry'
  /** UUID of the payment. */
  payment: string
  accepted: ReadonlySet<string>
  originalCents: number | null
  run: string | null
}

/** The same bytes again, for an attempt with an unknown outcome. */
interface Resend {
  action: 'resend'
  /** UUID of the payment. */
  payment: string
  /** True if a person accepted to send what is older than 24 hours, or a refund. */
  includeUnknown: boolean
}

export type Proposal = NewPayment | Retry | Resend

declare const durable: unique symbol

/** An attempt that is on the disk. Only {@link decide} makes one, so a payment cannot be sent without its record. */
export interface DurableAttempt {
  readonly [durable]: true
  record: LedgerRecord<AttemptRecord>
  facts: MoneyPayment
  body: string
  /** True if the same bytes may have left before. */
  isResend: boolean
}

/** Why nothing is sent for a proposal. */
export type SendConflict =
  | Conflict
  /** The payment is in another state by now, such as settled by a person or paid. */
  | { why: 'changed'; payment: Payment }
  /** Another process is sending it at this moment. */
  | { why: 'being-sent'; payment: Payment; holder: ProcessHolder }
  /** Its first byte may have left more than 24 hours ago. */
  | { why: 'too-old'; payment: Payment; firstSentMs: number }

export type Decision = { attempt: DurableAttempt; conflict: null } | { attempt: null; conflict: SendConflict }

/** After so long it is not certain that the gateway still knows an externalId. */
const RESEND_WINDOW_MS = 24 * 60 * 60 * 1000

/**
 * True if a payment with an unknown outcome can be sent again without a person's consent: a transfer whose first byte left less than 24
 * hours ago, so that the gateway refuses its externalId if it carried the first request out.
 */
export function isSafeToResend({ kind }: Pick<MoneyPayment, 'kind'>, firstSentMs: number, nowMs: number): boolean {
  return kind === 'transfer' && nowMs - firstSentMs <= RESEND_WINDOW_MS
}

/**
 * Decides about payments and records the attempts, in one transaction: whatever was shown before, the rules are applied to the ledger as
 * it is now, and each attempt that they allow is durable when this returns. Proposals are judged in their order, each with those before
 * it. Throws UsageError if the ledger cannot be trusted or written; nothing is recorded then.
 */
export async function decide(context: PaymentContext, proposals: readonly Proposal[]): Promise<Decision[]> {
  const { ledger } = context
  const sender = await ledger.sender()
  const { decisions, witness } = await ledger.write((writer) => {
    const isCurrent = checkLedgerIsCurrent(context, writer.database)
    concludeEndedSenders(writer, sender, ledger.environment.folder)
    const decided = proposals.map((proposal) => decideProposal(context, writer, sender, proposal))
    return { decisions: decided, witness: isCurrent ? witnessOf(writer) : null }
  })
  try {
    if (witness !== null) context.witness.note(witness)
  } catch (error) {
    await giveUp(context, decisions)
    throw error
  }
  return decisions
}

/** Records that attempts are not sent although they were allowed. */
async function giveUp({ ledger }: PaymentContext, decisions: readonly Decision[]): Promise<void> {
  await ledger.write((writer) => {
    for (const { attempt } of decisions) {
      if (attempt === null) continue
      const { payment, id } = attempt.record
      writer.append({ ...NO_RESPONSE, payment, attempt: id, outcome: 'not-sent' })
    }
  })
}

/** The warning that was already shown for a witness, because a batch decides many times. */
const warned = new WeakMap<PaymentContext['witness'], string>()

/** The warning that records are missing, if it was given: it belongs in the documents of the payments that are sent all the same. */
export function ledgerWarnings({ witness }: PaymentContext): string[] {
  const warning = warned.get(witness)
  return warning === undefined ? [] : [warning]
}

/**
 * Checks before a question what {@link decide} checks in its transaction: no log of an earlier version, and no records missing. False if
 * records are missing and the environment is a sandbox, where that is only a warning. Throws UsageError.
 */
export function checkLedgerIsCurrent(
  { account, ledger, terminal, witness }: PaymentContext,
  database: Database,
): boolean {
  const { folder } = ledger.environment
  assertNoOldLog(folder)
  const verdict = witness.compare(database)
  if (verdict.is === 'current') return true
  const failure = olderLedger(folder, verdict)
  if (account.environment === 'production') throw failure
  if (!warned.has(witness)) {
    const warning = t`${failure.message}. In production nothing would be sent`
    terminal.warn(warning)
    warned.set(witness, warning)
  }
  return false
}

/** Decides about one proposal in the transaction of the writer. */
export function decideProposal(
  context: PaymentContext,
  writer: Writer,
  sender: SenderProcess,
  proposal: Proposal,
): Decision {
  switch (proposal.action) {
    case 'pay':
      return decideNew(context, writer, sender, proposal)
    case 'retry':
      return decideRetry(context, writer, sender, proposal)
    case 'resend':
      return decideResend(context, writer, sender, proposal)
  }
}

function decideNew(context: PaymentContext, writer: Writer, sender: SenderProcess, proposal: NewPayment): Decision {
  const { facts, externalId, rowId, place, accepted, originalCents } = proposal
  const { account } = context
  const existing =
    place === null || rowId === null
      ? unsentPayment(writer.database, account, facts)
      : paymentOfRow(writer.database, account, facts, rowId)
  if (existing !== undefined && existing.summary.state !== 'not-sent')
    return blockedBy({ why: 'changed', payment: existing })
  const payment = existing?.id ?? null
  const planned: PlannedPayment = { facts, externalId, payment, run: place?.run ?? null, accepted, originalCents }
  return decideAttempt(context, writer, planned, {
    payment: payment ?? writer.newId(),
    number: (existing?.summary.attempts.length ?? 0) + 1,
    place,
    rowId,
    sender: sender.id,
  })
}

function decideRetry(context: PaymentContext, writer: Writer, sender: SenderProcess, proposal: Retry): Decision {
  const { accepted, originalCents, run } = proposal
  const { account } = context
  const payment = loadPayment(writer.database, proposal.payment)
  const { first, summary } = payment
  const { facts } = first
  if (facts.kind === 'qr' || !mayBeRetried(payment)) return blockedBy({ why: 'changed', payment })
  const number = summary.attempts.length + 1
  const externalId =
    facts.kind === 'transfer'
      ? freeExternalId(writer.database, account, first.rowId ?? first.externalId ?? '', number)
      : null
  const planned: PlannedPayment = { facts, externalId, payment: payment.id, run, accepted, originalCents }
  const { place, rowId } = first
  return decideAttempt(context, writer, planned, { payment: payment.id, number, place, rowId, sender: sender.id })
}

/** Records an attempt if the rules allow it. */
function decideAttempt(
  { account }: PaymentContext,
  writer: Writer,
  planned: PlannedPayment,
  attempt: Pick<AttemptRecord, 'payment' | 'number' | 'place' | 'rowId' | 'sender'>,
): Decision {
  const conflict = findConflict(writer.database, account, planned, writer.nowMs)
  if (conflict !== undefined) return blockedBy(conflict)
  const { facts, externalId } = planned
  const record = writer.append({
    type: 'attempt',
    owner: ownerOf(account),
    facts,
    externalId,
    body: requestBody(facts, externalId),
    ...attempt,
  })
  return allowed(record, facts, false)
}

function decideResend(context: PaymentContext, writer: Writer, sender: SenderProcess, proposal: Resend): Decision {
  const { ledger } = context
  const payment = loadPayment(writer.database, proposal.payment)
  const { facts, summary } = payment
  const unknown = summary.attempts.find(({ state }) => state === 'unknown')
  if (facts.kind === 'qr' || summary.state !== 'unknown' || unknown === undefined)
    return blockedBy({ why: 'changed', payment })
  if (unknown.sender !== null) {
    const holder = livingProcess(writer.database, sender.open, ledger.environment.folder, unknown.sender)
    if (holder !== undefined) return blockedBy({ why: 'being-sent', payment, holder })
  }
  const firstSentMs = summary.firstSentMs ?? writer.nowMs
  if (!isSafeToResend(facts, firstSentMs, writer.nowMs) && !proposal.includeUnknown) {
    return blockedBy({ why: 'too-old', payment, firstSentMs })
  }
  const conflict = resendConflict(context, writer, payment, facts)
  if (conflict !== undefined) return blockedBy(conflict)
  writer.append({ type: 'resend', payment: payment.id, attempt: unknown.record.id, sender: sender.id })
  return allowed(unknown.record, facts, true)
}

/** The same payment must not have been made under another id meanwhile; its own externalId is used already. */
function resendConflict(
  { account }: PaymentContext,
  writer: Writer,
  payment: Payment,
  facts: MoneyPayment,
): Conflict | undefined {
  const planned: PlannedPayment = {
    facts,
    externalId: null,
    payment: payment.id,
    run: payment.first.place?.run ?? null,
    accepted: earlierThan(writer.database, payment),
    originalCents: null,
    ...(isCountedToday(payment.summary.sentMs, writer.nowMs) ? { newTodayCents: 0 } : {}),
  }
  return findConflict(writer.database, account, planned, writer.nowMs)
}

/** The payments that were made before this one: they were accepted when it was sent first. */
function earlierThan(database: Database, { first, facts }: Payment): ReadonlySet<string> {
  const rows = database.all(
    'SELECT id FROM payment WHERE comparable_key = ? AND seq < ?',
    comparableTarget(facts),
    first.seq,
  )
  return new Set(rows.map((row) => textOf(row, 'id')))
}

function allowed(record: LedgerRecord<AttemptRecord>, facts: MoneyPayment, isResend: boolean): Decision {
  if (record.body === null) throw new Error('an attempt that moves money has no body')
  return { attempt: asDurable({ record, facts, body: record.body, isResend }), conflict: null }
}

/** The one place where an attempt becomes durable: the transaction that calls it commits before anything else happens. */
function asDurable(attempt: Omit<DurableAttempt, typeof durable>): DurableAttempt {
  return attempt as DurableAttempt
}

function blockedBy(conflict: SendConflict): Decision {
  return { attempt: null, conflict }
}
