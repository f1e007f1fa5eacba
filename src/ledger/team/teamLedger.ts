import { hash } from 'node:crypto'
import { statSync, utimesSync } from 'node:fs'
import { join } from 'node:path'
import { performance } from 'node:perf_hooks'
import { setTimeout as sleep } from 'node:timers/promises'
import { createPrivateFile } from '../../storage/privateFolder.ts'
import { Failure, NotReached } from '../../wire/errors.ts'
import { type ChainedRecord, chainEnd } from '../chain.ts'
import type { Committed, Ledger } from '../ledger.ts'
import { ledgerId, seenLedger } from '../ledgerId.ts'
import { hasEnded } from '../processes.ts'
import { assertNotStopped, stopFailure, stopInForce, stopSentence } from '../stop.ts'
import { Writer } from '../writer.ts'
import { Activities } from './activities.ts'
import { addRecords } from './handOver.ts'
import type { LedgerServer } from './ledgerServer.ts'
import { notSent, type PendingRecord, type PendingRecords } from './pendingRecords.ts'
import { fetchNew, replicate } from './replication.ts'
import { CommitUnknown, LedgerOlder } from './serverErrors.ts'

interface TeamLedgerParts extends ServerAccess {
  /** The copy on this machine. The user of its environment is the login, and its time that of `clock`. */
  copy: Ledger
  clock: CopyClock
  pending: PendingRecords
  login: string
  notices?: TeamNotices
}

/** What is told to the person who uses the ledger. */
export interface TeamNotices {
  /** Called once if what is read is of a ledger that is stopped. */
  stopped(sentence: string): void
  /** Called once if the copy is read as it was at `contactMs`, null for never, because the server was not reached. */
  unreached(contactMs: number | null, reason: string): void
  /** Called at the end with the number of answers and events that wait on this machine. */
  waiting(count: number): void
}

/** The ledger of a team, as everything uses it, and as `pixgate ledger` shows it. */
export interface TeamLedger extends Ledger {
  /** Throws what connecting throws, except that the server is not reached, or is not the one that this machine knows. */
  state(): Promise<TeamState>
  /** What waits on this machine, of every login. */
  waiting(): PendingRecord[]
  /** Brings the copy up to date, however long it takes: each of its pages has the time of a command. Throws what connecting and fetching throw. */
  copyAll(): Promise<void>
  /** Like `write`, also while the ledger is stopped: for `ledger repair`. */
  recover<Result>(work: (writer: Writer) => Result): Promise<Result>
}

/** How long a command that reads waits for what is new. */
const CATCH_UP_MS = 2000
/** A process that reads again and again asks the server no more often than this. */
const CATCH_UP_PAUSE_MS = 250
/** The same while the server is not reached. */
const UNREACHED_PAUSE_MS = 5000
/** How long what happened waits for a decision that can take it along. */
const HAND_OVER_PAUSE_MS = 50
/** How long answers wait for others. */
const JOIN_MS = 5

/**
 * The ledger of a team. PostgreSQL holds the records, and each machine has a copy, which everything reads and by which everything is decided. A decision
 * takes the server's lock, brings the copy up to date, decides on the copy in a transaction that is undone, and inserts the records that this yields;
 * replication brings them back. So a copy holds only what the server has committed, and no two machines decide at once.
 */
export function openTeamLedger({ copy, clock, pending, login, notices, ...access }: TeamLedgerParts): TeamLedger {
  const { environment } = copy
  const connection = new TeamConnection(access)
  /** When the copy was brought up to date, or that was tried without success. */
  let caughtUpMs = Number.NEGATIVE_INFINITY
  let isUnreached = false
  let handOverTimer: NodeJS.Timeout | undefined
  let handingOver: Promise<void> | undefined
  let isAgeTold = false
  let isStopTold = false

  async function fetchUnlocked(deadlineMs: number, pageDeadlineMs = () => deadlineMs): Promise<LedgerServer> {
    const opened = await connection.open(deadlineMs)
    await fetchNew(copy, (seq, limit) => opened.recordsAfter(seq, limit, pageDeadlineMs()))
    noteContact()
    return opened
  }

  function noteContact(): void {
    clock.noteContact()
    isUnreached = false
    caughtUpMs = performance.now()
  }

  /** Brings the copy up to date for a command that reads. If the server is not reached, it reads the copy as it is. */
  async function catchUp(): Promise<void> {
    const startMs = performance.now()
    if (startMs < caughtUpMs + (isUnreached ? UNREACHED_PAUSE_MS : CATCH_UP_PAUSE_MS)) return
    const deadlineMs = startMs + Math.min(CATCH_UP_MS, environment.timeoutMs)
    // What runs at the same time reads what is there.
    caughtUpMs = deadlineMs
    try {
      if (pending.list(login).length > 0) await decide(() => undefined, deadlineMs)
      else await connection.use(deadlineMs, () => fetchUnlocked(deadlineMs))
    } catch (error) {
      // Also a server that must not be used any more: what moves money says so, and lists show what is known.
      if (!(error instanceof Failure)) throw error
      isUnreached = true
      caughtUpMs = performance.now()
      if (!isAgeTold) notices?.unreached(clock.contactMs, error.message)
      isAgeTold = true
    }
    const stop = isStopTold ? null : await copy.read(stopInForce)
    if (stop !== null) notices?.stopped(stopSentence(stop))
    isStopTold ||= stop !== null
  }

  /** Does work under the lock, on a copy that is up to date; what it adds is committed by the server when this returns. What is pending goes first. */
  function decide<Result>(work: (writer: Writer) => Result, deadlineMs: number): Promise<Committed<Result>> {
    return connection.use(deadlineMs, () => decideOnServer(work, deadlineMs))
  }

  async function decideOnServer<Result>(
    work: (writer: Writer) => Result,
    deadlineMs: number,
  ): Promise<Committed<Result>> {
    let appended: readonly ChainedRecord[] = []
    try {
      // Without the lock until little is left: a first copy of a million records must not stop everybody.
      const isFresh = performance.now() < caughtUpMs + CATCH_UP_PAUSE_MS && !isUnreached
      const opened = isFresh ? await connection.open(deadlineMs) : await fetchUnlocked(deadlineMs)
      const after = Math.max(0, (await copy.read(chainEnd)).seq - 1)
      const decided = await opened.locked(deadlineMs, after, async (locked) => {
        clock.set(locked.nowMs)
        await fetchNew(copy, async (seq, limit) => (seq === after ? locked.records : locked.recordsAfter(seq, limit)))
        const trial = await copy.trial((writer) => {
          const handedOver = pending.list(login)
          addRecords(writer, handedOver)
          return { result: work(writer), handedOver, appended: writer.appended, end: writer.end }
        })
        appended = trial.appended
        // Its answer comes with that of the commit, so it is not waited for here.
        return { ...trial, inserting: locked.insert(appended) }
      })
      const { result, end, handedOver, inserting } = decided
      const storedAtMs = await inserting
      const ledger = await copy.writeHere(({ database }) => {
        replicate(
          database,
          appended.map((record, place) => ({ ...record, storedAtMs: storedAtMs[place] })),
        )
        return ledgerId(database)
      })
      pending.remove(handedOver)
      noteContact()
      return { result, seen: { ledger, ...end } }
    } catch (error) {
      // The server may have recorded it: its next contact looks whether it has.
      if (error instanceof CommitUnknown) pending.add(notSent(appended, environment), login)
      throw error
    }
  }

  /** Hands over what is pending, unless a decision does it before. */
  function handOverSoon(): void {
    handOverTimer ??= setTimeout(() => {
      handOverTimer = undefined
      handingOver = handOver()
    }, HAND_OVER_PAUSE_MS)
  }

  /** If the server is not reached, the next contact hands over. */
  async function handOver(): Promise<void> {
    try {
      if (pending.list(login).length > 0) await decide(() => undefined, performance.now() + CATCH_UP_MS)
    } catch (error) {
      if (!(error instanceof Failure)) throw error
      isUnreached = true
      caughtUpMs = performance.now()
    }
  }

  /** A decision that moves money, settles or imports: none is made while the ledger is stopped. */
  function unlessStopped<Result>(work: (writer: Writer) => Result): (writer: Writer) => Result {
    return (writer) => {
      assertNotStopped(writer.database, environment)
      return work(writer)
    }
  }

  /** Does work on the copy with everything that is pending on this machine, and undoes it. */
  function withPending<Result>(work: (writer: Writer) => Result): Promise<Result> {
    return copy.trial((writer) => {
      addRecords(writer, pending.list(), { isPending: true })
      return work(writer)
    })
  }

  /** Keeps an event on this machine, judged beside what is pending. */
  async function keepEvent<Result>(work: (writer: Writer) => Result): Promise<Result> {
    const { result, added } = await copy.trial((writer) => {
      addRecords(writer, pending.list())
      const known = writer.appended.length
      return { result: work(writer), added: writer.appended.slice(known) }
    })
    pending.add(added, login)
    handOverSoon()
    return result
  }

  /** Keeps answers, which need nothing but themselves, on this machine. */
  async function keep<Result>(work: (writer: Writer) => Result): Promise<Committed<Result>> {
    const kept = await copy.read((database) => {
      const writer = new Writer(database, copy.environment, 'notes')
      const seen = seenLedger(database, writer.end)
      return { result: work(writer), seen, added: writer.appended }
    })
    pending.add(kept.added, login)
    handOverSoon()
    return kept
  }

  const deadline = (timeoutMs = environment.timeoutMs) => performance.now() + timeoutMs

  const activities = new Activities({
    connect: (deadlineMs) => connection.open(deadlineMs),
    process: async () => (await copy.sender()).id,
    machine: environment.machine,
    copy: hash('sha256', environment.folder).slice(0, 16),
    hasEnded: (process) => hasEnded(copy, process),
    timeoutMs: environment.timeoutMs,
    isReached: () => !isUnreached,
    // A process that goes on for long hands over what happened while the server was gone.
    onBeat: handOver,
  })

  return {
    environment,
    activities,
    async write(work, timeoutMs) {
      const { result } = await decide(unlessStopped(work), deadline(timeoutMs))
      return result
    },
    commit: (work) => decide(unlessStopped(work), deadline()),
    async recover(work) {
      const { result } = await decide(work, deadline())
      return result
    },
    keep,
    async commitSoon(work) {
      // Each time waits for the disk, so it takes along what is answered meanwhile.
      await sleep(JOIN_MS)
      return keep(work)
    },
    async receive(work, timeoutMs) {
      try {
        const { result } = await decide(work, deadline(Math.min(timeoutMs, CATCH_UP_MS)))
        return { result, isPending: false }
      } catch (error) {
        if (!(error instanceof Failure)) throw error
        return { result: await keepEvent(work), isPending: true }
      }
    },
    writeHere: (work) => copy.writeHere(work),
    async trial(work) {
      await catchUp()
      return withPending(work)
    },
    async read(work) {
      await catchUp()
      return pending.list().length === 0 ? copy.read(work) : withPending(({ database }) => work(database))
    },
    async copyAll() {
      await fetchUnlocked(deadline(), () => deadline())
    },
    async state() {
      const { behind, stop: here } = await serverState(connection, copy, deadline(CATCH_UP_MS))
      const [{ seq }, stopped] = await copy.read((database) => [chainEnd(database), stopFailure(database, environment)])
      const waiting = pending.list().length
      return { records: seq, behind, pending: waiting, contactMs: clock.contactMs, stop: here ?? stopped }
    },
    async mayWrite() {
      await catchUp()
      return isUnreached ? null : (await connection.open(deadline())).state.mayWrite
    },
    waiting: () => pending.list(),
    backUp: (path) => copy.backUp(path),
    sender: () => copy.sender(),
    sent: () => copy.sent(),
    async close() {
      clearTimeout(handOverTimer)
      await handingOver
      await activities.close(!isUnreached)
      if (!isUnreached) await handOver()
      const left = pending.list().length
      if (left > 0) notices?.waiting(left)
      await connection.close()
      pending.close()
      await copy.close()
    },
  }
}

interface TeamState {
  /** The records of the copy, and how many more the server has; null if it was not reached. */
  records: number
  behind: number | null
  /** What waits on this machine. */
  pending: number
  /** When the copy was brought up to date last, in ms; null if it never was. */
  contactMs: number | null
  /** Why no machine, or this one, may send; null if nothing prevents it. */
  stop: Failure | null
}

/** How many records the server has that the copy lacks, null if it was not reached, and why it must not be used. Throws what else connecting throws. */
async function serverState(
  connection: TeamConnection,
  copy: Ledger,
  deadlineMs: number,
): Promise<Pick<TeamState, 'behind' | 'stop'>> {
  try {
    const opened = await connection.open(deadlineMs)
    const { seq } = await copy.read(chainEnd)
    return { behind: (await opened.lastSeq(deadlineMs)) - seq, stop: null }
  } catch (error) {
    if (error instanceof LedgerOlder) return { behind: null, stop: error }
    if (error instanceof NotReached) return { behind: null, stop: null }
    throw error
  }
}

/** How a shared ledger gets at its server. Deadlines are times of `performance.now()`. */
interface ServerAccess {
  /** Connects to the server. Throws LedgerNotReached, LedgerOlder, and UsageError for what must not be used. */
  connect(deadlineMs: number): Promise<LedgerServer>
  /** Records on the server that everybody stops, if that is necessary. Throws nothing that the server throws. */
  stopEverybody(deadlineMs: number): Promise<void>
}

/** The connection of a shared ledger to its server, which is opened when it is first used. */
class TeamConnection {
  readonly #access: ServerAccess
  #server: Promise<LedgerServer> | undefined
  /** Connections to a server that turned out to be another one; other calls may still wait for them. */
  readonly #outdated: Promise<LedgerServer>[] = []

  constructor(access: ServerAccess) {
    this.#access = access
  }

  /** The server; one that could not be connected to is tried again. Throws what connecting throws. */
  open(deadlineMs: number): Promise<LedgerServer> {
    if (this.#server === undefined) {
      const connecting = this.#access.connect(deadlineMs)
      this.#server = connecting
      connecting.catch(() => {
        if (this.#server === connecting) this.#server = undefined
      })
    }
    return this.#server
  }

  /**
   * Does what needs the server. If it is not the one that the copy was made from, everybody stops, and later calls connect anew, because by then it may be
   * repaired. Throws what the work throws.
   */
  async use<Result>(deadlineMs: number, work: () => Promise<Result>): Promise<Result> {
    try {
      return await work()
    } catch (error) {
      if (!(error instanceof LedgerOlder)) throw error
      if (this.#server !== undefined) this.#outdated.push(this.#server)
      this.#server = undefined
      await this.#access.stopEverybody(deadlineMs)
      throw error
    }
  }

  async close(): Promise<void> {
    const opened = this.#server === undefined ? this.#outdated : [...this.#outdated, this.#server]
    for (const each of await Promise.allSettled(opened)) if (each.status === 'fulfilled') each.value.close()
  }
}

const CONTACT_FILE = 'contact'
/** Each command notes its contact; more often than this it makes no difference. */
const NOTE_MS = 1000

/** The time in a shared ledger, which is its server's, and when the copy of this machine was last brought up to date. */
export class CopyClock {
  readonly #path: string
  readonly #now: () => number
  #aheadMs = 0
  #notedMs = Number.NEGATIVE_INFINITY

  /** `folder` is that of the copy; `now` gives the time of this machine in ms. */
  constructor(folder: string, now: () => number) {
    this.#path = join(folder, CONTACT_FILE)
    this.#now = now
  }

  /** The server's time, in ms, as far as it is known; until it was asked, that of this machine. */
  readonly now = (): number => this.#now() + this.#aheadMs

  /** Takes the time that the server says it is. */
  set(serverMs: number): void {
    this.#aheadMs = serverMs - this.#now()
  }

  /** Notes that the copy holds what the server has now. Throws the system's error. */
  noteContact(): void {
    const nowMs = this.#now()
    if (Math.abs(nowMs - this.#notedMs) < NOTE_MS) return
    createPrivateFile(this.#path)
    utimesSync(this.#path, nowMs / 1000, nowMs / 1000)
    this.#notedMs = nowMs
  }

  /** When that was last the case, in ms of this machine; null if it never was. */
  get contactMs(): number | null {
    return statSync(this.#path, { throwIfNoEntry: false })?.mtimeMs ?? null
  }
}
