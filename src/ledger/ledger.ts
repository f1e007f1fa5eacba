import { setTimeout as sleep } from 'node:timers/promises'
import { type Database, rollBack, SQLITE_BUSY, sqliteCode } from '../storage/sqlite.ts'
import type { ChainPoint } from './chain.ts'
import { backUp } from './copies.ts'
import { hasLedger, ledgerFailure, openEmptyLedger, openLedgerFile } from './ledgerFile.ts'
import { type SenderProcess, senderProcess } from './processes.ts'
import { Writer } from './writer.ts'

/** What the ledger needs to know about the process that uses it. */
export interface LedgerEnvironment {
  folder: string
  /** The system's name of the user, and of the machine. */
  user: string
  machine: string
  pid: number
  now(): number
  newId(): string
  /** Shows a sentence to a person, such as a file mode that was corrected. */
  notice(line: string): void
  /** For how long a command waits for other programs that write. */
  timeoutMs: number
}

/** The ledger of a data folder: everything that must survive. */
export interface Ledger {
  readonly environment: LedgerEnvironment
  /**
   * Does synchronous work in one write transaction: all of it is durable when this returns, or nothing is. Waits for other writers
   * for `timeoutMs`, which is that of the environment unless it is given. Throws LedgerLocked if they do not finish in time, UsageError if
   * the ledger is damaged or cannot be written, and what the work throws.
   */
  write<Result>(work: (writer: Writer) => Result, timeoutMs?: number): Promise<Result>
  /** Does the work of `write` and undoes it: its result is what would have been written. Throws like `write`. */
  trial<Result>(work: (writer: Writer) => Result): Promise<Result>
  /** Does synchronous work in one read transaction, which sees the ledger at one moment. Throws UsageError like `write`. */
  read<Result>(work: (database: Database) => Result): Promise<Result>
  /** Copies the ledger to a new file while others write, and returns the last record of the copy. Throws UsageError. */
  backUp(path: string): Promise<ChainPoint>
  /** This process as a sender, which holds a lock file from the first call on. */
  sender(): Promise<SenderProcess>
  /** Closes the database, so that a clean exit leaves one file, and releases the lock. */
  close(): Promise<void>
}

const RETRY_MS = 10

/** The ledger of a data folder; it is opened when it is first used. */
export function openLedger(environment: LedgerEnvironment): Ledger {
  let writable: Promise<Database> | undefined
  let empty: Promise<Database> | undefined
  let sender: Promise<SenderProcess> | undefined
  const { folder } = environment

  function writableDatabase(timeoutMs?: number): Promise<Database> {
    if (writable === undefined) {
      const opening = retried(() => openLedgerFile(environment), timeoutMs)
      writable = opening
      // A listener tries again when there is room on the disk.
      opening.catch(() => {
        if (writable === opening) writable = undefined
      })
    }
    return writable
  }

  function readableDatabase(): Promise<Database> {
    if (writable !== undefined || hasLedger(folder)) return writableDatabase()
    empty ??= openEmptyLedger(environment.newId)
    return empty
  }

  /** Tries again while another program holds the ledger, within the timeout. */
  async function retried<Result>(
    work: () => Promise<Result> | Result,
    timeoutMs = environment.timeoutMs,
  ): Promise<Result> {
    const deadlineMs = environment.now() + timeoutMs
    for (;;) {
      try {
        return await work()
      } catch (error) {
        if (sqliteCode(error) !== SQLITE_BUSY || environment.now() >= deadlineMs) throw ledgerFailure(folder, error)
      }
      await sleep(RETRY_MS)
    }
  }

  return {
    environment,
    async write(work, timeoutMs) {
      const database = await writableDatabase(timeoutMs)
      const transact = () => inTransaction(database, 'BEGIN IMMEDIATE', () => work(new Writer(database, environment)))
      return retried(transact, timeoutMs)
    },
    async trial(work) {
      const database = await writableDatabase()
      return retried(() =>
        inTransaction(database, 'BEGIN IMMEDIATE', () => work(new Writer(database, environment)), 'ROLLBACK'),
      )
    },
    async read(work) {
      const database = await readableDatabase()
      return retried(() => inTransaction(database, 'BEGIN', () => work(database)))
    },
    async backUp(path) {
      const database = await writableDatabase()
      return retried(() => backUp(database, path))
    },
    sender() {
      if (sender === undefined) {
        const entering = senderProcess(this)
        sender = entering
        entering.catch(() => {
          if (sender === entering) sender = undefined
        })
      }
      return sender
    },
    async close() {
      const [database, memory, process] = await Promise.allSettled([writable, empty, sender])
      if (database.status === 'fulfilled' && process.status === 'fulfilled') end(database.value, process.value)
      for (const opened of [database, memory]) if (opened.status === 'fulfilled') opened.value?.close()
    },
  }
}

/** If the ledger is locked or its disk is full, the next process removes what this one leaves behind. */
function end(database: Database | undefined, process: SenderProcess | undefined): void {
  if (database === undefined || process === undefined) return
  try {
    inTransaction(database, 'BEGIN IMMEDIATE', () => process.leave(database))
  } catch (error) {
    if (sqliteCode(error) === null) throw error
  } finally {
    process.release()
  }
}

function inTransaction<Result>(
  database: Database,
  begin: string,
  work: () => Result,
  end: 'COMMIT' | 'ROLLBACK' = 'COMMIT',
): Result {
  database.exec(begin)
  try {
    const result = work()
    database.exec(end)
    return result
  } catch (error) {
    rollBack(database)
    throw error
  }
}
