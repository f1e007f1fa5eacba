import { PASSWORD, type TestPostgres } from '../postgres.ts'
import { emptyWorld, sandboxWorld, type World } from '../world.ts'

/** A sandbox, and a shared ledger for its account. */
export interface Team {
  /** The address of the sandbox. */
  url: string
  /** The name of the ledger's database. */
  database: string
  /** A machine with a login of its own that has not joined yet. `port` is that of a proxy in front of the server. */
  newDesk(port?: number): Promise<Desk>
  /** A machine that has joined. */
  joinedDesk(port?: number): Promise<Desk>
  /** What the gateway booked: `key amount` of each transfer, sorted. */
  booked(): Promise<string[]>
}

/** A machine of a member, with its own data and config folders. */
export interface Desk extends World {
  login: string
  /** The address of the ledger as this login types it. */
  ledger: string
}

/** Starts a sandbox, and makes a ledger for it on a server. */
export async function startTeam(postgres: TestPostgres): Promise<Team> {
  const sandbox = await sandboxWorld()
  const { url } = sandbox
  const database = await postgres.newLedger()
  const newDesk = async (port?: number) => {
    const login = await postgres.newLogin('pixgate_member')
    const world = emptyWorld({ PIXGATE_BASE_URL: url, PGPASSWORD: PASSWORD })
    return { ...world, login, ledger: postgres.address(login, database, port).url }
  }
  return {
    url,
    database,
    newDesk,
    async joinedDesk(port) {
      const desk = await newDesk(port)
      await desk.prepare(['ledger', 'join', desk.ledger])
      return desk
    },
    async booked() {
      const { transfers } = JSON.parse(await sandbox.prepare(['sandbox', 'state', '-o', 'json']))
      if (!Array.isArray(transfers)) throw new Error('the state of a sandbox has transfers')
      return transfers.map(({ key, value, amount }) => `${key} ${value ?? amount}`).sort()
    },
  }
}

/** The words of a transfer to a key. */
export function transferTo(key: string, externalId: string, ...more: string[]): string[] {
  return ['transfer', '--key', key, '--amount', '5', '--external-id', externalId, '--yes', ...more]
}
