import { join } from 'node:path'
import { expect } from 'vitest'
import { OWNER, type TestPostgres } from '../postgres.ts'
import type { Dice } from './dice.ts'
import { disturbanceOf, PROFILE, type TeamDesk } from './teamDesk.ts'

/** How often a desk tries to hand over what the database lost; it may be killed while it does, and the server is well. */
const REPAIRS_MAX = 20

/** The database of a shared ledger, which can be brought back to what it held at an earlier moment. */
export class RestorableLedger {
  /** How often an old dump was restored. */
  restores = 0
  readonly #postgres: TestPostgres
  readonly #database: string
  #isDumped = false

  constructor(postgres: TestPostgres, database: string) {
    this.#postgres = postgres
    this.#database = database
  }

  /** True once there is a dump that was not restored yet. */
  get canBeRestored(): boolean {
    return this.#isDumped && this.restores === 0
  }

  /** Keeps what the database holds now. */
  async dump(): Promise<void> {
    await this.#postgres.program('pg_dump', [...this.#server, '-Fc', '-f', this.#file, this.#database])
    this.#isDumped = true
  }

  /**
   * Restores the dump while people go on at their desks, as an administrator does who does not know better. Then each desk hands over what the
   * database lost, and the owner ends the stop.
   */
  async restore(desks: readonly TeamDesk[], dice: Dice, maySleep: boolean): Promise<void> {
    await this.#postgres.sql('postgres', `DROP DATABASE ${this.#database} WITH (FORCE)`)
    await this.#postgres.sql('postgres', `CREATE DATABASE ${this.#database}`)
    await this.#postgres.program('pg_restore', [...this.#server, '-d', this.#database, this.#file])
    this.restores += 1
    const order = [...desks].sort((a, b) => (a.login < b.login ? -1 : 1))
    if (dice.coin()) order.reverse()
    for (const desk of order) await repair(desk, dice, maySleep)
    const owner = this.#postgres.address(OWNER, this.#database).url
    const ended = await (order[0] as TeamDesk).here(['ledger', 'repair', owner, '--confirm-host', '127.0.0.1'])
    expect(ended.exit, ended.stderr).toBe(0)
    // The others follow.
    for (const desk of order.slice(1)) await repair(desk, dice, maySleep)
  }

  get #server(): string[] {
    return ['-h', '127.0.0.1', '-p', String(this.#postgres.port), '-U', OWNER]
  }

  get #file(): string {
    return join(this.#postgres.folder, `${this.#database}.dump`)
  }
}

/** Hands over what the database lost and this desk has, however often that is interrupted. */
async function repair(desk: TeamDesk, dice: Dice, maySleep: boolean): Promise<void> {
  for (let tries = 0; tries < REPAIRS_MAX; tries++) {
    const { exit } = await desk.type(['ledger', 'repair'], disturbanceOf(dice, maySleep))
    if (exit === 0) return
  }
  throw new Error(`${desk.login} could not repair the ledger of ${PROFILE}`)
}
