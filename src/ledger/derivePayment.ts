import { parseInstant } from '../pix/calendar.ts'
import { DamagedValue } from '../storage/sqlite.ts'
import type { Outcome } from '../wire/errors.ts'
import { readEventFacts } from '../wire/eventFacts.ts'
import type { PaymentFacts } from './facts.ts'
import {
  type Finding,
  findingFromEvent,
  isFinding,
  isOpen,
  type PaymentState,
  STATES_BY_WEIGHT,
  STATUS_OF_FINDING,
  stateRank,
} from './paymentState.ts'
import { boundedMs } from './recordedClock.ts'
import {
  type AnswerRecord,
  type AttemptRecord,
  type EventRecord,
  type FindingRecord,
  type LedgerRecord,
  type PaymentRecord,
  type QueryRecord,
  SENDER_ENDED,
} from './records.ts'
import { isSameId } from './samePayment.ts'
import { findingFromStatus } from './statusMeaning.ts'

/** What is known of one attempt. */
export interface AttemptSummary {
  record: LedgerRecord<AttemptRecord>
  outcome: Outcome
  answer: LedgerRecord<AnswerRecord> | null
  /** True if the gateway answered the sender of a transfer or refund that it was carried out. */
  isAnsweredPaid: boolean
  /** What a person found out; null if none did. */
  finding: LedgerRecord<FindingRecord> | null
  /** The event that decided the state; null if none did. */
  event: LedgerRecord<EventRecord> | null
  /** The answer to a query that decided the state; null if none did. */
  query: LedgerRecord<QueryRecord> | null
  /** The event that says most about what happened, also if a person has found something else since; null if none says anything final. */
  evidence: LedgerRecord<EventRecord> | null
  state: PaymentState
  idTransaction: string | null
  /** The process that is sending it; null when it has recorded the answer. */
  sender: string | null
  /** When its request may have left, oldest first. */
  sends: readonly SentTime[]
}

/** When a request may have left. */
interface SentTime {
  ms: number
  /** False if the clock was wrong: it left at this time or earlier. */
  isExact: boolean
  /** The login that recorded the request, before the server of a shared ledger lost it. */
  login: string
}

/** The summary of a payment's records. */
export type PaymentSummary = ReturnType<typeof deriveFrom>

/**
 * Derives the state of a payment from all its records, oldest first: its attempts, what was answered, what a person found, and the
 * events that were linked to it. This is the only function that decides a state. What the payment makes room for follows from the events alone that are
 * {@link isProof proof}: any other may forbid something, but frees nothing. Throws DamagedValue if there is no attempt.
 */
export function derivePayment(records: readonly PaymentRecord[]): PaymentSummary {
  const shown = deriveFrom(records)
  const sure = records.flatMap((record) => surely(record, records))
  if (sure.length === records.length && sure.every((record, place) => record === records[place])) return shown
  const proved = deriveFrom(sure)
  const { event } = shown.deciding
  const mayHaveMoved = shown.mayHaveMoved || proved.mayHaveMoved
  return {
    ...shown,
    isVerified: event === null ? shown.state !== 'accepted' || proved.state !== 'unknown' : sure.includes(event),
    isUnknown: proved.isUnknown,
    isKnownByOther: proved.isKnownByOther,
    mayHaveMoved,
    movedCents: Math.max(shown.movedCents, proved.movedCents),
    wasSent: shown.wasSent || proved.wasSent,
    countedCents: Math.max(shown.countedCents, proved.countedCents),
    denial: mayHaveMoved ? null : proved.denial,
    firstSentMs: proved.firstSentMs ?? shown.firstSentMs,
  }
}

/**
 * What counts of a record for what a payment makes room for: of the answer of a login that sent nothing not that money left, of that of another login than
 * the attempt's not the id, by which events are known.
 */
function surely(record: PaymentRecord, records: readonly PaymentRecord[]): PaymentRecord[] {
  if (record.type === 'event') return isProof(record, records) ? [record] : []
  if (record.type === 'query') return []
  if (record.type !== 'answer' || !isOfSeveral(record)) return [record]
  const attempt = records.find(({ id }) => id === record.attempt)
  if (attempt?.type !== 'attempt') return [record]
  if (isAccepted(record.outcome) && attempt.facts.kind !== 'qr' && !wasSentBy(record, records)) return []
  if (record.idTransaction === null || isAnswerWithId(record, attempt, record.idTransaction)) return [record]
  return [Object.assign({}, record, { idTransaction: null })]
}

function isAccepted(outcome: Outcome): outcome is 'accepted' | 'accepted-before' {
  return outcome === 'accepted' || outcome === 'accepted-before'
}

/** True if an answer came from a login that recorded a request of its attempt before it. */
function wasSentBy(answer: LedgerRecord<AnswerRecord>, records: readonly PaymentRecord[]): boolean {
  return records.some(
    (record) =>
      (record.id === answer.attempt || (record.type === 'resend' && record.attempt === answer.attempt)) &&
      record.seq < answer.seq &&
      isFromSender(answer, loginOf(record)),
  )
}

/** True for a record of a shared ledger, or that came from another ledger: not everything in it was written by this machine. */
function isOfSeveral({ storedAtMs, firstBy }: LedgerRecord): boolean {
  return storedAtMs !== undefined || firstBy !== undefined
}

/**
 * True if an event counts for what frees a repeat, settles a payment, confirms a payee or lowers a sum: this machine has verified its signature. In a shared
 * ledger it must also be about an attempt that was recorded before it, by the id that the gateway gave to the login that made that attempt, or by its external id:
 * anybody can write any other id there. Without such an id an event can only say that a payment was made.
 */
export function isProof(event: LedgerRecord<EventRecord>, records: readonly PaymentRecord[]): boolean {
  if (event.isVerified !== true) return false
  if (!isOfSeveral(event)) return true
  const isPaid = findingFromEvent(event) === 'paid'
  return records.some(
    (attempt) =>
      attempt.type === 'attempt' &&
      attempt.seq < event.seq &&
      hasAmountOf(event, attempt) &&
      (isPaid || isIdentified(event, attempt, records)),
  )
}

function hasAmountOf({ amountCents }: EventRecord, { facts }: AttemptRecord): boolean {
  return amountCents === null || facts.amountCents === null || facts.kind === 'qr' || amountCents === facts.amountCents
}

function isIdentified(
  event: LedgerRecord<EventRecord>,
  attempt: LedgerRecord<AttemptRecord>,
  records: readonly PaymentRecord[],
): boolean {
  if (isSameId(event.externalId, attempt.externalId)) return true
  return records.some((record) => {
    if (record.type === 'event') {
      // The payment was made under this id.
      return (
        record.seq < event.seq &&
        findingFromEvent(record) === 'paid' &&
        isSameId(record.idTransaction, event.idTransaction) &&
        record.isVerified === true &&
        isIdentified(record, attempt, records)
      )
    }
    return isAnswerWithId(record, attempt, event.idTransaction)
  })
}

/** True if the answer to an attempt has this id, and came from the login that made the attempt. */
export function isAnswerWithId(
  answer: PaymentRecord,
  attempt: LedgerRecord<AttemptRecord>,
  idTransaction: string | null,
): answer is LedgerRecord<AnswerRecord> {
  return (
    answer.type === 'answer' &&
    answer.attempt === attempt.id &&
    isSameId(answer.idTransaction, idTransaction) &&
    isFromSender(answer, loginOf(attempt)) &&
    answer.user === attempt.user
  )
}

/** True if an answer came from the login that recorded the request, also before the server of a shared ledger lost it. */
function isFromSender({ login }: LedgerRecord<AnswerRecord>, sender: string): boolean {
  return login === sender
}

/** The login that recorded something, before the server of a shared ledger lost it. */
function loginOf({ login, firstBy }: LedgerRecord): string {
  return firstBy?.login ?? login
}

function deriveFrom(records: readonly PaymentRecord[]) {
  const attempts: MutableAttempt[] = []
  // An event can arrive before the answer to its request is recorded, so answers are applied first.
  for (const record of records) applyRequest(attempts, record)
  for (const record of records) {
    if (record.type === 'finding') applyFinding(attempts, record, proofOf(record, records))
    if (record.type === 'event') applyEvent(attempts, record)
    if (record.type === 'query') applyQuery(attempts, record)
  }
  const deciding = heaviestAttempt(attempts)
  const [first] = attempts
  if (first === undefined || deciding === undefined) throw new DamagedValue('a payment has no attempt')
  const moved = attempts.filter(mayHaveMoved)
  const denied = attempts.filter(isDenied)
  const sends = attempts.flatMap((attempt) => attempt.sends)
  const unknown = attempts.find(({ state }) => state === 'unknown')?.sends[0] ?? null
  return {
    attempts,
    /** The attempt that the state comes from. */
    deciding,
    state: deciding.state,
    /** False if the state rests on an event that this machine cannot verify, or on the word of a login that sent nothing: it makes room for nothing. */
    isVerified: true,
    /** True if the outcome of an attempt is unknown, whatever an event says that cannot be verified. */
    isUnknown: deciding.state === 'unknown',
    /** True if it is not only because somebody else than who made the attempt found what became of it. */
    isKnownByOther: isKnownByOther(deciding),
    /** True if money moved, is moving, or may be. */
    mayHaveMoved: moved.length > 0,
    /** What moved, or may have, in cents: requested, else as the answer or the event says. */
    movedCents: sumOf(moved),
    /** True if an equal payment is a repeat: money moved or may have, only a person says that none did, or a person and an event disagree. */
    wasSent: moved.length > 0 || denied.length > 0,
    /** What counts in the sum of the day, in cents: what this ledger sent, unless it was refused or an event says that it failed. */
    countedCents: sumOf(attempts.filter(isCounted)),
    /** The finding by which a person alone says that no money moved, or denies that it failed; null if there is none. */
    denial: moved.length > 0 ? null : (denied.at(-1)?.finding ?? null),
    // The newest request can be that of an older attempt.
    /** When the last request may have left; if none did, when the first attempt was recorded. */
    sentMs: sends.length === 0 ? first.record.madeMs : Math.max(...sends.map(({ ms }) => ms)),
    /** When the first byte of an attempt with an unknown outcome may have left; null if none has one, 0 if the clock was wrong then. */
    firstSentMs: unknown === null ? null : unknown.isExact ? unknown.ms : 0,
    /** When a charge was paid, in ms: as its event or the gateway says, else when that or a person's word was recorded. Null for other payments, and if it was not. */
    paidAtMs: paidAtMs(deciding, records),
    /** In the wire's words; null while the outcome is unknown or nothing was sent. */
    status: statusOf(deciding),
    errorCode: reasonOf(deciding).errorCode,
    idTransaction:
      deciding.idTransaction ?? attempts.findLast((each) => each.idTransaction !== null)?.idTransaction ?? null,
  }
}

/** When the first byte of an attempt with an unknown outcome may have left, for a person; null if it is not known, because the clock was wrong then. */
export function knownSentMs(firstSentMs: number | null): number | null {
  return firstSentMs === 0 ? null : firstSentMs
}

/** The amount of an attempt in cents: requested, else as the answer, an event or a query says; null if unknown. */
export function amountCentsOf({ record, answer, event, query }: AttemptSummary): number | null {
  return record.facts.amountCents ?? answer?.amountCents ?? event?.amountCents ?? query?.amountCents ?? null
}

/** True if money moved through this attempt, or may have: also if the gateway says that it holds its externalId. */
function mayHaveMoved({ state, answer }: AttemptSummary): boolean {
  if (state === 'refused') return answer?.code === 'DUPLICATE_EXTERNAL_ID'
  return isOpen(state) || state === 'paid'
}

/** True if the gateway may have carried this attempt out, and only a person says that it did not; or if a person says that it did, and an event that it failed. */
function isDenied(attempt: AttemptSummary): boolean {
  const { state, outcome, answer, finding } = attempt
  if (finding === null || (state !== 'not-paid' && state !== 'returned')) return false
  if (isUndoneByEvent(attempt)) return state === 'not-paid' && finding.as === 'paid'
  return outcome === 'refused' ? answer?.code === 'DUPLICATE_EXTERNAL_ID' : outcome !== 'not-sent'
}

/** True if no answer and no event tells what became of an attempt, and another login than that of the attempt found it. */
function isKnownByOther({ record, outcome, event, finding }: AttemptSummary): boolean {
  if (finding === null || event !== null || outcome !== 'unknown') return false
  return isOfSeveral(finding) && finding.login !== loginOf(record)
}

/**
 * True if an attempt is part of the sum of its day: this ledger sent it, and neither a refusal nor an event says that it came to nothing. What
 * the gateway had accepted before the first request from here was sent by another ledger. A finding never takes a part away.
 */
function isCounted(attempt: AttemptSummary): boolean {
  const { state, outcome, sends } = attempt
  if (outcome === 'accepted-before' && sends.length === 1) return false
  if (isUndoneByEvent(attempt) && state !== 'paid') return false
  return state === 'paid' || outcome === 'accepted' || outcome === 'accepted-before' || outcome === 'unknown'
}

/** True if an event says that no money moved, or that it came back. */
function isUndoneByEvent({ evidence }: AttemptSummary): boolean {
  const meaning = evidence === null ? null : findingFromEvent(evidence)
  return meaning === 'not-paid' || meaning === 'returned'
}

function sumOf(attempts: readonly AttemptSummary[]): number {
  const cents = attempts.reduce((sum, attempt) => sum + (amountCentsOf(attempt) ?? 0), 0)
  return Math.min(cents, Number.MAX_SAFE_INTEGER)
}

function sentTime(record: LedgerRecord): SentTime {
  const { at, madeMs, storedAtMs } = record
  const isExact = madeMs === parseInstant(at) || madeMs === storedAtMs
  return { ms: madeMs, isExact, login: loginOf(record) }
}

type MutableAttempt = { -readonly [Name in keyof AttemptSummary]: AttemptSummary[Name] } & { sends: SentTime[] }

function applyRequest(attempts: MutableAttempt[], record: PaymentRecord): void {
  switch (record.type) {
    case 'attempt':
      attempts.push(newAttempt(record))
      return
    case 'resend': {
      const attempt = attempts.find((each) => each.record.id === record.attempt)
      if (attempt === undefined) return
      attempt.sender = record.sender
      attempt.sends.push(sentTime(record))
      setOutcome(attempt, 'unknown')
      return
    }
    case 'answer': {
      const attempt = attempts.find((each) => each.record.id === record.attempt)
      if (attempt !== undefined) applyAnswer(attempt, record)
      return
    }
    case 'finding':
    case 'event':
    case 'query':
      return
    default:
      record satisfies never
  }
}

function newAttempt(record: LedgerRecord<AttemptRecord>): MutableAttempt {
  return {
    record,
    outcome: 'unknown',
    answer: null,
    isAnsweredPaid: false,
    finding: null,
    event: null,
    query: null,
    evidence: null,
    // Until an answer is recorded, whether the request left is unknown.
    state: 'unknown',
    idTransaction: null,
    sender: record.sender,
    sends: [sentTime(record)],
  }
}

function applyAnswer(attempt: MutableAttempt, answer: LedgerRecord<AnswerRecord>): void {
  if (!isBelieved(attempt, answer)) return
  attempt.sender = null
  attempt.idTransaction ??= answer.idTransaction
  // What was accepted before is no part of the day, so anybody else's word for it says only that it was accepted.
  const isOwn = isFromSender(answer, loginOf(attempt.record))
  const outcome = answer.outcome === 'accepted-before' && !isOwn ? 'accepted' : answer.outcome
  if (outcome === 'not-sent') {
    attempt.sends.pop()
    // An attempt that was sent earlier stays unknown, even if nothing was sent this time.
    setOutcome(attempt, attempt.sends.length === 0 ? 'not-sent' : 'unknown')
  } else {
    setOutcome(attempt, outcome)
    const [sent, toldMs] = [attempt.sends.pop(), boundedMs(parseInstant(answer.gatewayAt ?? '') ?? 0, answer)]
    if (sent !== undefined) attempt.sends.push(toldMs > sent.ms ? { ...sent, ms: toldMs, isExact: true } : sent)
  }
  if (attempt.outcome === outcome) attempt.answer = answer
  if (attempt.state !== 'accepted' || !isOwn || findingFromStatus(answer.status ?? '') !== 'paid') return
  attempt.isAnsweredPaid = true
  attempt.state = 'paid'
}

/**
 * Only who made an attempt can say that it was refused, and only who recorded the last request that it never left: anybody else could make room for a
 * second payment. Whatever else an answer says can only prevent one.
 */
function isBelieved({ record, sends }: MutableAttempt, answer: LedgerRecord<AnswerRecord>): boolean {
  if (answer.outcome === 'refused') return isFromSender(answer, loginOf(record))
  return answer.outcome !== 'not-sent' || isFromSender(answer, sends.at(-1)?.login ?? loginOf(record))
}

/** An attempt that was accepted stays accepted. */
function setOutcome(attempt: MutableAttempt, outcome: Outcome): void {
  if (isAccepted(attempt.outcome) && !isAccepted(outcome)) return
  attempt.outcome = outcome
  if (!isAccepted(outcome)) attempt.state = outcome
  else if (attempt.state !== 'paid') attempt.state = attempt.record.facts.kind === 'qr' ? 'pending' : 'accepted'
}

/**
 * A finding is about the attempts that a person could know, and of those about each that is not finished. It says nothing against an event
 * by which the payment was made, or by a verified one failed. One that names the event that proves it is about the attempt of that event, of which events tell the state.
 */
function applyFinding(
  attempts: readonly MutableAttempt[],
  finding: LedgerRecord<FindingRecord>,
  proof: LedgerRecord<EventRecord> | undefined,
): void {
  const proved = proof && attemptOfEvent(attempts, proof)
  const said = proved?.evidence ? findingFromEvent(proved.evidence) : null
  if (proved !== undefined && said !== null) {
    Object.assign(proved, { finding, event: proved.evidence, query: null, state: said })
    return
  }
  const known = attemptsBefore(attempts, finding)
  const open = known.filter(({ state }) => isOpen(state))
  for (const attempt of open.length > 0 ? open : known.slice(-1)) {
    attempt.finding = finding
    const isSaidByGateway = (attempt.event ?? attempt.query) !== null
    const isDisproved =
      attempt.state === 'paid' ? finding.as === 'not-paid' : attempt.state === 'not-paid' && attempt.event?.isVerified
    if (isSaidByGateway && (attempt.state === finding.as || isDisproved)) continue
    Object.assign(attempt, { event: null, query: null, state: finding.as })
  }
}

/** The event of the payment by which a person proved what was found. */
function proofOf(
  { event, seq }: LedgerRecord<FindingRecord>,
  records: readonly PaymentRecord[],
): LedgerRecord<EventRecord> | undefined {
  const found = event && records.find((record) => record.id === event && record.seq < seq)
  return found && found.type === 'event' ? found : undefined
}

function applyEvent(attempts: readonly MutableAttempt[], event: LedgerRecord<EventRecord>): void {
  const attempt = attemptOfEvent(attempts, event)
  if (attempt === undefined) return
  attempt.idTransaction ??= event.idTransaction
  const meaning = findingFromEvent(event)
  if (meaning === null) return
  const isOfAnswer = isSameId(event.idTransaction, attempt.answer?.idTransaction ?? null)
  // If the request was sent twice, the failure of one says nothing about the other.
  if (meaning === 'not-paid' && attempt.sends.length > 1 && !isOfAnswer) return
  if (attempt.evidence === null || stateRank(meaning) > stateRank(findingFromEvent(attempt.evidence) ?? 'unknown')) {
    attempt.evidence = event
  }
  decideBy(attempt, event, meaning)
}

function applyQuery(attempts: readonly MutableAttempt[], query: LedgerRecord<QueryRecord>): void {
  const attempt = attempts.find(
    ({ record, idTransaction }) => record.facts.kind === 'qr' && isSameId(idTransaction, query.idTransaction),
  )
  const meaning = findingFromStatus(query.status)
  if (attempt !== undefined && meaning !== null) decideBy(attempt, query, meaning)
}

/** An event or an answer to a query decides if it says more than is known; an event also if it says the same as such an answer, or proves what a person only says, or disproves it. */
function decideBy(
  attempt: MutableAttempt,
  said: LedgerRecord<EventRecord> | LedgerRecord<QueryRecord>,
  meaning: Finding,
): void {
  const { finding, event, query, state } = attempt
  // What only the answer to the request says is what the gateway knew first.
  const isFirst = finding === null && event === null && query === null
  const isConfirmed = said.type === 'event' && query !== null && meaning === state
  const isOnWord = state === 'paid' && finding?.as === 'paid' && event === null && query === null
  // That somebody says it was paid gives way to a verified failure, and to the same from the gateway, unless another event says more.
  const isProof =
    isOnWord &&
    meaning !== 'returned' &&
    said.type === 'event' &&
    said.isVerified === true &&
    attempt.evidence !== null &&
    findingFromEvent(attempt.evidence) === meaning
  if (!isFirst && !isConfirmed && !isProof && stateRank(meaning) <= stateRank(state)) return
  // The finding already took earlier events into account, but proof recorded later overrides it.
  const deniesFinding = isProof || (finding?.as === 'not-paid' && meaning === 'paid')
  const isProved = finding?.event !== undefined && event !== null
  if (finding !== null && said.madeMs <= finding.madeMs && !deniesFinding && !isProved) return
  attempt.state = meaning
  attempt.event = said.type === 'event' ? said : null
  attempt.query = said.type === 'query' ? said : null
}

function attemptOfEvent(
  attempts: readonly MutableAttempt[],
  event: LedgerRecord<EventRecord>,
): MutableAttempt | undefined {
  const { idTransaction, externalId } = event
  const before = attemptsBefore(attempts, event)
  return (
    attempts.findLast((each) => isSameId(each.idTransaction, idTransaction)) ??
    attempts.findLast((each) => isSameId(each.record.externalId, externalId)) ??
    before.find(({ state }) => state === 'unknown') ??
    before.at(-1)
  )
}

function attemptsBefore(attempts: readonly MutableAttempt[], { seq }: { seq: number }): readonly MutableAttempt[] {
  return attempts.filter(({ record }) => record.seq < seq)
}

function heaviestAttempt(attempts: readonly MutableAttempt[]): MutableAttempt | undefined {
  for (const state of STATES_BY_WEIGHT) {
    const found = attempts.findLast((each) => each.state === state)
    if (found !== undefined) return found
  }
  return undefined
}

/** The gateway's code and sentence for what failed; null if nothing is known to have. */
export function reasonOf({ event, answer, state }: AttemptSummary): {
  errorCode: string | null
  errorMessage: string | null
} {
  const isMade = state === 'paid' || state === 'accepted' || state === 'pending'
  if (event !== null && event.errorCode !== null)
    return { errorCode: event.errorCode, errorMessage: event.errorMessage }
  if (answer === null || isMade) return { errorCode: null, errorMessage: null }
  return { errorCode: answer.code === SENDER_ENDED ? null : answer.code, errorMessage: answer.message }
}

function statusOf({ record, event, query, finding, answer, state }: AttemptSummary): string | null {
  const { kind } = record.facts
  if (event !== null) return event.status ?? (isFinding(state) ? STATUS_OF_FINDING[kind][state] : null)
  if (query !== null) return query.status
  if (finding !== null) return STATUS_OF_FINDING[kind][finding.as]
  return answeredStatus(kind, state, answer?.status ?? null)
}

/** The status of an attempt of which the answer alone tells the state, in the wire's words; null while the outcome is unknown or nothing was sent. */
export function answeredStatus(
  kind: PaymentFacts['kind'],
  state: PaymentState | 'accepted-before',
  answered: string | null,
): string | null {
  if (state === 'refused') return 'FAILED'
  if (state === 'unknown' || state === 'not-sent') return null
  return answered ?? (kind === 'qr' ? 'PENDING' : 'PROCESSING')
}

/** When a charge was paid: as an event or the gateway says, else when the event that says so arrived, or a person found it. */
function paidAtMs({ record, state, finding }: AttemptSummary, records: readonly PaymentRecord[]): number | null {
  if (record.facts.kind !== 'qr' || (state !== 'paid' && state !== 'returned')) return null
  const paid = records.find((each) => each.type === 'event' && findingFromEvent(each) === 'paid')
  const queries = records.filter((each) => each.type === 'query')
  return (
    (paid?.type === 'event' ? happenedMs(paid) : null) ??
    queries.findLast((each) => each.paidAtMs !== null)?.paidAtMs ??
    paid?.madeMs ??
    (state === 'paid' ? (finding?.madeMs ?? null) : null)
  )
}

/** The time in an event's body, in ms: when a charge was paid, when a refund was carried out; null if it has none. */
export function happenedMs({ bodyBase64 }: EventRecord): number | null {
  const facts = readEventFacts(Buffer.from(bodyBase64, 'base64').toString('utf8'))
  return parseInstant(facts?.happenedAt ?? '') ?? null
}
