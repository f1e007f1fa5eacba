import { performance } from 'node:perf_hooks'
import { setTimeout as sleep } from 'node:timers/promises'
import { withMissingLocks } from '../storage/fileLock.ts'
import { type Database, isEnvironmentError, rollBack, SQLITE_BUSY, sqliteCode } from '../storage/sqlite.ts'
import { Failure, isSystemError } from '../wire/errors.ts'
import type { ChainPoint } from './chain.ts'
import { backUp } from './copies.ts'
import {
  assertSameFile,
  emptyLog,
  fileNumber,
  hasLedger,
  isUnwritableWithLog,
  LedgerUnusable,
  ledgerFailure,
  openCopyOfLedger,
  openEmptyLedger,
  openLedgerFile,
  prepareLedgerFile,
  withSchemaDamage,
} from './ledgerFile.ts'
import { ledgerPath, type SeenLedger, seenLedger } from './ledgerId.ts'
import type { LedgerEnvironment } from './paymentState.ts'
import { type SenderProcess, type SentPayment, senderProcess, sentPayments } from './processes.ts'
import type { TeamActivities } from './team/activities.ts'
import { Writer } from './writer.ts'

/** What the work of a transaction returned, and the last record that the ledger held when it was committed. */
export interface Committed<Result> {
  result: Result
  seen: SeenLedger
}

/** The ledger of a data folder: everything that must survive. */
export interface Ledger {
  readonly environment: LedgerEnvironment
  /** What the processes of the team are doing; null if the ledger belongs to this machine alone. */
  readonly activities: TeamActivities | null
  /**
   * Does synchronous work, once, in one write transaction: all of it is durable when this returns, or nothing is. Waits for other writers
   * for `timeoutMs`, which is that of the environment unless it is given. Throws LedgerBusy if they do not finish in time, UsageError if
   * the ledger is damaged or cannot be written, and what the work throws.
   */
  write<Result>(work: (writer: Writer) => Result, timeoutMs?: number): Promise<Result>
  /**
   * Like `write`, for what concerns this machine alone and adds no record: its processes and listeners, and runs before their question is accepted.
   */
  writeHere<Result>(work: (writer: Writer) => Result): Promise<Result>
  /** Like `write`, for money: returns also what the witness notes. In the same transaction, after the work, comes what waits in `commitSoon`. */
  commit<Result>(work: (writer: Writer) => Result): Promise<Committed<Result>>
  /**
   * Like `commit`, for what happened already, such as the answer to a request. In a ledger that several machines share it is durable on this machine
   * when this returns, and is handed over to the others as soon as their server is reached.
   */
  keep<Result>(work: (writer: Writer) => Result): Promise<Committed<Result>>
  /**
   * Like `write`, for events that arrived: in a ledger that several machines share they are kept like answers (`isPending`) if its server is not reached
   * at once.
   */
  receive<Result>(work: (writer: Writer) => Result, timeoutMs: number): Promise<{ result: Result; isPending: boolean }>
  /**
   * Like `keep`, for work that can wait for up to `withinMs`, or 5 ms: in the transaction of the next `commit`, so that both cost one, or in one of its
   * own if none comes or its work throws. What is wrong with other work never undoes this one: if their transaction fails, such as on a full disk, this work is
   * done again in one of its own. But if this work throws, the other fails with it.
   */
  commitSoon<Result>(work: (writer: Writer) => Result, withinMs?: number): Promise<Committed<Result>>
  /** Does the work of `write` and undoes it: its result is what would have been written. Throws like `write`. */
  trial<Result>(work: (writer: Writer) => Result): Promise<Result>
  /** Does synchronous work, once, in one read transaction, which sees the ledger at one moment. Throws like `write`. */
  read<Result>(work: (database: Database) => Result): Promise<Result>
  /** Copies the ledger to a new file while others write, and returns the last record of the copy. Throws UsageError. */
  backUp(path: string): Promise<ChainPoint>
  /** This process as a sender, which holds a lock file from the first call on. */
  sender(): Promise<SenderProcess>
  /** What this process has sent, as far as it is recorded; see {@link SentPayment}. Throws like `read`. */
  sent(): Promise<SentPayment[]>
  /** False for a login that may only read a shared ledger; null if its server is not reached, so that it is not known. */
  mayWrite(): Promise<boolean | null>
  /** Closes the database, so that a clean exit leaves one file, and releases the lock. */
  close(): Promise<void>
}

/** How long `commitSoon` waits for a transaction that it can join, if the caller does not say. */
const JOIN_MS = 5

interface WaitingWork {
  /** Does it; again if it was undone. Returns what to call when it is committed. */
  run(writer: Writer): (seen: SeenLedger) => void
  reject(error: unknown): void
}

/** How long a process that ends waits for others, to take itself out of the ledger. */
const LEAVE_MS = 50

/** The ledger of a data folder; it is opened when it is first used. */
export function openLedger(environment: LedgerEnvironment): Ledger {
  let writable: Promise<Database> | undefined
  let empty: Promise<Database> | undefined
  let copy: Promise<Database> | undefined
  let sender: Promise<SenderProcess> | undefined
  let waiting: WaitingWork[] = []
  let joinTimer: NodeJS.Timeout | undefined
  let file: number | undefined
  const { folder } = environment

  function writableDatabase(deadlineMs: number): Promise<Database> {
    if (writable === undefined) {
      const opening = openWritable(deadlineMs)
      writable = opening
      // A listener tries again when there is room on the disk.
      opening.catch(() => {
        if (writable === opening) writable = undefined
      })
    }
    return writable
  }

  async function openWritable(deadlineMs: number): Promise<Database> {
    try {
      prepareLedgerFile(environment)
      const database = await whileBusy(() => openLedgerFile(environment), deadlineMs)
      file = fileNumber(ledgerPath(folder))
      return database
    } catch (error) {
      throw ledgerFailure(ledgerPath(folder), await withMissingLocks(folder, error))
    }
  }

  function readableDatabase(deadlineMs: number): Promise<Database> {
    if (copy !== undefined) return copy
    if (writable !== undefined || hasLedger(folder)) {
      return writableDatabase(deadlineMs).catch((error) => {
        if (!(error instanceof LedgerUnusable || isUnwritableWithLog(folder))) throw error
        copy ??= openCopyOfLedger(environment)
        return copy.catch((copyError) => {
          copy = undefined
          // What keeps pixgate from copying it has the same cause, which the first error names.
          const isOfSystem = copyError instanceof Failure || isSystemError(copyError) || isEnvironmentError(copyError)
          throw isOfSystem ? error : copyError
        })
      })
    }
    empty ??= openEmptyLedger(environment.newId)
    return empty
  }

  const deadline = (timeoutMs = environment.timeoutMs) => performance.now() + timeoutMs

  async function commitWaiting(): Promise<void> {
    const own = waiting
    if (own.length === 0) return
    try {
      await ledger.commit(() => undefined)
    } catch (error) {
      const left = own.filter((each) => waiting.includes(each))
      waiting = waiting.filter((each) => !left.includes(each))
      for (const { reject } of left) reject(error)
    }
  }

  function runAll(writer: Writer, works: readonly WaitingWork[]) {
    const onCommitted = works.map(({ run }) => run(writer))
    return { seen: seenLedger(writer.database, writer.end), onCommitted }
  }

  /** Commits work once more, without that with which it could not be committed. */
  async function commitAlone(works: readonly WaitingWork[]): Promise<void> {
    if (works.length === 0) return
    try {
      const { seen, onCommitted } = await ledger.write((writer) => runAll(writer, works))
      for (const done of onCommitted) done(seen)
    } catch (error) {
      for (const { reject } of works) reject(error)
    }
  }

  const ledger: Ledger = {
    environment,
    activities: null,
    mayWrite: async () => true,
    async write(work, timeoutMs) {
      const deadlineMs = deadline(timeoutMs)
      const database = await writableDatabase(deadlineMs)
      const write = () => {
        const result = work(new Writer(database, environment))
        assertSameFile(ledgerPath(folder), file)
        return result
      }
      return inTransaction(database, beginWriting, deadlineMs, write).catch((error) => rethrow(database, error))
    },
    writeHere: (work) => ledger.write(work),
    keep: (work) => ledger.commit(work),
    async receive(work, timeoutMs) {
      return { result: await ledger.write(work, timeoutMs), isPending: false }
    },
    async commit(work) {
      let joined: WaitingWork[] = []
      try {
        const { result, seen, onCommitted } = await ledger.write((writer) => {
          const result = work(writer)
          joined = waiting
          waiting = []
          clearTimeout(joinTimer)
          return { result, ...runAll(writer, joined) }
        })
        for (const done of onCommitted) done(seen)
        return { result, seen }
      } catch (error) {
        void commitAlone(joined)
        throw error
      }
    },
    commitSoon(work, withinMs = JOIN_MS) {
      return new Promise((resolve, reject) => {
        const run = (writer: Writer) => {
          const result = work(writer)
          return (seen: SeenLedger) => resolve({ result, seen })
        }
        if (waiting.push({ run, reject }) === 1) joinTimer = setTimeout(commitWaiting, withinMs)
      })
    },
    async trial(work) {
      const deadlineMs = deadline()
      const database = await writableDatabase(deadlineMs)
      const write = () => work(new Writer(database, environment))
      return inTransaction(database, beginWriting, deadlineMs, write, 'ROLLBACK').catch((error) =>
        rethrow(database, error),
      )
    },
    async read(work) {
      const deadlineMs = deadline()
      const database = await readableDatabase(deadlineMs)
      return inTransaction(database, beginReading, deadlineMs, () => work(database)).catch((error) =>
        rethrow(database, error),
      )
    },
    async backUp(path) {
      const deadlineMs = deadline()
      const database = await writableDatabase(deadlineMs)
      return whileBusy(() => backUp(database, path), deadlineMs).catch((error) => rethrow(database, error))
    },
    sender() {
      if (sender === undefined) {
        const entering = senderProcess(environment, ledger.write)
        sender = entering
        entering.catch(() => {
          if (sender === entering) sender = undefined
        })
      }
      return sender
    },
    async sent() {
      if (sender === undefined) return []
      const own = await sender
      return ledger.read((database) => sentPayments(database, own))
    },
    async close() {
      const [database, memory, process, copied] = await Promise.allSettled([writable, empty, sender, copy])
      if (database.status === 'fulfilled' && process.status === 'fulfilled') await leave(database.value, process.value)
      if (database.status === 'fulfilled' && database.value !== undefined) emptyLog(database.value)
      for (const opened of [database, memory, copied]) if (opened.status === 'fulfilled') opened.value?.close()
    },
  }

  async function rethrow(database: Database, error: unknown): Promise<never> {
    throw ledgerFailure(ledgerPath(folder), await withSchemaDamage(database, environment, error))
  }

  return ledger
}

/** If the ledger is locked or its disk is full, the next process removes what this one leaves behind. */
async function leave(database: Database | undefined, process: SenderProcess | undefined): Promise<void> {
  if (database === undefined || process === undefined) return
  try {
    await inTransaction(database, beginWriting, performance.now() + LEAVE_MS, () => process.leave(database))
  } catch (error) {
    if (sqliteCode(error) === null) throw error
  } finally {
    process.release()
  }
}

const RETRY_MS = 10

/** Does what can be repeated, again and again while another program holds the ledger, until the deadline. Throws SQLite's error. */
async function whileBusy<Result>(attempt: () => Promise<Result>, deadlineMs: number): Promise<Result> {
  for (;;) {
    try {
      return await attempt()
    } catch (error) {
      if (!mayRetry(error, deadlineMs)) throw error
    }
    await sleep(RETRY_MS)
  }
}

/**
 * Does work in one transaction. Only its beginning is repeated while another program holds the ledger; the work is done once, in the same
 * turn of the event loop, so that nothing else of this process gets into the transaction. Throws SQLite's error, and what the work throws.
 */
async function inTransaction<Result>(
  database: Database,
  begin: (database: Database) => void,
  deadlineMs: number,
  work: () => Result,
  end: 'COMMIT' | 'ROLLBACK' = 'COMMIT',
): Promise<Result> {
  for (;;) {
    try {
      begin(database)
      break
    } catch (error) {
      if (!mayRetry(error, deadlineMs)) throw error
    }
    await sleep(RETRY_MS)
  }
  try {
    const result = work()
    database.exec(end)
    return result
  } catch (error) {
    rollBack(database)
    throw error
  }
}

function mayRetry(error: unknown, deadlineMs: number): boolean {
  return sqliteCode(error) === SQLITE_BUSY && performance.now() < deadlineMs
}

/** Begins a transaction that may write: no other program can. */
function beginWriting(database: Database): void {
  database.exec('BEGIN IMMEDIATE')
}

/** Begins a transaction that sees the ledger as it is now; SQLite would wait with that until the first read of the work. */
function beginReading(database: Database): void {
  database.exec('BEGIN')
  try {
    database.get('SELECT 1 FROM sqlite_schema LIMIT 1')
  } catch (error) {
    rollBack(database)
    throw error
  }
}
