import { performance } from 'node:perf_hooks'
import { withNumber } from '../ledger/accounts.ts'
import { type MoneyPayment, requestBody } from '../ledger/facts.ts'
import { loadPayment, type Payment, paymentRowOf } from '../ledger/payments.ts'
import { concludeEndedSenders, type ProcessHolder, type SenderProcess, sendingProcess } from '../ledger/processes.ts'
import { type AttemptRecord, type LedgerRecord, NO_RESPONSE } from '../ledger/records.ts'
import { accountRules } from '../ledger/rulesInForce.ts'
import { isSameRequest } from '../ledger/samePayment.ts'
import type { Writer } from '../ledger/writer.ts'
import { DAY_MS } from '../pix/calendar.ts'
import type { Account } from '../profiles/account.ts'
import type { AccountRules } from '../profiles/accountRules.ts'
import type { Database } from '../storage/sqlite.ts'
import { assertChecked } from './askCheckCommand.ts'
import { assertCanSend } from './consent.ts'
import { assertLedgerIsCurrent, noteLedger } from './currentLedger.ts'
import { assertClockAgrees } from './gatewayClock.ts'
import { ownerOf, type PaymentContext } from './paymentContext.ts'
import {
  mayBeRetried,
  nextExternalId,
  paymentOfRow,
  sentInPlaceOf,
  sentTodayCents,
  unsentPayment,
} from './paymentLookup.ts'
import {
  type ApprovalConflict,
  type Conflict,
  findConflict,
  type IntendedPayment,
  isCountedToday,
} from './paymentRules.ts'
import { ApprovalJudge, type PlanConflict } from './planApproval.ts'
import type { NewPayment, Proposal, Resend, Retry } from './proposal.ts'
import { NO_REPEATS } from './repeatOptions.ts'

declare const durable: unique symbol

/** An attempt that is on the disk. Only {@link decide} makes one, so a payment cannot be sent without its record. */
export interface DurableAttempt {
  readonly [durable]: true
  record: LedgerRecord<AttemptRecord>
  facts: MoneyPayment
  body: string
  /** True if the same bytes may have left before. */
  isResend: boolean
  /** Until when it may be sent; null if the ledger belongs to this machine alone. */
  limit: SendLimit | null
}

/** Why nothing is sent for a proposal. */
export type SendConflict =
  | Conflict
  /** The payment is in another state by now, such as settled by a person or paid. */
  | { why: 'changed'; payment: Payment }
  /** Another process is sending it at this moment. */
  | { why: 'being-sent'; payment: Payment; holder: ProcessHolder }
  /** What would be sent again is not what its row asks for, or what the ledger shows of it. */
  | { why: 'not-as-shown'; attempt: LedgerRecord<AttemptRecord> }
  /** Its first byte may have left more than 24 hours ago. */
  | { why: 'too-old'; payment: Payment; firstSentMs: number }
  | PlanConflict
  | ApprovalConflict

export type Decision = { attempt: DurableAttempt; conflict: null } | { attempt: null; conflict: SendConflict }

/** What proposals are judged with, in one transaction. */
interface Judgement extends DaySum {
  /** With the limits that hold now. */
  account: Account
  writer: Writer
  sender: SenderProcess
  folder: string
  limit: SendLimit | null
  /** The rules of the account that are in force. */
  rules: AccountRules
  approval: ApprovalJudge
}

/**
 * Decides about payments and records the attempts, in one transaction: whatever was shown before, the rules are applied to the ledger and the
 * profile as they are now, and each attempt that they allow is durable when this returns. Proposals are judged in their order, each with those
 * before it. Throws UsageError if the ledger or the clock cannot be trusted, or the profile does not allow sending; nothing is recorded then.
 */
export async function decide(context: PaymentContext, proposals: readonly Proposal[]): Promise<Decision[]> {
  const { ledger } = context
  await assertClockAgrees(context, true)
  const sender = await ledger.sender()
  // Before the ledger is asked: what the server notes as the limit is later.
  const { sharedAt, timeoutMs } = ledger.environment
  const limit = sharedAt === undefined ? null : sendLimit(context.now, timeoutMs)
  const { result: decisions, seen } = await ledger.commit((writer) => judge(context, writer, sender, proposals, limit))
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
  limit: SendLimit | null = null,
): Decision[] {
  const { folder } = context.ledger.environment
  const account = withNumber(writer.database, context.currentAccount())
  assertCanSend(account)
  assertChecked(context, account)
  assertLedgerIsCurrent(context, writer.database)
  concludeEndedSenders(writer, sender, folder)
  const rules = accountRules(writer.database, account)
  const approval = new ApprovalJudge(writer, account, rules, context.plans)
  const judgement = { account, writer, sender, folder, limit, rules, approval, ...daySum(writer, account) }
  return proposals.map((proposal) => decideOne(judgement, proposal))
}

/** Records that attempts are not sent although they were allowed. */
async function giveUp({ ledger }: PaymentContext, decisions: readonly Decision[]): Promise<void> {
  await ledger.keep((writer) => {
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
  const { facts, externalId, rowId, place, accepted, originalCents, isIdMadeUp } = proposal
  const { account, writer, sender } = judgement
  const existing =
    place === null || rowId === null
      ? unsentPayment(writer.database, account, facts)
      : paymentOfRow(writer.database, account, facts, rowId)
  if (existing !== undefined && existing.summary.state !== 'not-sent')
    return blockedBy({ why: 'changed', payment: existing })
  const payment = existing?.id ?? null
  const run = place?.run ?? null
  const intended = { facts, externalId, payment, run, accepted, originalCents, isIdMadeUp }
  return decideAttempt(judgement, intended, {
    payment: payment ?? writer.newId(),
    number: (existing?.summary.attempts.length ?? 0) + 1,
    place,
    rowId,
    sender: sender.id,
  })
}

function decideRetry(judgement: Judgement, proposal: Retry): Decision {
  const { accepted, originalCents, run, row } = proposal
  const { account, writer, sender } = judgement
  const payment = loadPayment(writer.database, proposal.payment)
  const { first, summary } = payment
  const facts = row !== undefined && isSameRequest(first.facts, row) ? row : first.facts
  if (facts.kind === 'qr' || !mayBeRetried(payment)) return blockedBy({ why: 'changed', payment })
  if (facts !== row && isOfOtherLogin(writer, first)) return blockedBy({ why: 'not-as-shown', attempt: first })
  const externalId = nextExternalId(writer.database, account, first)
  const intended = { facts, externalId, payment: payment.id, run, accepted, originalCents, isIdMadeUp: false }
  const { place, rowId } = first
  const number = summary.attempts.length + 1
  return decideAttempt(judgement, intended, { payment: payment.id, number, place, rowId, sender: sender.id })
}

function decideAttempt(
  judgement: Judgement,
  intended: IntendedPayment,
  attempt: Pick<AttemptRecord, 'payment' | 'number' | 'place' | 'rowId' | 'sender'>,
): Decision {
  const { account, writer } = judgement
  const { sentToday, rules } = judgement
  const conflict = findConflict(writer.database, account, intended, writer.nowMs, sentToday, rules)
  if (conflict !== undefined) return blockedBy(withSender(judgement, conflict))
  const { facts, externalId } = intended
  const body = requestBody(facts, externalId)
  const allowance = judgement.approval.allow(body, facts.amountCents)
  if ('conflict' in allowance) return blockedBy(allowance.conflict)
  const record = writer.append({
    type: 'attempt',
    owner: ownerOf(account),
    facts,
    externalId,
    body,
    ...attempt,
    ...allowance.plan,
  })
  judgement.addToday(facts.amountCents ?? 0)
  return allowed(judgement, record, facts, false)
}

/** A conflict with a payment that another process is sending at this moment names that process. */
function withSender({ writer, sender, folder }: Judgement, conflict: Conflict): SendConflict {
  return conflict.why === 'unknown' ? sendingConflict(writer, sender, folder, conflict) : conflict
}

function decideResend(judgement: Judgement, proposal: Resend): Decision {
  const { account, writer, sender, folder } = judgement
  const payment = loadPayment(writer.database, proposal.payment)
  const { facts, summary } = payment
  const unknown = summary.attempts.find(({ state }) => state === 'unknown')
  if (facts.kind === 'qr' || summary.state !== 'unknown' || unknown === undefined)
    return blockedBy({ why: 'changed', payment })
  if (unknown.sender !== null) {
    const holder = sendingProcess(writer, sender.open, folder, payment.id, unknown.sender)
    if (holder !== undefined) return blockedBy({ why: 'being-sent', payment, holder })
  }
  const firstSentMs = summary.firstSentMs ?? writer.nowMs
  if (!isSafeToResend(facts, firstSentMs, writer.nowMs) && !proposal.includeUnknown) {
    return blockedBy({ why: 'too-old', payment, firstSentMs })
  }
  const { record } = unknown
  const isOfOther = isOfOtherLogin(writer, record)
  const shown = (isOfOther ? proposal.asNew?.row?.facts : null) ?? record.facts
  if (shown.kind === 'qr' || record.body !== requestBody(shown, record.externalId))
    return blockedBy({ why: 'not-as-shown', attempt: record })
  // Somebody's attempt beside one that was carried out, or may have been, would pay it a second time under its own id.
  const isBeside = summary.attempts.some(
    (each) => each !== unknown && each.outcome !== 'refused' && each.outcome !== 'not-sent',
  )
  if (isOfOther && isBeside)
    return blockedBy({ why: 'external-id', earlier: paymentRowOf(writer.database, payment.first.seq) })
  const conflict =
    resendConflict(judgement, payment, facts, proposal, isOfOther) ??
    (isOfOther ? usedConflict(writer.database, account, { ...payment, facts }, record) : undefined)
  if (conflict !== undefined) return blockedBy(withSender(judgement, conflict))
  const newTodayCents = isOfOther ? (facts.amountCents ?? 0) : 0
  const allowance = judgement.approval.allowResend(record, facts.amountCents, newTodayCents)
  if ('conflict' in allowance) return blockedBy(allowance.conflict)
  writer.append({
    type: 'resend',
    payment: payment.id,
    attempt: record.id,
    ...allowance.plan,
    sender: sender.id,
  })
  if (!isCountedToday(summary.sentMs, writer.nowMs)) judgement.addToday(summary.countedCents)
  return allowed(judgement, record, facts, true)
}

/**
 * The same payment must not have been made under another id meanwhile; its own externalId is used already. Of an attempt that another login recorded
 * this machine does not know what was accepted when it was sent first, if it ever was.
 */
function resendConflict(
  { account, writer, sentToday, rules }: Judgement,
  payment: Payment,
  facts: MoneyPayment,
  { despiteChargeback, asNew }: Resend,
  isOfOther: boolean,
): Conflict | undefined {
  const intended: IntendedPayment = {
    facts,
    externalId: null,
    payment: payment.id,
    run: (isOfOther ? asNew?.row?.run : payment.first.place?.run) ?? null,
    // What was made before this payment was accepted when it was sent first; a chargeback may have come to light since.
    accepted: isOfOther
      ? (asNew?.accepted ?? NO_REPEATS)
      : { throughSeq: payment.first.seq, ids: [], despiteChargeback },
    originalCents: null,
    isIdMadeUp: false,
    isResend: !isOfOther,
    ...(isCountedToday(payment.summary.sentMs, writer.nowMs) ? { newTodayCents: 0 } : {}),
  }
  return findConflict(writer.database, account, intended, writer.nowMs, sentToday, rules)
}

/** Another payment that has the row of an attempt, or its externalId, and of which money may have moved. */
function usedConflict(
  database: Database,
  account: Account,
  payment: Pick<IntendedPayment, 'facts'> & Pick<Payment, 'id' | 'first'>,
  { externalId }: AttemptRecord,
): Conflict | undefined {
  const seq = sentInPlaceOf(database, account, payment, externalId)
  return seq === null ? undefined : { why: 'external-id', earlier: paymentRowOf(database, seq) }
}

/** True if somebody else recorded something in a shared ledger, whose server says who. */
export function isOfOtherLogin(
  { isShared, user }: Pick<Writer, 'isShared' | 'user'>,
  { login }: LedgerRecord,
): boolean {
  return isShared && login !== user
}

function allowed(
  { limit }: Judgement,
  record: LedgerRecord<AttemptRecord>,
  facts: MoneyPayment,
  isResend: boolean,
): Decision {
  if (record.body === null) throw new Error('an attempt that moves money has no body')
  return { attempt: asDurable({ record, facts, body: record.body, isResend, limit }), conflict: null }
}

/** The one place where an attempt becomes durable: the transaction that calls it commits before anything else happens. */
function asDurable(attempt: Omit<DurableAttempt, typeof durable>): DurableAttempt {
  return attempt as DurableAttempt
}

function blockedBy(conflict: SendConflict): Decision {
  return { attempt: null, conflict }
}

/** What an account sent today, as a transaction sees it. */
interface DaySum {
  /** The sum of the day with what was allowed so far, in cents. */
  sentToday(): number
  /** Adds to that sum what was just allowed. */
  addToday(cents: number): void
}

/** The sum of the day, which is read once: a group of a batch asks for it with each row. */
function daySum({ database, nowMs }: Writer, account: Account): DaySum {
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

/** For how long a request may be sent after its attempt was decided. */
interface SendLimit {
  /** When the decision began, by the wall clock and by the clock that is never set. */
  startedMs: number
  startedMonotonicMs: number
  timeoutMs: number
  /** The wall clock. */
  now(): number
}

/** A limit that begins now. */
export function sendLimit(now: () => number, timeoutMs: number): SendLimit {
  return { startedMs: now(), startedMonotonicMs: performance.now(), timeoutMs, now }
}

/**
 * True while a request may be sent. The other machines of a shared ledger take a request that has not ended by then for one with an unknown outcome,
 * and may send it again. The monotonic clock of a suspended machine stops, and the wall clock may be set: the larger difference counts.
 */
export function mayBeSent({ startedMs, startedMonotonicMs, timeoutMs, now }: SendLimit): boolean {
  return Math.max(now() - startedMs, performance.now() - startedMonotonicMs) <= timeoutMs
}

/** The conflict with a payment that another process is sending at this moment. */
export interface BeingSent {
  why: 'being-sent'
  payment: Payment
  holder: ProcessHolder
}

/**
 * Tells a payment whose outcome is unknown from one that another process is sending right now, whose answer it is about to record. To be
 * called in a write transaction.
 */
export function sendingConflict(
  writer: Pick<Writer, 'database' | 'nowMs'>,
  sender: Pick<SenderProcess, 'open' | 'id'>,
  folder: string,
  conflict: Extract<Conflict, { why: 'unknown' }>,
): Conflict | BeingSent {
  const payment = loadPayment(writer.database, conflict.earlier.id)
  const holder = otherSender(writer, sender, folder, payment)
  return holder === undefined ? conflict : { why: 'being-sent', payment, holder }
}

/** Another process that is sending a payment right now, whose answer it is about to record. To be called in a write transaction. */
export function otherSender(
  writer: Pick<Writer, 'database' | 'nowMs'>,
  { open, id: own }: Pick<SenderProcess, 'open' | 'id'>,
  folder: string,
  { id, summary }: Pick<Payment, 'id' | 'summary'>,
): ProcessHolder | undefined {
  for (const { sender } of summary.attempts) {
    const holder = sender === null || sender === own ? undefined : sendingProcess(writer, open, folder, id, sender)
    if (holder !== undefined) return holder
  }
  return undefined
}

/** {@link sendingConflict} for a conflict that was found before a question. Other conflicts are returned as they are. */
export async function withSendingProcess(
  { ledger }: PaymentContext,
  conflict: Conflict,
): Promise<Conflict | BeingSent> {
  if (conflict.why !== 'unknown') return conflict
  const sender = await ledger.sender()
  return ledger.writeHere((writer) => sendingConflict(writer, sender, ledger.environment.folder, conflict))
}

/** After so long it is not certain that the gateway still knows an externalId. */
const RESEND_WINDOW_MS = DAY_MS
const CLOCK_TOLERANCE_MS = 60 * 60 * 1000

/**
 * True if a payment with an unknown outcome can be sent again without a person's consent: a transfer whose first byte left less than 24
 * hours ago, so that the gateway refuses its externalId if it carried the first request out. A time in the future says nothing of its age.
 */
export function isSafeToResend({ kind }: Pick<MoneyPayment, 'kind'>, firstSentMs: number, nowMs: number): boolean {
  const ageMs = nowMs - firstSentMs
  return kind === 'transfer' && ageMs <= RESEND_WINDOW_MS && ageMs >= -CLOCK_TOLERANCE_MS
}
