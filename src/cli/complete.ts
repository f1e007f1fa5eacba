import { configFolder, dataFolder } from '../folders.ts'
import type { EnvironmentVariables } from '../programInfo.ts'
import type { Database } from '../storage/sqlite.ts'
import { safeText } from '../text/safeText.ts'

const IDS_MAX = 200

/** How long a person who pressed Tab waits for another process that closes or recovers the ledger. */
const BUSY_TIMEOUT_MS = 1000

/** Values that completion scripts cannot know, by the name under which they request them. */
const SOURCES: ReadonlyMap<string, (env: EnvironmentVariables) => Promise<string[]>> = new Map([
  ['profiles', listProfiles],
  ['payees', listPayees],
  ['ids', listIds],
])

/**
 * The output of `pixgate __complete <source>`, which completion scripts call: one candidate per line. It never fails and
 * prints nothing else, because the shell would insert that into the command line.
 */
export async function completionCandidates(source: string, env: EnvironmentVariables): Promise<string> {
  const found = await candidatesOf(source, env)
  return found
    .filter(isSafeWord)
    .map((word) => `${word}\n`)
    .join('')
}

async function candidatesOf(source: string, env: EnvironmentVariables): Promise<string[]> {
  try {
    return (await SOURCES.get(source)?.(env)) ?? []
  } catch {
    return []
  }
}

/** Ids and names come from outside, and bash inserts candidates into the command line without quoting them; a person must see all of them. */
function isSafeWord(text: string): boolean {
  return /^[\p{L}\p{N}_.:+][\p{L}\p{M}\p{N}_.:+-]*$/u.test(text) && safeText(text) === text
}

async function listProfiles(env: EnvironmentVariables): Promise<string[]> {
  const { profileNames } = await import('../profiles/store.ts')
  return profileNames(configFolder(env))
}

/** The names and ids of the newest payments. */
async function listIds(env: EnvironmentVariables): Promise<string[]> {
  const { recentIds } = await import('../ledger/paymentList.ts')
  return fromLedger(env, (database) => recentIds(database, IDS_MAX))
}

/** The names of all payees. */
async function listPayees(env: EnvironmentVariables): Promise<string[]> {
  const { payeeNames } = await import('../ledger/payees.ts')
  return fromLedger(env, (database) => payeeNames(database))
}

/** The folder of the ledger that the active account uses: that of this machine, or its copy of a shared one. */
async function ledgerFolder(env: EnvironmentVariables): Promise<string> {
  const { chosenLedger } = await import('../profiles/accountLedger.ts')
  const shared = chosenLedger({ profile: undefined, baseUrl: undefined, env }, configFolder(env))
  if (shared === undefined) return dataFolder(env)
  const [{ readLedgerAddress }, { copyFolder }] = await Promise.all([
    import('../ledger/team/address.ts'),
    import('../ledger/team/copyFolder.ts'),
  ])
  return copyFolder(dataFolder(env), readLedgerAddress(shared.address))
}

/** What the ledger of the active account on this machine says. None is created, and nothing is written. */
async function fromLedger(env: EnvironmentVariables, read: (database: Database) => string[]): Promise<string[]> {
  const { hasLedger, ledgerPath } = await import('../ledger/ledgerFile.ts')
  const folder = await ledgerFolder(env)
  if (!hasLedger(folder)) return []
  const { loadSqlite } = await import('../storage/sqlite.ts')
  const open = await loadSqlite()
  const database = open(ledgerPath(folder), { readOnly: true })
  try {
    database.exec(`PRAGMA busy_timeout = ${BUSY_TIMEOUT_MS}`)
    return read(database)
  } finally {
    database.close()
  }
}
