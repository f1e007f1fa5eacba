import { reaisFromCents } from '../pix/amount.ts'
import { type Database, integerOf, integerOrNull, type Row, textOf, textOrNull } from '../storage/sqlite.ts'
import { withoutAccents } from '../text/foldedText.ts'
import { type EventFacts, eventKey } from '../wire/eventFacts.ts'
import { redact, type Secret } from '../wire/secret.ts'
import { redactHeaders, redactTarget } from '../wire/signature.ts'
import type { EventOwner } from './accounts.ts'
import { eventsWhere, RECORD_COLUMNS, recordsOf } from './chain.ts'
import { bodyDigest, eventOwnerKey, nextEventNumber } from './derivedTables.ts'
import { EVENT_FACT_RULES, type FactRule } from './facts.ts'
import type { Ledger } from './ledger.ts'
import { IS_OWN_RECORD } from './ledgerNotes.ts'
import {
  canBeAbout,
  eventScope,
  findingFromEvent,
  isOpen,
  isSameScope,
  type PaymentState,
  stateRank,
} from './paymentState.ts'
import type { Payment } from './payments.ts'
import type { EventRecord, ForwardRecord, LedgerRecord } from './records.ts'
import { bareForm } from './search.ts'
import { noteSignedBytes } from './verifiedEvents.ts'
import type { Writer } from './writer.ts'

/** A genuine webhook that is to be stored. */
export interface ReceivedEvent {
  facts: EventFacts
  body: Buffer
  target: string
  headers: readonly [name: string, value: string][]
  owner: EventOwner
  isSigned: boolean
  via: EventRecord['via']
  receivedAtMs: number
}

/** The number under which an event is stored, the id of its record, and whether it had arrived before. */
export interface StoredEvent {
  n: number
  id: string
  duplicate: boolean
}

type NextEvent<Event extends EventRecord> =
  /** As it is to be written. */
  | { n: number; record: Event }
  /** The same bytes were stored before, in the record with this id. */
  | { n: number; record: null; id: string }

/** An event with the results of forwarding it, oldest first. */
export interface EventWithForwards {
  record: LedgerRecord<EventRecord>
  forwards: LedgerRecord<ForwardRecord>[]
  /** Those of this machine's login: a login that writes another could send names and tax documents anywhere. */
  ownForwards: LedgerRecord<ForwardRecord>[]
}

/** Which events are requested; null for what does not limit them. */
export interface EventQuery {
  /** Received at this time or later, in ms. */
  sinceMs: number | null
  /** Only those with a smaller number. */
  beforeN?: number | undefined
  /** How many of the newest, after the other limits. */
  last: number | null
  /** Only those whose last forward failed. */
  failed: boolean
  /** Only those of an account (see eventScope), and those that belong to none. */
  scope: string | null
}

/**
 * Stores an event unless the same bytes were stored before. One that says the same in other bytes is stored as a duplicate. Credentials in
 * its headers and its query are not stored, and neither are these secrets; the body is kept byte for byte.
 */
export function storeEvent(writer: Writer, event: ReceivedEvent, secrets: readonly Secret[] = []): StoredEvent {
  noteSigned(writer.database, event)
  const next = nextEvent(writer.database, eventRecord(event, secrets))
  const { n } = next
  if (next.record === null) return { n, id: next.id, duplicate: true }
  const { id, duplicateOf } = writer.append(next.record, event.receivedAtMs)
  return { n, id, duplicate: duplicateOf !== null }
}

/** Notes for events that are about to be stored in a shared ledger that this machine has verified them; in its own ledger, storing them does that. */
export async function noteVerifiedHere(ledger: Ledger, events: readonly ReceivedEvent[]): Promise<void> {
  if (ledger.environment.sharedAt === undefined) return
  await ledger.writeHere(({ database }) => {
    for (const event of events) noteSigned(database, event)
  })
}

function noteSigned(database: Database, { owner, isSigned, body }: Pick<ReceivedEvent, 'owner' | 'isSigned' | 'body'>) {
  const scope = isSigned ? eventScope(owner) : null
  if (scope !== null) noteSignedBytes(database, { scope, digest: bodyDigest(body) }, true)
}

/** Gives an event the next number, and tells what it repeats. */
export function nextEvent<Event extends EventRecord>(database: Database, event: Event): NextEvent<Event> {
  const digest = bodyDigest(Buffer.from(event.bodyBase64, 'base64'))
  const known = database.all(
    'SELECT event.n, event.digest, duplicate_of, record.id FROM event JOIN record USING (seq) WHERE event_key = ? AND owner = ? ORDER BY n',
    eventKey(event, digest),
    eventOwnerKey(event.owner, event.isSigned),
  )
  const same = known.find((row) => textOf(row, 'digest') === digest)
  if (same !== undefined) return { n: integerOf(same, 'n'), record: null, id: textOf(same, 'id') }
  const first = known.find((row) => integerOrNull(row, 'duplicate_of') === null)
  const duplicateOf = first === undefined ? null : integerOf(first, 'n')
  const n = nextEventNumber(database)
  return { n, record: { ...event, n, duplicateOf } }
}

/** The number of an event; null while it waits on this machine, because others may be stored before it. */
export function eventNumber({ n, isPending }: Pick<LedgerRecord<EventRecord>, 'n' | 'isPending'>): number | null {
  return isPending === true ? null : n
}

/** What commands take for an event: its number, or the id of its record while it has none. */
export function nameOfEvent(event: Pick<LedgerRecord<EventRecord>, 'n' | 'isPending' | 'id'>): string {
  return String(eventNumber(event) ?? event.id)
}

/** The number of the event whose record has an id, provisional for a pending one; undefined if there is none. */
export function numberOfEvent(database: Database, id: string): number | undefined {
  return database.integer('SELECT event.n FROM event JOIN record USING (seq) WHERE record.id = ?', id) ?? undefined
}

/** Records the result of forwarding or replaying an event, without credentials in the query of its URL and these secrets. */
export function storeForward(
  writer: Writer,
  forward: Omit<ForwardRecord, 'type'>,
  secrets: readonly Secret[] = [],
): void {
  const { url, body } = forward
  writer.append({ type: 'forward', ...forward, url: redactTarget(url, secrets), body: redact(body, secrets) })
}

/** The events that a query asks for, oldest first. Throws DamagedRecord. */
export function queryEvents(
  database: Database,
  { sinceMs, beforeN, last, failed, scope }: EventQuery,
): EventWithForwards[] {
  const newest = eventsWhere(
    database,
    `($sinceMs IS NULL OR received_ms >= $sinceMs) AND ($failed = 0 OR last_forward_ok = 0)
       AND ($scope IS NULL OR scope IS NULL OR scope = $scope) AND event.n < $beforeN
     ORDER BY event.n DESC LIMIT $last`,
    { sinceMs, failed: failed ? 1 : 0, scope, beforeN: beforeN ?? Number.MAX_SAFE_INTEGER, last: last ?? -1 },
  )
  return newest.reverse().map((record) => withForwards(database, record))
}

/** The event with a number (`7` or `#7`), or all that name an id: of the transaction, the refunded payment, an externalId, the record. */
export function findEvents(database: Database, name: string): EventWithForwards[] {
  const number = /^#?(\d+)$/.exec(name)?.[1]
  const numbered = number === undefined ? [] : eventsNumbered(database, [Number(number)])
  if (numbered.some(({ record }) => eventNumber(record) !== null)) return numbered
  const named = eventsWhere(
    database,
    `event.n IN (
       SELECT n FROM event WHERE id_transaction = $name
       UNION SELECT n FROM event WHERE original_id = $name
       UNION SELECT n FROM event WHERE external_id = $name
       UNION SELECT event.n FROM record JOIN event ON event.seq = record.seq WHERE record.id = $name)
     ORDER BY event.n`,
    { name },
  )
  return named.map((record) => withForwards(database, record))
}

/** The events with these numbers, those of pending ones too. */
export function eventsNumbered(database: Database, numbers: readonly number[]): EventWithForwards[] {
  const found = numbers.flatMap((n) => eventsWhere(database, 'event.n = ?', n))
  return found.map((record) => withForwards(database, record))
}

/** The numbers of the newest events that arrived or were forwarded after a record, newest first. */
export function eventsChangedAfter(database: Database, seq: number, limit: number): number[] {
  return database
    .all(
      `SELECT n FROM event WHERE seq > $seq UNION SELECT n FROM forward WHERE seq > $seq ORDER BY n DESC LIMIT $limit`,
      { seq, limit },
    )
    .map((row) => integerOf(row, 'n'))
}

/** How many events are recorded; they are numbered from 1, without gaps. */
export function countEvents(database: Database): number {
  return nextEventNumber(database) - 1
}

/** The events about no payment of this machine that name an id, oldest first. */
export function unlinkedEvents(database: Database, id: string): LedgerRecord<EventRecord>[] {
  return findEvents(database, id)
    .map(({ record }) => record)
    .filter(({ n }) => database.has('SELECT 1 FROM event WHERE n = ? AND payment IS NULL', n))
}

function withForwards(database: Database, record: LedgerRecord<EventRecord>): EventWithForwards {
  const query = `SELECT ${RECORD_COLUMNS} FROM forward JOIN record ON record.seq = forward.seq WHERE forward.n = ?`
  const forwardsWhich = (condition: string) =>
    recordsOf(database.all(`${query} AND ${condition} ORDER BY seq`, record.n), 'forward')
  return { record, forwards: forwardsWhich('TRUE'), ownForwards: forwardsWhich(IS_OWN_RECORD) }
}

function eventRecord(
  { facts, body, target, headers, owner, isSigned, via }: ReceivedEvent,
  secrets: readonly Secret[],
): EventRecord {
  return {
    type: 'event',
    n: 0,
    duplicateOf: null,
    owner,
    event: facts.event,
    subject: facts.subject,
    idTransaction: facts.idTransaction,
    originalTransactionId: facts.originalTransactionId,
    externalId: facts.externalId,
    status: facts.status,
    amountCents: facts.amountCents,
    name: facts.name,
    taxId: facts.taxId,
    bank: facts.bank,
    errorCode: facts.errorCode,
    errorMessage: facts.errorMessage,
    isSigned,
    via,
    target: redactTarget(target, secrets),
    headers: redactHeaders(headers, secrets),
    bodyBase64: body.toString('base64'),
  }
}

type Event = LedgerRecord<EventRecord>

/** A refund or transfer that was not sent from this machine, as far as events tell. */
interface ExternalTransaction {
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
 * tell. Oldest first; none for a payment that is finished, unless a person alone says that it was made.
 */
export function possibleEvents(
  database: Database,
  { facts, owner, summary, first }: Payment,
): LedgerRecord<EventRecord>[] {
  const scope = eventScope(owner)
  const { finding, evidence } = summary.deciding
  const isOnWord = summary.state === 'paid' && finding !== null && evidence === null
  if (
    facts.amountCents === null ||
    scope === null ||
    !(isOpen(summary.state) || isOnWord) ||
    summary.idTransaction !== null
  )
    return []
  const unlinked =
    'event.payment IS NULL AND event.scope = ? AND event.amount_cents = ? AND event.received_ms >= ? ORDER BY event.n'
  return eventsWhere(database, unlinked, scope, facts.amountCents, Date.parse(first.at)).filter(
    ({ subject, externalId, originalTransactionId }) =>
      canBeAbout(subject, facts.kind) &&
      (facts.kind !== 'transfer' || externalId === null) &&
      (facts.kind !== 'refund' || originalTransactionId === facts.originalTransactionId),
  )
}

/** Which events are searched for; null for what does not limit them. */
interface EventSearch {
  /** Each must occur, in any case and with or without accents. */
  words: readonly string[]
  sinceMs: number | null
  beforeMs: number | null
  amountCents: number | null
  /** Each is an amount, or else occurs as a number. */
  amountOrWord: readonly { amountCents: number; word: string }[]
}

/** Events are not indexed, so they are read in pieces, between which a listener of this process can answer. */
const PIECE_EVENTS = 1_000

/** The texts of the facts that are searched as one of these, one by one, because together they would be JSON, with its quotes and nulls. */
function textsOf(...kinds: readonly FactRule['search'][]): string {
  const facts = Object.entries(EVENT_FACT_RULES).filter(([, { search }]) => kinds.includes(search))
  return `concat_ws(' ', ${facts.map(([fact]) => `json_extract(record.content, '$.${fact}')`).join(', ')})`
}

/**
 * The numbers of the newest events that a search finds, newest first, at most `limit`, among the newest `readMax`. Names, tax documents
 * and error messages are searched as they came.
 */
export async function searchEvents(
  ledger: Ledger,
  search: EventSearch,
  { limit, readMax }: { limit: number; readMax: number },
): Promise<number[]> {
  const found: number[] = []
  let before = Number.MAX_SAFE_INTEGER
  for (let read = 0; read < readMax && found.length < limit; read += PIECE_EVENTS) {
    const rows = await ledger.read((database) => piece(database, before))
    found.push(...rows.filter((row) => matches(row, search)).map((row) => integerOf(row, 'n')))
    const oldest = rows.at(-1)
    if (oldest === undefined) break
    before = integerOf(oldest, 'n')
  }
  return found.slice(0, limit)
}

function piece(database: Database, before: number): Row[] {
  return database.all(
    `SELECT event.n, event.amount_cents, event.received_ms,
       ${textsOf('tax-document')} AS tax_documents, ${textsOf('name', 'word')} AS words
     FROM event JOIN record ON record.seq = event.seq WHERE event.n < ? ORDER BY event.n DESC LIMIT ?`,
    before,
    PIECE_EVENTS,
  )
}

function matches(row: Row, { words, sinceMs, beforeMs, amountCents, amountOrWord }: EventSearch): boolean {
  const receivedMs = integerOf(row, 'received_ms')
  const cents = integerOrNull(row, 'amount_cents')
  if ((sinceMs !== null && receivedMs < sinceMs) || (beforeMs !== null && receivedMs >= beforeMs)) return false
  if (amountCents !== null && cents !== amountCents) return false
  const taxDocument = textOrNull(row, 'tax_documents') ?? ''
  const texts = [textOrNull(row, 'words'), taxDocument, bareForm(taxDocument)]
  const text = withoutAccents(texts.filter((each) => each !== null).join(' '))
  const has = (word: string) =>
    text.includes(withoutAccents(word)) || text.includes(withoutAccents(bareForm(word) ?? word))
  return words.every(has) && amountOrWord.every((each) => cents === each.amountCents || has(each.word))
}
