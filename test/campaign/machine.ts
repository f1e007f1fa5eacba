import { copyFileSync, existsSync, mkdirSync, renameSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { backUp } from '../../src/ledger/copies.ts'
import type { Database } from '../../src/storage/sqlite.ts'
import type { FaultGateway } from '../gateway/faultGateway.ts'
import { start } from '../gateway/running.ts'
import { runInProcess } from '../inProcess.ts'
import { inLedger, ledgerFile } from '../ledger/storedLedger.ts'
import { shiftedClock } from '../shiftedClock.ts'
import { type AtEnd, emptyWorld, type ProcessResult, type World } from '../world.ts'

const SECRET = 'secret-of-the-campaign'
export const PROFILE = 'prod'
const LEDGER_FILES = ['ledger.db', 'ledger.db-wal', 'ledger.db-shm']

/** A command that moves or may move money, as it was typed. Every request that it makes names its number in the callback URL. */
export interface TypedCommand {
  number: number
  machine: string
  line: readonly string[]
  /** What it named with `--in-addition-to`. */
  named: readonly string[]
  /** The reference of a batch. */
  reference: string | null
}

/** What happens to a process. */
export interface Disturbance {
  /** It is killed after this time; null if it is not. */
  killMs: number | null
  /** How far its clock is wrong. */
  shiftMs: number
}

/** One machine of an account that several machines pay from: its folders, and everything that was typed on it. */
export class Machine {
  readonly name: string
  readonly world: World
  readonly gateway: FaultGateway
  readonly typed: TypedCommand[] = []
  /** Every command line with its exit code, for the report of a failure. */
  readonly journal: string[] = []
  /** True if a process with a wrong clock may have written to the ledger. */
  hadWrongClock = false
  kills = 0
  /** How often another ledger was used for a while. */
  otherLedgers = 0
  /** Copies of the ledger, oldest first. */
  readonly #copies: string[] = []
  #folders = 0

  private constructor(name: string, gateway: FaultGateway, atEnd: AtEnd) {
    this.name = name
    this.gateway = gateway
    this.world = emptyWorld({ CAMPAIGN_SECRET: SECRET }, atEnd)
  }

  /** A machine with a production profile. */
  static async open(name: string, gateway: FaultGateway, atEnd: AtEnd): Promise<Machine> {
    const machine = new Machine(name, gateway, atEnd)
    const account = ['--client-id', 'shop', '--client-secret-env', 'CAMPAIGN_SECRET', '--base-url', gateway.url]
    const rest = ['--environment', 'production', '--callback-url', 'https://example.com/0']
    await machine.world.prepare(['profile', 'add', PROFILE, ...account, ...rest])
    return machine
  }

  /** Reads the ledger; undefined if there is none yet, or a process is about to make it. */
  async inLedger<Result>(work: (database: Database) => Result | Promise<Result>): Promise<Result | undefined> {
    if (!existsSync(ledgerFile(this.world))) return undefined
    return inLedger(this.world, (database) => {
      const table = database.get("SELECT 1 FROM sqlite_schema WHERE name = 'payment'")
      return table === undefined ? undefined : work(database)
    })
  }

  get secret(): string {
    return SECRET
  }

  /** Runs the real binary. */
  async run(args: readonly string[], { killMs, shiftMs }: Disturbance): Promise<ProcessResult> {
    if (shiftMs !== 0) this.hadWrongClock = true
    const process = start(this.world, args, shiftMs === 0 ? {} : shiftedClock(this.world.home, shiftMs))
    if (killMs !== null) {
      await Promise.race([sleep(killMs), process.ended])
      process.signal('SIGKILL')
    }
    const ran = await process.ended
    if (ran.exit === -1) this.kills += 1
    this.#note(args, ran, shiftMs === 0 ? '' : `, clock ${shiftMs / 3_600_000} h`)
    return ran
  }

  /** Runs a command in the process of the tests, which takes less time. */
  async here(args: readonly string[], stdin = ''): Promise<ProcessResult> {
    const ran = await runInProcess(args, this.world.env, { stdin })
    this.#note(args, ran, ', in process')
    return ran
  }

  /** The document that a command prints; throws unless it exits with 0. */
  async document(args: readonly string[]): Promise<unknown> {
    const { exit, stdout, stderr } = await this.here([...args, '-o', 'json'])
    if (exit !== 0) throw new Error(`pixgate ${args.join(' ')} ended with ${exit}: ${stderr}`)
    return JSON.parse(stdout)
  }

  /** Copies the ledger, also while others write. */
  async copyLedger(): Promise<void> {
    const path = join(this.world.home, `copy-${this.#folders++}.db`)
    const isCopied = await this.inLedger(async (database) => {
      await backUp(database, path)
      return true
    })
    if (isCopied) this.#copies.push(path)
  }

  /** Uses the oldest copy of the ledger for some work, in place of the ledger. */
  async withCopyInPlace(work: () => Promise<void>): Promise<void> {
    const [copy] = this.#copies
    if (copy === undefined) return
    const aside = this.#newFolder('aside')
    const folder = this.#folder
    moveLedger(folder, aside)
    copyFileSync(copy, join(folder, 'ledger.db'))
    await this.#keepIfUsed(work, () => {
      moveLedger(folder, this.#newFolder('discarded'))
      moveLedger(aside, folder)
    })
  }

  /** Uses another folder for some work, with the oldest copy of the ledger in it or none. */
  async withOtherFolder(isEmpty: boolean, work: () => Promise<void>): Promise<void> {
    const [copy] = this.#copies
    const folder = this.#folder
    const other = this.#newFolder('other')
    if (!isEmpty && copy !== undefined) copyFileSync(copy, join(other, 'ledger.db'))
    this.world.env.PIXGATE_DATA_DIR = other
    await this.#keepIfUsed(work, () => {
      this.world.env.PIXGATE_DATA_DIR = folder
    })
  }

  /** A person goes back to the ledger that was used before, unless this one sent something: then the other is the older one. */
  async #keepIfUsed(work: () => Promise<void>, goBack: () => void): Promise<void> {
    this.otherLedgers += 1
    const before = await this.#attempts()
    this.journal.push(`  ${this.name}: another ledger, with ${before} attempts`)
    await work()
    const after = await this.#attempts()
    this.journal.push(`  ${this.name}: ${after > before ? 'keeps it' : 'goes back'}`)
    if (after === before) goBack()
  }

  async #attempts(): Promise<number> {
    const sent = "SELECT count(*) AS attempts FROM record WHERE type IN ('attempt', 'resend')"
    return (await this.inLedger((database) => Number(database.get(sent)?.attempts))) ?? 0
  }

  get #folder(): string {
    return this.world.env.PIXGATE_DATA_DIR ?? ''
  }

  #newFolder(name: string): string {
    const path = join(this.world.home, `${name}-${this.#folders++}`)
    mkdirSync(path, { mode: 0o700 })
    return path
  }

  #note(args: readonly string[], { exit, stderr }: ProcessResult, how: string): void {
    const [failure = ''] = stderr.split('\n').filter((line) => line.startsWith('error:'))
    this.journal.push(`  ${this.name}: pixgate ${args.join(' ')} → ${exit}${how} ${failure}`)
  }
}

function moveLedger(from: string, to: string): void {
  for (const name of LEDGER_FILES) {
    if (existsSync(join(from, name))) renameSync(join(from, name), join(to, name))
  }
}
