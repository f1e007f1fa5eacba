import { setTimeout as sleep } from 'node:timers/promises'
import type { FaultGateway } from '../gateway/faultGateway.ts'
import { start } from '../gateway/running.ts'
import { runInProcess } from '../inProcess.ts'
import { PASSWORD, type TestPostgres } from '../postgres.ts'
import { type PostgresProxy, startProxy } from '../postgresProxy.ts'
import { type AtEnd, emptyWorld, type ProcessResult, type World } from '../world.ts'
import type { Dice } from './dice.ts'
import type { Requests } from './teamFaults.ts'

export const PROFILE = 'prod'
/** How long a command waits for the server of the ledger, and how long a request may be sent after it was decided. */
export const TIMEOUT_MS = 3000
const SLEEP_MS = TIMEOUT_MS + 1000
/** The exit codes of what was done, refused here or there, is unknown or not reached, or was interrupted; -1 after SIGKILL. A defect would be 70. */
const EXITS: readonly number[] = [-1, 0, 1, 2, 3, 5, 6]

/** What happens to a process while it runs. */
export type Disturbance = { what: 'nothing' } | { what: 'kill' | 'sleep'; afterMs: number }

/** What may be typed on which machine, beside the shared ledger that all of them use. */
export interface Shop {
  postgres: TestPostgres
  /** The name of the ledger's database. */
  database: string
  gateway: FaultGateway
  requests: Requests
  /** The largest sum of a day, as it is typed; null for none. */
  maxDay: string | null
  /** False to leave out processes that sleep, each of which takes seconds. */
  maySleep: boolean
}

/** One machine of a team: its folders, its login, and its way to the server, which can be spoiled. */
export class TeamDesk {
  readonly login: string
  readonly world: World
  readonly proxy: PostgresProxy
  /** Every command line with its exit code, for the report of a failure. */
  readonly journal: string[] = []
  commands = 0
  kills = 0
  sleeps = 0
  /** How often the server of the ledger was not reached, or was locked. */
  unreached = 0

  private constructor(login: string, world: World, proxy: PostgresProxy) {
    this.login = login
    this.world = world
    this.proxy = proxy
  }

  /** A machine with a production profile that has joined the ledger. */
  static async open({ postgres, database, gateway, maxDay }: Shop, atEnd: AtEnd): Promise<TeamDesk> {
    const login = await postgres.newLogin('pixgate_member')
    const proxy = await startProxy(postgres.port)
    const world = emptyWorld({ CAMPAIGN_SECRET: 'secret-of-the-campaign', PGPASSWORD: PASSWORD }, atEnd)
    const account = ['--client-id', 'shop', '--client-secret-env', 'CAMPAIGN_SECRET', '--base-url', gateway.url]
    const rest = ['--environment', 'production', '--callback-url', 'https://example.com/']
    await world.prepare(['profile', 'add', PROFILE, ...account, ...rest, ...(maxDay ? ['--max-day', maxDay] : [])])
    await world.prepare(['ledger', 'join', postgres.address(login, database, proxy.port).url, '--confirm', PROFILE])
    return new TeamDesk(login, world, proxy)
  }

  /** Types a command in a process of its own. Throws if it ends with a code that it never should. */
  async type(line: readonly string[], disturbance: Disturbance): Promise<ProcessResult> {
    this.commands += 1
    const process = start(this.world, [...line, '--timeout', `${TIMEOUT_MS}ms`, '--confirm', PROFILE])
    if (disturbance.what !== 'nothing') {
      await Promise.race([sleep(disturbance.afterMs), process.ended])
      process.signal(disturbance.what === 'kill' ? 'SIGKILL' : 'SIGSTOP')
    }
    if (disturbance.what === 'sleep') {
      await Promise.race([sleep(SLEEP_MS), process.ended])
      process.signal('SIGCONT')
    }
    const ran = await process.ended
    if (ran.exit === -1) this.kills += 1
    if (disturbance.what === 'sleep') this.sleeps += 1
    if (ran.exit === 6) this.unreached += 1
    this.#note(line, ran, disturbance.what)
    if (!EXITS.includes(ran.exit)) throw new Error(`exit ${ran.exit} of ${line.join(' ')}: ${ran.stderr}`)
    return ran
  }

  /** Runs a command in the process of the tests, which takes less time. */
  async here(line: readonly string[]): Promise<ProcessResult> {
    const ran = await runInProcess([...line, '--timeout', '20s'], this.world.env)
    this.#note(line, ran, 'in process')
    return ran
  }

  /** The document that a command prints; throws unless it exits with 0. */
  async document(line: readonly string[]): Promise<unknown> {
    const { exit, stdout, stderr } = await this.here([...line, '-o', 'json'])
    if (exit !== 0) throw new Error(`${this.login}: pixgate ${line.join(' ')} ended with ${exit}: ${stderr}`)
    return JSON.parse(stdout)
  }

  #note(line: readonly string[], { exit, stderr }: ProcessResult, how: string): void {
    const [failure = ''] = stderr.split('\n').filter((said) => said.startsWith('error:'))
    const atMs = new Date().toISOString().slice(14)
    this.journal.push(`  ${atMs} ${this.login}: pixgate ${line.join(' ')} → ${exit}, ${how} ${failure}`)
  }
}

/** One of five is killed, mostly while it is at work; of a team that sleeps, one of twelve sleeps until its requests must not leave any more. */
export function disturbanceOf(dice: Dice, maySleep: boolean): Disturbance {
  const roll = dice.below(60)
  const afterMs = dice.below(4) === 0 ? dice.below(200) : 150 + dice.below(900)
  if (roll < 12) return { what: 'kill', afterMs }
  return maySleep && roll < 17 ? { what: 'sleep', afterMs } : { what: 'nothing' }
}
