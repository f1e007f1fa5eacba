import type { PaymentState } from '../../../src/ledger/paymentState.ts'
import type {
  AnswerRecord,
  AttemptRecord,
  EventRecord,
  FindingRecord,
  LedgerRecord,
  PaymentRecord,
  QueryRecord,
  ResendRecord,
} from '../../../src/ledger/records.ts'
import type { Outcome } from '../../../src/wire/errors.ts'
import { strengthOf, verdictOf } from './eventVerdict.ts'
import { areSameIds } from './spelling.ts'

/** What all records of a payment say of one of its attempts. */
export interface AttemptStory {
  readonly attempt: LedgerRecord<AttemptRecord>
  /** The requests that may have left, oldest first. */
  readonly left: readonly LedgerRecord<AttemptRecord | ResendRecord>[]
  readonly outcome: Outcome
  /** The answer that says the outcome; null if none does. */
  readonly answer: LedgerRecord<AnswerRecord> | null
  readonly idTransaction: string | null
  readonly sender: string | null
  readonly state: PaymentState
  /** The last word of a person. */
  readonly finding: LedgerRecord<FindingRecord> | null
  /** The event that the state comes from; null if it comes from elsewhere. */
  readonly proof: LedgerRecord<EventRecord> | null
  /** The answer to a query that the state comes from; null if it comes from elsewhere. */
  readonly told: LedgerRecord<QueryRecord> | null
  /** The strongest event, whatever a person said after it. */
  readonly strongest: LedgerRecord<EventRecord> | null
}

/** The stories of all attempts of a payment, from its records in their order. */
export function attemptStories(records: readonly PaymentRecord[]): readonly AttemptStory[] {
  let stories = records.flatMap((record) => (record.type === 'attempt' ? [exchangeStory(record, records)] : []))
  // Answers say what the gateway did with a request; what events and people say is judged in the light of all of them.
  for (const record of records) {
    if (record.type === 'finding') stories = afterFinding(stories, record, records)
    if (record.type === 'event') stories = afterEvent(stories, record)
    if (record.type === 'query') stories = afterQuery(stories, record)
  }
  return stories
}

/** What requests and answers say of an attempt. */
function exchangeStory(attempt: LedgerRecord<AttemptRecord>, records: readonly PaymentRecord[]): AttemptStory {
  const said = records.filter(
    (record): record is LedgerRecord<AttemptRecord | ResendRecord | AnswerRecord> =>
      record === attempt || ((record.type === 'resend' || record.type === 'answer') && record.attempt === attempt.id),
  )
  const exchange: typeof said = []
  const left: LedgerRecord<AttemptRecord | ResendRecord>[] = []
  const conclusive: LedgerRecord<AnswerRecord>[] = []
  for (const record of said) {
    if (isStrangersDenial(record, attempt, left.at(-1))) continue
    exchange.push(record)
    if (record.type !== 'answer') left.push(record)
    else if (record.outcome !== 'not-sent') {
      conclusive.push(record)
      left.push(...left.splice(-1).map((request) => toldTime(request, record)))
    } else {
      left.pop()
      if (left.length === 0) conclusive.push(record)
    }
  }
  const answers = exchange.filter((record) => record.type === 'answer')
  const acceptance = answers.findLast(({ outcome }) => outcome === 'accepted' || outcome === 'accepted-before')
  const last = exchange.at(-1)
  const answer = acceptance ?? conclusive.at(-1) ?? null
  // What was accepted once stays accepted. Otherwise the end of the exchange decides; a request without an answer is an unknown outcome.
  const outcome = acceptance?.outcome ?? (last !== undefined && last === answer ? last.outcome : 'unknown')
  return {
    attempt,
    left,
    outcome,
    answer,
    idTransaction: answers.find(({ idTransaction }) => idTransaction !== null)?.idTransaction ?? null,
    sender: last === undefined || last.type === 'answer' ? null : last.sender,
    state: outcome === 'accepted' || outcome === 'accepted-before' ? acceptedState(attempt, answers) : outcome,
    finding: null,
    proof: null,
    told: null,
    strongest: null,
  }
}

/** A charge waits for its payer. A transfer or refund is done if its own sender was told so with the last acceptance that says anything. */
function acceptedState(
  attempt: LedgerRecord<AttemptRecord>,
  answers: readonly LedgerRecord<AnswerRecord>[],
): PaymentState {
  if (attempt.facts.kind === 'qr') return 'pending'
  const saysDone = answers.some(
    ({ outcome, status, login }) =>
      (outcome === 'accepted' || outcome === 'accepted-before') &&
      ['PAID', 'PAID_OUT', 'COMPLETED'].includes(status?.toUpperCase() ?? '') &&
      (login === attempt.login || login === attempt.firstBy?.login),
  )
  return saysDone ? 'paid' : 'accepted'
}

/** True if somebody else says that an attempt was refused, or that the last request of it never left; neither is believed. */
function isStrangersDenial(
  record: LedgerRecord<AttemptRecord | ResendRecord | AnswerRecord>,
  attempt: LedgerRecord<AttemptRecord>,
  request: LedgerRecord<AttemptRecord | ResendRecord> = attempt,
): boolean {
  if (record.type !== 'answer' || (record.outcome !== 'refused' && record.outcome !== 'not-sent')) return false
  const { login, firstBy } = record.outcome === 'refused' ? attempt : request
  // Who had recorded it before the server lost it may still speak of it.
  return record.login !== login && record.login !== firstBy?.login
}

/** A request as it counts when the gateway's clock was ahead of this machine's: it left when the gateway says. */
function toldTime<Request extends LedgerRecord>(request: Request, { gatewayAt: at }: AnswerRecord): Request {
  const madeMs = at === undefined ? Number.NEGATIVE_INFINITY : Date.parse(at)
  return at === undefined || madeMs <= request.madeMs ? request : { ...request, at, madeMs }
}

/** A person speaks of the attempts that exist: of all that are open, or else of the last; with the event that proves it, of that event's attempt. */
function afterFinding(
  stories: readonly AttemptStory[],
  finding: LedgerRecord<FindingRecord>,
  records: readonly PaymentRecord[],
): AttemptStory[] {
  const shown = records.find(
    (record) => record.type === 'event' && record.id === finding.event && record.seq < finding.seq,
  )
  const proved = shown?.type === 'event' ? meantBy(stories, shown) : undefined
  const proof = proved?.strongest ?? null
  const state = proof === null ? null : verdictOf(proof)
  if (state !== null) return stories.map((story) => (story === proved ? { ...story, finding, proof, state } : story))
  const existing = stories.filter(({ attempt }) => attempt.seq < finding.seq)
  const open = existing.filter(({ state }) => ['unknown', 'accepted', 'pending'].includes(state))
  const meant = open.length === 0 ? existing.slice(-1) : open
  return stories.map((story) => {
    if (!meant.includes(story)) return story
    const isFromGateway = story.proof !== null || story.told !== null
    const isProved = isFromGateway && story.state === finding.as
    // A finding cannot undo a payment that an event or the answer to a query proves, nor a failure that a verified event does.
    const isDisproved = isFromGateway && story.state === 'paid' && finding.as === 'not-paid'
    const isFailed = story.proof?.isSigned === true && story.state === 'not-paid'
    return isProved || isDisproved || isFailed
      ? { ...story, finding }
      : { ...story, finding, proof: null, told: null, state: finding.as }
  })
}

function afterEvent(stories: readonly AttemptStory[], event: LedgerRecord<EventRecord>): AttemptStory[] {
  const meant = meantBy(stories, event)
  return stories.map((story) => (story === meant ? withEvent(story, event) : story))
}

/** The attempt whose ids an event names; else the first that is open, or the last. */
function meantBy(stories: readonly AttemptStory[], event: LedgerRecord<EventRecord>): AttemptStory | undefined {
  const existing = stories.filter(({ attempt }) => attempt.seq < event.seq)
  return (
    stories.findLast((story) => areSameIds(story.idTransaction, event.idTransaction)) ??
    stories.findLast(({ attempt }) => areSameIds(attempt.externalId, event.externalId)) ??
    existing.find(({ state }) => state === 'unknown') ??
    existing.at(-1)
  )
}

function withEvent(before: AttemptStory, event: LedgerRecord<EventRecord>): AttemptStory {
  const story = { ...before, idTransaction: before.idTransaction ?? event.idTransaction }
  const verdict = verdictOf(event)
  if (verdict === null) return story
  // One of two requests failed: the other may have been carried out.
  const isAmbiguous = story.left.length > 1 && !areSameIds(event.idTransaction, story.answer?.idTransaction ?? null)
  if (verdict === 'not-paid' && isAmbiguous) return story
  const known = story.strongest === null ? null : verdictOf(story.strongest)
  const strongest = strengthOf(verdict) > strengthOf(known) ? event : story.strongest
  const isOlder = story.finding !== null && event.madeMs <= story.finding.madeMs
  const isProved = story.finding?.event !== undefined && story.proof !== null
  const isIgnored = isOlder && !isProved && !(story.finding?.as === 'not-paid' && verdict === 'paid')
  const isStrongest = strongest !== null && verdictOf(strongest) === verdict
  if (verdict !== 'returned' && isStrongest && event.isSigned && isOnlySaidPaid(story)) {
    return { ...story, strongest, proof: event, state: verdict }
  }
  const says = story.told !== null && verdict === story.state
  if (isIgnored || !(says || isNews(story, verdict))) return { ...story, strongest }
  return { ...story, strongest, proof: event, told: null, state: verdict }
}

/** Nothing but a person's word says that it was paid. */
function isOnlySaidPaid({ proof, told, finding, state }: AttemptStory): boolean {
  return proof === null && told === null && state === 'paid' && finding?.as === 'paid'
}

/** What only the answer to the request says is no more than a beginning. */
function isNews({ proof, told, finding, state }: AttemptStory, verdict: PaymentState): boolean {
  const isBeginning = proof === null && told === null && finding === null
  return isBeginning || strengthOf(verdict) > strengthOf(state)
}

/** The gateway is asked for charges only; a query names the one whose id it has. */
function afterQuery(stories: readonly AttemptStory[], query: LedgerRecord<QueryRecord>): AttemptStory[] {
  const meant = stories.find(
    ({ attempt, idTransaction }) => attempt.facts.kind === 'qr' && areSameIds(idTransaction, query.idTransaction),
  )
  const verdict = queryVerdict(query.status)
  if (meant === undefined || verdict === null || !isNews(meant, verdict)) return [...stories]
  const isOlder = meant.finding !== null && query.madeMs <= meant.finding.madeMs
  const isProved = meant.finding?.event !== undefined && meant.proof !== null
  if (isOlder && !isProved && !(meant.finding?.as === 'not-paid' && verdict === 'paid')) return [...stories]
  return stories.map((story) => (story === meant ? { ...story, told: query, proof: null, state: verdict } : story))
}

/** What the words of the service mean for a charge. */
function queryVerdict(status: string): PaymentState | null {
  const word = status.toUpperCase()
  if (['PAID', 'PAID_OUT', 'COMPLETED'].includes(word)) return 'paid'
  if (['EXPIRED', 'CANCELLED', 'CANCELED', 'ERROR', 'FAILED'].includes(word)) return 'not-paid'
  return ['REFUNDED', 'CHARGEBACK', 'RETURNED'].includes(word) ? 'returned' : null
}
