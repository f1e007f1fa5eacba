import { DAY_MS, parseInstant } from '../pix/calendar.ts'
import type { Database } from '../storage/sqlite.ts'
import type { AttemptRecord, FirstWriter, LedgerRecord, RecordContent, ResendRecord } from './records.ts'

type RequestRecord = AttemptRecord | ResendRecord

/** The newest time by which requests of an environment count as made, in ms; null if there is none. */
export function newestClockMs(database: Database, environment: string): number | null {
  return database.integer('SELECT at_ms FROM clock WHERE environment = ?', environment)
}

/**
 * A record as it is to be written at this time. A request that is recorded while the clock is behind the newest time carries that time. The
 * gateway has not confirmed the clock: if it is corrected later, a request that counted as made earlier would no longer be found as a repeat.
 */
export function withClockFloor<Content extends RecordContent>(
  database: Database,
  content: Content,
  atMs: number,
): Content {
  if (!isRequest(content)) return content
  const environment = clockedEnvironment(database, content)
  const newestMs = environment === undefined ? null : newestClockMs(database, environment)
  return newestMs === null || newestMs <= atMs ? content : { ...content, notBefore: new Date(newestMs).toISOString() }
}

/**
 * When a record counts as made, in ms: at its time; a request also at the newest time that it carries. A person who writes into a shared ledger by hand can
 * claim any time, so there a request, and what says whom a payee is, count as made when the server stored them, if that is later. A request that was taken
 * over from another ledger keeps its own time: it can only forbid.
 */
export function madeMsOf(content: RecordContent & FirstWriter, atMs: number, storedAtMs?: number): number {
  if (content.type === 'payee') return boundedMs(Math.max(atMs, storedAtMs ?? 0), { storedAtMs })
  if (!isRequest(content)) return atMs
  const notBeforeMs = parseInstant(content.notBefore ?? '') ?? atMs
  const fromMs = content.firstBy === undefined ? (storedAtMs ?? 0) : 0
  return boundedMs(Math.max(atMs, notBeforeMs, fromMs), { storedAtMs })
}

/** No clock is wrong by more: what a record claims to be later than its server stored it was written by hand, and would count in the day for ever. */
const AHEAD_MS_MAX = DAY_MS

/** A time that a record claims, in ms: in a shared ledger not much later than the server stored it. */
export function boundedMs(claimedMs: number, { storedAtMs = Infinity }: Pick<LedgerRecord, 'storedAtMs'>): number {
  return Math.min(claimedMs, storedAtMs + AHEAD_MS_MAX)
}

/** No clock that was confirmed later sets the time of a request back to before this, in ms: that would make room for a second payment. */
export function earliestMs({ madeMs, storedAtMs, firstBy }: LedgerRecord): number {
  if (storedAtMs === undefined) return Number.NEGATIVE_INFINITY
  return firstBy === undefined ? storedAtMs : Math.min(madeMs, storedAtMs)
}

/** What is said to be on its way for longer was written by hand. */
const SENDING_MS_MAX = 3_600_000

/** Until when a request of a shared ledger may leave, in ms: as it says, and within an hour after the server stored it. */
export function sendableUntilMs(notAfter: string, storedAtMs: number | undefined): number {
  return Math.min(parseInstant(notAfter) ?? 0, storedAtMs === undefined ? Infinity : storedAtMs + SENDING_MS_MAX)
}

/** A moment to which the clock was set back, in an environment. */
interface ClockStep {
  environment: string
  atMs: number
}

/**
 * Notes the time of a record. Returns what must be derived again: everything that was sent before this moment and counts as made after it, because
 * the gateway confirmed a clock that is behind. Null for most records.
 */
export function noteClock(database: Database, record: LedgerRecord): ClockStep | null {
  const environment = clockedEnvironment(database, record)
  if (environment === undefined) return null
  // In a shared ledger it is the server's clock, whatever time a record claims.
  const { madeMs, storedAtMs: atMs = madeMs } = record
  const set = 'INSERT INTO clock (environment, at_ms) VALUES (?, ?) ON CONFLICT DO UPDATE SET at_ms = excluded.at_ms'
  if (record.type !== 'clock') {
    // Only the gateway sets the clock back.
    database.run(`${set} WHERE excluded.at_ms > at_ms`, environment, atMs)
    return null
  }
  const newestMs = newestClockMs(database, environment)
  database.run(set, environment, atMs)
  if (newestMs === null || newestMs <= atMs) return null
  database.run('INSERT INTO clock_step (seq, environment, at_ms) VALUES (?, ?, ?)', record.seq, environment, atMs)
  return { environment, atMs }
}

function isRequest(content: RecordContent): content is RequestRecord {
  return content.type === 'attempt' || content.type === 'resend'
}

/** The environment of a transfer or refund that is about to be sent; undefined for any other record, by which no time is judged. */
function clockedEnvironment(database: Database, content: RecordContent): string | undefined {
  if (content.type === 'clock') return content.environment
  if (content.type === 'attempt') return content.facts.kind === 'qr' ? undefined : content.owner.environment
  if (content.type !== 'resend') return undefined
  return database.text('SELECT environment FROM payment WHERE id = ?', content.payment) ?? undefined
}
