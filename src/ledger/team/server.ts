import { integerOf, type Row } from '../../storage/sqlite.ts'
import {
  ACTIVITY_SQL,
  type Activity,
  claimActivitySql,
  type OwnActivity,
  putActivitySql,
  readActivity,
  removeActivitySql,
} from './activity.ts'
import type { LedgerAddress } from './address.ts'
import { type Connection, type Encryption, openConnection, within } from './connection.ts'
import {
  assertSameServer,
  IDENTITY_SQL,
  readIdentity,
  readServerState,
  type ServerState,
  STATE_SQL,
} from './serverChecks.ts'
import { initFailure, isServerError, ledgerBusy, NoPassword, reported, serverFailure } from './serverErrors.ts'
import type { ServerIdentity } from './serverIdentity.ts'
import { INIT_SQL } from './serverSql.ts'
import { LAST_SEQ_SQL, readSharedRecord, recordsAfterSql, type SharedRecord } from './sharedRecords.ts'
import { beginSql, type LockedLedger, rollBack, runLocked } from './transaction.ts'

/** How to connect. Deadlines are times of `performance.now()`. */
export interface ConnectOptions {
  password: string | undefined
  deadlineMs: number
  /** True for `ledger repair`: a login that could change records is not refused. */
  asOwner?: boolean
}

/**
 * Connects to the server of a shared ledger. Throws UsageError if the server or the login cannot be used, LedgerNotReached if there is no answer in
 * time.
 */
export async function connectServer(address: LedgerAddress, options: ConnectOptions): Promise<LedgerServer> {
  const { connection, state, identity } = await connectChecked(address, options)
  return new LedgerServer(address, options, connection, state, identity)
}

/**
 * Creates the tables, roles and triggers of a shared ledger, as the owner of its database, or the rights of one that has them. Throws UsageError if the
 * login may not, or if another build made the tables, LedgerNotReached if there is no answer in time.
 */
export async function initServer(address: LedgerAddress, options: ConnectOptions): Promise<ServerIdentity> {
  const connection = await reported(address, openConnection(address, options.password, options.deadlineMs))
  try {
    const [state] = (await connection.query(STATE_SQL, options.deadlineMs)).sets.at(-1) ?? []
    readServerState(address, state ?? {}, true)
    await connection.query(INIT_SQL, options.deadlineMs)
    const [identity] = (await connection.query(IDENTITY_SQL, options.deadlineMs)).sets.at(-1) ?? []
    return readIdentity(address, identity ?? {})
  } catch (error) {
    throw initFailure(address, error)
  } finally {
    connection.close()
  }
}

/** True if the server asks this login for a password. Throws what connecting without one throws. */
export async function asksForPassword(address: LedgerAddress, deadlineMs: number): Promise<boolean> {
  try {
    const connection = await openConnection(address, undefined, deadlineMs)
    await connection.query('SELECT', deadlineMs).finally(() => connection.close())
    return false
  } catch (error) {
    if (error instanceof NoPassword) return true
    throw serverFailure(address, error)
  }
}

/** The server of a shared ledger, over one connection at a time. Calls wait for each other. */
export class LedgerServer {
  readonly #address: LedgerAddress
  readonly #options: ConnectOptions
  readonly #state: ServerState
  readonly identity: ServerIdentity
  #connection: Connection
  #isClosed = false
  /** The end of what was begun last. */
  #last: Promise<void> = Promise.resolve()

  constructor(
    address: LedgerAddress,
    options: ConnectOptions,
    connection: Connection,
    state: ServerState,
    identity: ServerIdentity,
  ) {
    this.#address = address
    this.#options = options
    this.#connection = connection
    this.#state = state
    this.identity = identity
  }

  /** The login that records are stored under, as the server knows it. */
  get login(): string {
    return this.#state.login
  }

  /** False for an auditor. */
  get mayWrite(): boolean {
    return this.#state.mayWrite
  }

  /** The version of PostgreSQL. */
  get version(): string {
    return this.#state.version
  }

  /** How the connection is encrypted; null without TLS, to a server on this machine. */
  get encryption(): Encryption | null {
    return this.#connection.encryption
  }

  /** The server's time when it was connected to, in ms. */
  get connectedMs(): number {
    return this.#state.nowMs
  }

  /** The role that owns the table of records. */
  get tableOwner(): string {
    return this.#state.tableOwner
  }

  /** True if the login may act as that role, and so end a stop. */
  get isOwner(): boolean {
    return this.#state.isOwner
  }

  /** Reads up to `limit` records after a number, without the lock. Throws LedgerNotReached. */
  async recordsAfter(seq: number, limit: number, deadlineMs: number): Promise<SharedRecord[]> {
    return this.select(recordsAfterSql(seq, limit), deadlineMs)
  }

  /** Runs a statement that reads records, without the lock. Throws LedgerNotReached. */
  async select(sql: string, deadlineMs: number): Promise<SharedRecord[]> {
    return (await this.rows(sql, deadlineMs)).map(readSharedRecord)
  }

  /** The number of the last record; 0 if there is none. Throws LedgerNotReached. */
  async lastSeq(deadlineMs: number): Promise<number> {
    const [row = {}] = await this.rows(LAST_SEQ_SQL, deadlineMs)
    return integerOf(row, 'last')
  }

  /**
   * Does work in one transaction under the lock of the ledger, and commits what it inserted. `after` is the number of the last record that this machine
   * knows. Throws what the work throws, LedgerBusy if the lock was not had in time, LedgerNotReached if nothing was recorded for another reason, and
   * CommitUnknown if nobody knows whether it was.
   */
  locked<Result>(
    deadlineMs: number,
    after: number,
    work: (ledger: LockedLedger) => Promise<Result> | Result,
  ): Promise<Result> {
    const ledger = { address: this.#address, identity: this.identity }
    return this.#exclusively(deadlineMs, (connection) => runLocked(connection, ledger, deadlineMs, after, work))
  }

  /** What the processes of all members are doing. Throws LedgerNotReached. */
  async activities(deadlineMs: number): Promise<Activity[]> {
    return (await this.rows(ACTIVITY_SQL, deadlineMs)).map(readActivity)
  }

  /** Says that this process is doing this, from now on or still. Throws LedgerNotReached. */
  async putActivity(activity: OwnActivity, deadlineMs: number): Promise<void> {
    await this.rows(putActivitySql(activity), deadlineMs)
  }

  /**
   * Says that this process is doing this, unless one that was seen within `aliveMs` does the same with an equal `claim`. Returns what all are doing then.
   * Throws LedgerNotReached.
   */
  async claimActivity(activity: OwnActivity, claim: string, aliveMs: number, deadlineMs: number): Promise<Activity[]> {
    return (await this.rows(claimActivitySql(activity, claim, aliveMs), deadlineMs)).map(readActivity)
  }

  /** Says that this process does this no more. Throws LedgerNotReached. */
  async removeActivity(activity: Pick<Activity, 'process' | 'kind'>, deadlineMs: number): Promise<void> {
    await this.rows(removeActivitySql(activity), deadlineMs)
  }

  /** Ends the connection at once; a transaction that is not committed ends with it. */
  close(): void {
    this.#isClosed = true
    this.#connection.close()
  }

  /** Runs one statement in a transaction of its own, and returns its rows. Throws LedgerNotReached. */
  rows(sql: string, deadlineMs: number): Promise<readonly Row[]> {
    return this.#exclusively(deadlineMs, async (connection) => {
      const asked = connection.query(`${beginSql(deadlineMs)}; ${sql}; COMMIT`, deadlineMs)
      const { sets } = await reported(this.#address, asked)
      return sets.at(-1) ?? []
    })
  }

  /** Does what needs the connection alone, after all that was begun before. The connection is opened again if it broke. */
  async #exclusively<Result>(deadlineMs: number, work: (connection: Connection) => Promise<Result>): Promise<Result> {
    const before = this.#last
    let end = () => {}
    const ended = new Promise<void>((resolve) => {
      end = resolve
    })
    this.#last = before.then(() => ended)
    try {
      await within(before, deadlineMs, () => undefined).catch(() => {
        throw ledgerBusy(this.#address)
      })
      if (this.#isClosed) throw new Error('the connection to the shared ledger is closed')
      if (this.#connection.isBroken) await this.#reconnect(deadlineMs)
      const connection = this.#connection
      try {
        return await work(connection)
      } catch (error) {
        await rollBack(connection)
        throw error
      }
    } finally {
      end()
    }
  }

  async #reconnect(deadlineMs: number): Promise<void> {
    const { connection, identity } = await connectChecked(this.#address, { ...this.#options, deadlineMs })
    try {
      assertSameServer(this.identity, identity)
    } catch (error) {
      connection.close()
      throw error
    }
    this.#connection = connection
    if (this.#isClosed) connection.close()
  }
}

/** Opens a connection, and checks server and login before it is used. */
async function connectChecked(address: LedgerAddress, { password, deadlineMs, asOwner = false }: ConnectOptions) {
  let connection: Connection | undefined
  try {
    connection = await openConnection(address, password, deadlineMs)
    const checks = `${beginSql(deadlineMs)}; ${STATE_SQL}; ${IDENTITY_SQL}; COMMIT`
    const { sets } = await connection.query(checks, deadlineMs).catch(withStateOnly(address, connection, deadlineMs))
    const state = readServerState(address, sets.at(-2)?.[0] ?? {}, asOwner)
    return { connection, state, identity: readIdentity(address, sets.at(-1)?.[0] ?? {}) }
  } catch (error) {
    connection?.close()
    throw serverFailure(address, error)
  }
}

/** If the ledger itself cannot be read, the state of server and login says why. Throws that, or the error. */
function withStateOnly(address: LedgerAddress, connection: Connection, deadlineMs: number) {
  return async (error: unknown): Promise<never> => {
    if (isServerError(error) && !connection.isBroken && /^(?:42|3F)/.test(error.code)) {
      await rollBack(connection)
      const { sets } = await connection.query(STATE_SQL, deadlineMs)
      readServerState(address, sets.at(-1)?.[0] ?? {}, false)
    }
    throw error
  }
}
