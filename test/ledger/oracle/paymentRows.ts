import type { PaymentFacts } from '../../../src/ledger/facts.ts'
import type { PaymentState } from '../../../src/ledger/paymentState.ts'
import type { PaymentRecord } from '../../../src/ledger/records.ts'
import type { SqlValue } from '../../../src/storage/sqlite.ts'
import { type AttemptStory, attemptStories } from './attemptStory.ts'
import { verdictOf } from './eventVerdict.ts'
import { plainTarget, scopeOf, targetChecksum } from './spelling.ts'

/** What the columns of a row must hold, by their names. */
export type ExpectedRow = Readonly<Record<string, SqlValue>>

/** The rows that the tables must hold of a payment. */
export interface PaymentRows {
  payment: ExpectedRow
  /** In the order of the attempts. */
  attempts: readonly ExpectedRow[]
  /** Null for a charge. */
  target: ExpectedRow | null
}

/** The first state that an attempt has is the payment's. */
const MOST_IMPORTANT_FIRST: readonly PaymentState[] = [
  'paid',
  'accepted',
  'pending',
  'unknown',
  'returned',
  'not-paid',
  'refused',
  'not-sent',
]

/** The rows of a payment, from all its records in their order; null if none is an attempt. `account` is its number in the ledger. */
export function paymentRows(records: readonly PaymentRecord[], account: number | null): PaymentRows | null {
  const stories = attemptStories(records)
  const [first] = stories
  const counting = countingStory(stories)
  if (first === undefined || counting === undefined) return null
  const { attempt } = first
  const { facts, owner, place } = attempt
  const moving = stories.filter(mayMove)
  const isWhole = bit(facts.kind === 'refund' && facts.isWhole)
  const movedCents = centsOf(moving)
  const wasSent = bit(stories.some((story) => mayMove(story) || isOnlyDenied(story)))
  const sentMs = lastSentMs(stories)
  const target = targetChecksum(owner, facts)
  return {
    payment: {
      seq: attempt.seq,
      id: attempt.payment,
      account,
      profile: owner.profile,
      environment: owner.environment,
      kind: facts.kind,
      name: nameOf(counting),
      row_id: attempt.rowId,
      run: place?.run ?? null,
      line: place?.line ?? null,
      reference: place?.reference ?? null,
      user: attempt.user,
      created_ms: Date.parse(attempt.at),
      comparable_key: plainTarget(facts),
      amount_cents: facts.amountCents,
      is_whole: isWhole,
      event_scope: scopeOf(owner) ?? '',
      state: counting.state,
      is_unknown: bit(counting.state === 'unknown'),
      may_have_moved: bit(moving.length > 0),
      moved_cents: movedCents,
      was_sent: wasSent,
      counted_cents: facts.kind === 'qr' ? 0 : centsOf(stories.filter(isOfTheDay)),
      known_cents: knownCents(counting),
      day_ms: Math.max(Date.parse(attempt.at), receivedMs(counting, records) ?? 0),
      sent_ms: sentMs,
      first_sent_ms: firstUnknownMs(stories),
      status: wireStatus(counting),
      error_code: wireCode(counting),
      id_transaction:
        counting.idTransaction ??
        stories.findLast(({ idTransaction }) => idTransaction !== null)?.idTransaction ??
        null,
      attempts: stories.length,
    },
    attempts: stories.map((story) => ({
      seq: story.attempt.seq,
      id: story.attempt.id,
      payment: story.attempt.payment,
      account,
      number: story.attempt.number,
      external_id: story.attempt.externalId,
      outcome: story.outcome,
      id_transaction: story.idTransaction,
      sender: story.sender,
    })),
    target:
      target === null
        ? null
        : {
            seq: attempt.seq,
            target,
            payment: attempt.payment,
            amount_cents: facts.amountCents,
            run: place?.run ?? null,
            row_id: attempt.rowId,
            is_unknown: bit(counting.state === 'unknown'),
            may_have_moved: bit(moving.length > 0),
            moved_cents: movedCents,
            was_sent: wasSent,
            is_whole: isWhole,
            sent_ms: sentMs,
          },
  }
}

function countingStory(stories: readonly AttemptStory[]): AttemptStory | undefined {
  const rank = ({ state }: AttemptStory) => MOST_IMPORTANT_FIRST.indexOf(state)
  return stories.reduce<AttemptStory | undefined>(
    (best, story) => (best === undefined || rank(story) <= rank(best) ? story : best),
    undefined,
  )
}

function mayMove({ state, answer }: AttemptStory): boolean {
  if (['paid', 'accepted', 'pending', 'unknown'].includes(state)) return true
  // The gateway holds a request with this externalId; it may be this one.
  return state === 'refused' && answer?.code === 'DUPLICATE_EXTERNAL_ID'
}

/** The gateway may have carried it out, and nothing but a person's word says that the money is not gone; or a person says that it is gone, an event that it failed. */
function isOnlyDenied(story: AttemptStory): boolean {
  if (story.state === 'not-paid' && story.finding?.as === 'paid' && isUndone(story)) return true
  const isDenied = story.finding !== null && ['not-paid', 'returned'].includes(story.state)
  const mayHaveArrived =
    story.outcome === 'refused' ? story.answer?.code === 'DUPLICATE_EXTERNAL_ID' : story.outcome !== 'not-sent'
  return isDenied && mayHaveArrived && !isUndone(story)
}

/** What this ledger sent, unless the gateway says that it came to nothing. A person's word changes nothing. */
function isOfTheDay(story: AttemptStory): boolean {
  const { state, outcome, left } = story
  // It was accepted before the only request from here, so another ledger sent it.
  if (outcome === 'accepted-before' && left.length === 1) return false
  if (state === 'paid') return true
  return !isUndone(story) && outcome !== 'refused' && outcome !== 'not-sent'
}

function isUndone({ strongest }: AttemptStory): boolean {
  const verdict = strongest === null ? null : verdictOf(strongest)
  return verdict === 'not-paid' || verdict === 'returned'
}

function knownCents({ attempt, answer, proof, told }: AttemptStory): number | null {
  return attempt.facts.amountCents ?? answer?.amountCents ?? proof?.amountCents ?? told?.amountCents ?? null
}

function centsOf(stories: readonly AttemptStory[]): number {
  let cents = 0
  for (const story of stories) cents += knownCents(story) ?? 0
  return cents
}

function lastSentMs(stories: readonly AttemptStory[]): number | null {
  const times = stories.flatMap(({ left }) => left.map(({ madeMs }) => madeMs))
  return times.length === 0 ? (stories[0]?.attempt.madeMs ?? null) : times.reduce((one, other) => Math.max(one, other))
}

/** When the first request of the unknown attempt left; 0 if the clock was wrong then. */
function firstUnknownMs(stories: readonly AttemptStory[]): number | null {
  const request = stories.find(({ state }) => state === 'unknown')?.left[0]
  if (request === undefined) return null
  return Date.parse(request.at) === request.madeMs ? request.madeMs : 0
}

/** When the payer of a charge paid it: the first event that says so knows best, then the gateway, then a person. */
function receivedMs({ attempt, state, finding }: AttemptStory, records: readonly PaymentRecord[]): number | null {
  if (attempt.facts.kind !== 'qr' || !['paid', 'returned'].includes(state)) return null
  for (const record of records) {
    if (record.type !== 'event' || verdictOf(record) !== 'paid') continue
    const body: unknown = JSON.parse(Buffer.from(record.bodyBase64, 'base64').toString())
    const at = timeIn(body)
    if (at !== null) return at
    break
  }
  const asked = records.flatMap((record) =>
    record.type === 'query' && record.paidAtMs !== null ? [record.paidAtMs] : [],
  )
  const arrived = records.find((record) => record.type === 'event' && verdictOf(record) === 'paid')?.madeMs
  return asked.at(-1) ?? arrived ?? (state === 'paid' ? (finding?.madeMs ?? null) : null)
}

/** `paidAt`, `updatedAt` or `timestamp`, beside the other facts of an event. */
function timeIn(body: unknown): number | null {
  const texts = JSON.stringify(body).match(/"(?:paidAt|timestamp)":"([^"]+)"/)
  const ms = texts?.[1] === undefined ? Number.NaN : Date.parse(texts[1])
  return Number.isNaN(ms) ? null : ms
}

function nameOf({ attempt: { facts, externalId } }: AttemptStory): string {
  if (facts.kind === 'qr') return facts.requestNumber
  return facts.kind === 'refund' ? facts.originalTransactionId : (externalId ?? '')
}

function wireCode({ proof, answer, state }: AttemptStory): string | null {
  const isMade = ['accepted', 'pending', 'paid'].includes(state)
  const code = proof?.errorCode ?? (isMade ? null : answer?.code) ?? null
  // That a process ended is nothing that the gateway said.
  return code === 'SENDER_ENDED' ? null : code
}

function wireStatus({ attempt, proof, told, finding, answer, state }: AttemptStory): string | null {
  const { kind } = attempt.facts
  if (proof !== null) return proof.status ?? finalStatus(kind, state)
  if (told !== null) return told.status
  if (finding !== null) return finalStatus(kind, finding.as)
  if (['accepted', 'pending', 'paid'].includes(state))
    return answer?.status ?? (kind === 'qr' ? 'PENDING' : 'PROCESSING')
  return state === 'refused' ? 'FAILED' : null
}

function finalStatus(kind: PaymentFacts['kind'], state: PaymentState): string | null {
  if (state === 'paid') return { qr: 'PAID', transfer: 'PAID_OUT', refund: 'COMPLETED' }[kind]
  if (state === 'not-paid') return { qr: 'CANCELLED', transfer: 'ERROR', refund: 'FAILED' }[kind]
  return state === 'returned' ? { qr: 'REFUNDED', transfer: 'RETURNED', refund: 'FAILED' }[kind] : null
}

function bit(condition: boolean): number {
  return condition ? 1 : 0
}
