import type { MoneyPayment } from '../ledger/facts.ts'
import { loadPayment, type Payment } from '../ledger/payments.ts'
import { concludeEndedSenders, livingProcess, type ProcessHolder, type SenderProcess } from '../ledger/processes.ts'
import { type AttemptRecord, type LedgerRecord, NO_RESPONSE, type RunPlace } from '../ledger/records.ts'
import type { Writer } from '../ledger/writer.ts'
import type { Account } from '../profiles/account.ts'
import { isCountedToday } from './amountLimits.ts'
import { checkClock } from './clock.ts'
import { assertCanSend } from './consent.ts'
import { checkLedgerIsCurrent, noteLedger } from './currentLedger.ts'
import { ownerOf, type PaymentContext } from './paymentContext.ts'
import { freeExternalId, mayBeRetried, paymentOfRow, sentTodayCents, unsentPayment } from './paymentLookup.ts'
import { type Conflict, findConflict, type PlannedPayment } from './paymentRules.ts'
import type { AcceptedRepeats } from './repeatOptions.ts'
import { requestBody } from './requestBody.ts'
import { isSafeToResend } from './resendWindow.ts'
import { sendingConflict } from './sendingProcess.ts'

/** A payment to make. */
interface NewPayment {
  action: 'pay'
  facts: MoneyPayment
  externalId: string | null
  /** The row's id in its reference; for a single transfer its externalId, for a single refund null. */
  rowId: string | null
  place: RunPlace | null
  accepted: AcceptedRepeats
  originalCents: number | null
}

/** A further attempt of a payment that was refused, under an externalId of its own. */
interface Retry {
  action: 'retry'
  /** UUID of the payment. */
  payment: string
  accepted: AcceptedRepeats
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

/** What proposals are judged with, in one transaction. */
interface Judgement {
  /** With the limits that hold now. */
  account: Account
  writer: Writer
  sender: SenderProcess
  folder: string
  /** The sum of the day with what was allowed so far, in cents. */
  sentToday(): number
  /** Adds to that sum what was just allowed. */
  addToday(cents: number): void
}

/**
 * Decides about payments and records the attempts, in one transaction: whatever was shown before, the rules are applied to the ledger and the
 * profile as they are now, and each attempt that they allow is durable when this returns. Proposals are judged in their order, each with those
 * before it. Throws UsageError if the ledger or the clock cannot be trusted, or the profile does not allow sending; nothing is recorded then.
 */
export async function decide(context: PaymentContext, proposals: readonly Proposal[]): Promise<Decision[]> {
  const { ledger } = context
  await checkClock(context)
  const sender = await ledger.sender()
  const { result: decisions, seen } = await ledger.commit((writer) => judge(context, writer, sender, proposals))
  try {
    noteLedger(context, seen)
  } catch (error) {
    await giveUp(context, decisions)
    throw error
  }
  return decisions
}

/**
 * Applies the rules to proposals and records the attempts that they allow, in the caller's transaction, which a dry run rolls back. Throws like
 * {@link decide}.
 */
export function judge(
  context: PaymentContext,
  writer: Writer,
  sender: SenderProcess,
  proposals: readonly Proposal[],
): Decision[] {
  const { folder } = context.ledger.environment
  const account = context.currentAccount()
  assertCanSend(account)
  checkLedgerIsCurrent(context, writer.database)
  concludeEndedSenders(writer, sender, folder)
  const judgement = { account, writer, sender, folder, ...daySum(writer, account) }
  return proposals.map((proposal) => decideOne(judgement, proposal))
}

/** The sum of the day, which is read once: a group of a batch asks for it with each row. */
function daySum({ database, nowMs }: Writer, account: Account): Pick<Judgement, 'sentToday' | 'addToday'> {
  let [sum, added]: [number | null, number] = [null, 0]
  return {
    sentToday() {
      sum ??= sentTodayCents(database, account, nowMs) - added
      return sum + added
    },
    addToday(cents) {
      added += cents
    },
  }
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

function decideOne(judgement: Judgement, proposal: Proposal): Decision {
  switch (proposal.action) {
    case 'pay':
      return decideNew(judgement, proposal)
    case 'retry':
      return decideRetry(judgement, proposal)
    case 'resend':
      return decideResend(judgement, proposal)
  }
}

function decideNew(judgement: Judgement, proposal: NewPayment): Decision {
  const { facts, externalId, rowId, place, accepted, originalCents } = proposal
  const { account, writer, sender } = judgement
  const existing =
    place === null || rowId === null
      ? unsentPayment(writer.database, account, facts)
      : paymentOfRow(writer.database, account, facts, rowId)
  if (existing !== undefined && existing.summary.state !== 'not-sent')
    return blockedBy({ why: 'changed', payment: existing })
  const payment = existing?.id ?? null
  const run = place?.run ?? null
  const planned = { facts, externalId, payment, run, accepted, originalCents }
  return decideAttempt(judgement, planned, {
    payment: payment ?? writer.newId(),
    number: (existing?.summary.attempts.length ?? 0) + 1,
    place,
    rowId,
    sender: sender.id,
  })
}

function decideRetry(judgement: Judgement, proposal: Retry): Decision {
  const { accepted, originalCents, run } = proposal
  const { account, writer, sender } = judgement
  const payment = loadPayment(writer.database, proposal.payment)
  const { first, summary } = payment
  const { facts } = first
  if (facts.kind === 'qr' || !mayBeRetried(payment)) return blockedBy({ why: 'changed', payment })
  const number = summary.attempts.length + 1
  const externalId =
    facts.kind === 'transfer'
      ? freeExternalId(writer.database, account, first.rowId ?? first.externalId ?? '', number)
      : null
  const planned = { facts, externalId, payment: payment.id, run, accepted, originalCents }
  const { place, rowId } = first
  return decideAttempt(judgement, planned, { payment: payment.id, number, place, rowId, sender: sender.id })
}

/** Records an attempt if the rules allow it. */
function decideAttempt(
  judgement: Judgement,
  planned: PlannedPayment,
  attempt: Pick<AttemptRecord, 'payment' | 'number' | 'place' | 'rowId' | 'sender'>,
): Decision {
  const { account, writer } = judgement
  const conflict = findConflict(writer.database, account, planned, writer.nowMs, judgement.sentToday)
  if (conflict !== undefined) return blockedBy(withSender(judgement, conflict))
  const { facts, externalId } = planned
  const record = writer.append({
    type: 'attempt',
    owner: ownerOf(account),
    facts,
    externalId,
    body: requestBody(facts, externalId),
    ...attempt,
  })
  judgement.addToday(facts.amountCents ?? 0)
  return allowed(record, facts, false)
}

/** A conflict with a payment that another process is sending at this moment names that process. */
function withSender({ writer, sender, folder }: Judgement, conflict: Conflict): SendConflict {
  return conflict.why === 'unknown' ? sendingConflict(writer.database, sender, folder, conflict) : conflict
}

function decideResend(judgement: Judgement, proposal: Resend): Decision {
  const { writer, sender, folder } = judgement
  const payment = loadPayment(writer.database, proposal.payment)
  const { facts, summary } = payment
  const unknown = summary.attempts.find(({ state }) => state === 'unknown')
  if (facts.kind === 'qr' || summary.state !== 'unknown' || unknown === undefined)
    return blockedBy({ why: 'changed', payment })
  if (unknown.sender !== null) {
    const holder = livingProcess(writer.database, sender.open, folder, unknown.sender)
    if (holder !== undefined) return blockedBy({ why: 'being-sent', payment, holder })
  }
  const firstSentMs = summary.firstSentMs ?? writer.nowMs
  if (!isSafeToResend(facts, firstSentMs, writer.nowMs) && !proposal.includeUnknown) {
    return blockedBy({ why: 'too-old', payment, firstSentMs })
  }
  const conflict = resendConflict(judgement, payment, facts)
  if (conflict !== undefined) return blockedBy(withSender(judgement, conflict))
  writer.append({ type: 'resend', payment: payment.id, attempt: unknown.record.id, sender: sender.id })
  if (!isCountedToday(summary.sentMs, writer.nowMs)) judgement.addToday(summary.countedCents)
  return allowed(unknown.record, facts, true)
}

/** The same payment must not have been made under another id meanwhile; its own externalId is used already. */
function resendConflict(
  { account, writer, sentToday }: Judgement,
  payment: Payment,
  facts: MoneyPayment,
): Conflict | undefined {
  const planned: PlannedPayment = {
    facts,
    externalId: null,
    payment: payment.id,
    run: payment.first.place?.run ?? null,
    // What was made before this payment was accepted when it was sent first.
    accepted: { throughSeq: payment.first.seq, ids: [], despiteChargeback: true },
    originalCents: null,
    ...(isCountedToday(payment.summary.sentMs, writer.nowMs) ? { newTodayCents: 0 } : {}),
  }
  return findConflict(writer.database, account, planned, writer.nowMs, sentToday)
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
