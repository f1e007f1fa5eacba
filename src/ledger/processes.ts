import { existsSync, readdirSync } from 'node:fs'
import { join } from 'node:path'
import { type FileLock, isFileLockFree, tryFileLock } from '../storage/fileLock.ts'
import { makePrivateFolder } from '../storage/privateFolder.ts'
import {
  type Database,
  integerOf,
  integerOrNull,
  loadSqlite,
  type OpenDatabase,
  type Row,
  textOf,
  textOrNull,
} from '../storage/sqlite.ts'
import { Failure } from '../wire/errors.ts'
import { chainEnd, IS_READABLE } from './chain.ts'
import type { LedgerEnvironment } from './paymentState.ts'
import { sendableUntilMs } from './recordedClock.ts'
import { NO_RESPONSE, SENDER_ENDED } from './records.ts'
import type { Writer } from './writer.ts'

/** A process that sends, works on a run or listens. */
export interface ProcessHolder {
  id: string
  /** Null for a process of another machine, and for one that has ended. */
  pid: number | null
  user: string
  machine: string
  /** RFC 3339, UTC. */
  since: string
  /** Until when its request may be on its way, if it has ended, or is on another machine, so that it cannot be known whether it lives; null otherwise. */
  until: string | null
  /** How long that still is; null without `until`. */
  leftMs: number | null
  /** True for a process of this machine that has ended. */
  hasEnded: boolean
}

/** This process as others see it, as long as it lives. */
export interface SenderProcess {
  readonly id: string
  /** The number of the last record that was there when it entered. */
  readonly afterSeq: number
  /** Loads what {@link livingProcess} needs. */
  readonly open: OpenDatabase
  /** Takes the process out of the ledger. To be called in a write transaction. */
  leave(database: Database): void
  /** Releases and removes its lock file. */
  release(): void
}

/** A charge that a process asked for, or a payment whose money may have moved when it sent it. */
export type SentPayment = ReturnType<typeof sentPayments>[number]

/** Who is sending payments, by the UUIDs of these. */
export type PaymentsBeingSent = ReadonlyMap<string, ProcessHolder>

const LOCK_FOLDER = 'locks'
const LOCK_SUFFIX = '.lock'

/**
 * Enters this process in the ledger, with a lock file that the kernel releases when it ends, however it ends. The file is created in the
 * transaction that enters it, because another process may look for unheld lock files in a transaction of its own.
 */
export async function senderProcess(
  { folder, user, machine, pid, newId }: LedgerEnvironment,
  write: <Result>(work: (writer: Writer) => Result) => Promise<Result>,
): Promise<SenderProcess> {
  const open = await loadSqlite()
  const id = newId()
  const own: { lock?: FileLock } = {}
  try {
    const { lock, afterSeq } = await write(({ database, nowMs }) => {
      removeEndedProcesses(database, open, folder)
      own.lock = createLock(open, folder, id)
      const since = new Date(nowMs).toISOString()
      database.run(
        'INSERT INTO process (id, pid, user, machine, since) VALUES (?, ?, ?, ?, ?)',
        id,
        pid,
        user,
        machine,
        since,
      )
      return { lock: own.lock, afterSeq: chainEnd(database).seq }
    })
    return { id, afterSeq, open, leave: (database) => removeProcess(database, id), release: () => lock.remove() }
  } catch (error) {
    own.lock?.remove()
    throw error
  }
}

/** The process of a row that names one; undefined if it has ended. To be called in a write transaction. */
export function livingProcess(
  database: Database,
  open: OpenDatabase,
  folder: string,
  id: string,
): ProcessHolder | undefined {
  const row = database.get('SELECT * FROM process WHERE id = ?', id)
  if (row === undefined || isFileLockFree(open, lockPath(folder, id))) return undefined
  return holderOf(row)
}

/**
 * The process that may be sending a payment right now; undefined if none does. In a shared ledger one that has ended counts until its request may no longer
 * be on its way, on its own machine as on the others, where it cannot be known whether it lives: everybody says the same of a payment. To be called in a
 * write transaction.
 */
export function sendingProcess(
  { database, nowMs }: Pick<Writer, 'database' | 'nowMs'>,
  open: OpenDatabase,
  folder: string,
  payment: string,
  sender: string,
): ProcessHolder | undefined {
  const living = livingProcess(database, open, folder, sender)
  if (living !== undefined) return living
  const row = database.get(
    `SELECT user, machine, at, stored_at_ms, json_extract(content, '$.notAfter') AS not_after FROM record
     WHERE payment = ? AND type IN ('attempt', 'resend') AND ${IS_READABLE} AND json_extract(content, '$.sender') = ? ORDER BY seq DESC LIMIT 1`,
    payment,
    sender,
  )
  const notAfter = row === undefined ? null : textOrNull(row, 'not_after')
  if (row === undefined || notAfter === null) return undefined
  const untilMs = sendableUntilMs(notAfter, integerOrNull(row, 'stored_at_ms') ?? undefined)
  if (untilMs < nowMs) return undefined
  const [user, machine, since] = [textOf(row, 'user'), textOf(row, 'machine'), textOf(row, 'at')]
  const until = new Date(untilMs).toISOString()
  const hasEnded = database.has('SELECT 1 FROM process WHERE id = ?', sender)
  return { id: sender, pid: null, user, machine, since, until, leftMs: untilMs - nowMs, hasEnded }
}

/**
 * The payments that are being sent at this moment, by their UUIDs, and who sends them, as {@link sendingProcess} says. Their outcomes are not unknown yet. None where the ledger cannot be written, which is not needed to read it.
 */
export async function paymentsBeingSent({ environment, read, writeHere }: HereAndNow): Promise<PaymentsBeingSent> {
  const waiting = 'SELECT DISTINCT payment, sender FROM attempt WHERE sender IS NOT NULL'
  const isAny = await read((database) => database.has(`${waiting} LIMIT 1`))
  const sending = new Map<string, ProcessHolder>()
  if (!isAny) return sending
  const open = await loadSqlite()
  // A write transaction: only one process at a time may look whether a lock file is free.
  try {
    await writeHere((writer) => {
      for (const row of writer.database.all(waiting)) {
        const payment = textOf(row, 'payment')
        const holder = sendingProcess(writer, open, environment.folder, payment, textOf(row, 'sender'))
        if (holder !== undefined) sending.set(payment, holder)
      }
    })
  } catch (error) {
    if (!(error instanceof Failure)) throw error
  }
  return sending
}

/** True if a process that used this ledger on this machine has ended. */
export async function hasEnded(
  { environment, writeHere }: Omit<HereAndNow, 'read'>,
  process: string,
): Promise<boolean> {
  const open = await loadSqlite()
  return writeHere(() => isFileLockFree(open, lockPath(environment.folder, process)))
}

/** What of a ledger tells which of its payments are being sent. */
interface HereAndNow {
  environment: Pick<LedgerEnvironment, 'folder'>
  read<Result>(work: (database: Database) => Result): Promise<Result>
  writeHere<Result>(work: (writer: Writer) => Result): Promise<Result>
}

/**
 * Removes what processes that ended left behind: rows, and the lock file of a process that was killed before its row was committed. To be
 * called in a write transaction.
 */
function removeEndedProcesses(database: Database, open: OpenDatabase, folder: string): void {
  const entered = database.texts('SELECT id FROM process')
  for (const id of new Set([...entered, ...lockedIds(folder)])) {
    if (isFileLockFree(open, lockPath(folder, id))) removeProcess(database, id)
  }
}

function lockedIds(folder: string): string[] {
  const path = join(folder, LOCK_FOLDER)
  if (!existsSync(path)) return []
  return readdirSync(path, { withFileTypes: true })
    .filter((entry) => entry.isFile() && entry.name.endsWith(LOCK_SUFFIX))
    .map(({ name }) => name.slice(0, -LOCK_SUFFIX.length))
}

/**
 * Concludes the attempts of dead processes: each of their requests may have left, so an answer with the outcome `unknown` is recorded.
 * To be called in the write transaction of every decision about money. `own` is this process, whose requests are left alone.
 */
export function concludeEndedSenders(
  writer: Writer,
  { open, id: own }: Pick<SenderProcess, 'open' | 'id'>,
  folder: string,
): void {
  const { database } = writer
  const senders = 'SELECT DISTINCT sender FROM attempt WHERE sender IS NOT NULL AND sender <> ?'
  for (const sender of database.texts(senders, own)) {
    for (const attempt of database.all('SELECT id, payment FROM attempt WHERE sender = ?', sender)) {
      const payment = textOf(attempt, 'payment')
      if (sendingProcess(writer, open, folder, payment, sender) !== undefined) continue
      writer.append({
        ...NO_RESPONSE,
        payment,
        attempt: textOf(attempt, 'id'),
        outcome: 'unknown',
        code: SENDER_ENDED,
      })
    }
    if (livingProcess(database, open, folder, sender) === undefined) removeProcess(database, sender)
  }
}

/** True if a process may be sending a payment right now. To be called after {@link concludeEndedSenders}. */
export function isAnySending(database: Database): boolean {
  return database.has('SELECT 1 FROM attempt WHERE sender IS NOT NULL LIMIT 1')
}

/** What a process has sent, oldest first; refused payments are left out. */
export function sentPayments(database: Database, { id, afterSeq }: Pick<SenderProcess, 'id' | 'afterSeq'>) {
  const rows = database.all(
    `SELECT kind, name, state, id_transaction, run FROM payment
     WHERE (may_have_moved = 1 OR kind = 'qr' AND state NOT IN ('refused', 'not-sent')) AND id IN (
       SELECT payment FROM record
       WHERE seq > ? AND type IN ('attempt', 'resend') AND ${IS_READABLE} AND json_extract(content, '$.sender') = ?)
     ORDER BY seq`,
    afterSeq,
    id,
  )
  return rows.map((row) => ({
    /** `qr`, `transfer` or `refund`. */
    kind: textOf(row, 'kind'),
    /** As in the table `payment`. */
    name: textOf(row, 'name'),
    state: textOf(row, 'state'),
    idTransaction: textOrNull(row, 'id_transaction'),
    run: textOrNull(row, 'run'),
  }))
}

function createLock(open: OpenDatabase, folder: string, id: string): FileLock {
  makePrivateFolder(join(folder, LOCK_FOLDER))
  const path = lockPath(folder, id)
  const lock = tryFileLock(open, path)
  if (lock === undefined) throw new Error(`the lock file ${path} of this process is held by another`)
  return lock
}

function removeProcess(database: Database, id: string): void {
  database.run('UPDATE run SET worker = NULL WHERE worker = ?', id)
  database.run('DELETE FROM listener WHERE process = ?', id)
  // Until what it sent is concluded, its row tells that it was a process of this machine.
  database.run('DELETE FROM process WHERE id = ? AND NOT EXISTS (SELECT 1 FROM attempt WHERE sender = ?)', id, id)
}

function lockPath(folder: string, id: string): string {
  return join(folder, LOCK_FOLDER, `${id}${LOCK_SUFFIX}`)
}

function holderOf(row: Row): ProcessHolder {
  return {
    id: textOf(row, 'id'),
    pid: integerOf(row, 'pid'),
    user: textOf(row, 'user'),
    machine: textOf(row, 'machine'),
    since: textOf(row, 'since'),
    until: null,
    leftMs: null,
    hasEnded: false,
  }
}
