import { configFolder, dataFolder } from '../folders.ts'
import type { EnvironmentVariables } from '../programInfo.ts'

const IDS_MAX = 200

/** How long a person who pressed Tab waits for another process that closes or recovers the ledger. */
const BUSY_TIMEOUT_MS = 1000

/** Values that completion scripts cannot know, by the name under which they request them. */
const SOURCES: ReadonlyMap<string, (env: EnvironmentVariables) => Promise<string[]>> = new Map([
  ['profiles', listProfiles],
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

/** Ids come from outside, and bash inserts candidates into the command line without quoting them. */
function isSafeWord(text: string): boolean {
  return /^[\w.:+][\w.:+-]*$/.test(text)
}

async function listProfiles(env: EnvironmentVariables): Promise<string[]> {
  const { profileNames } = await import('../profiles/store.ts')
  return profileNames(configFolder(env))
}

/** The names and ids of the newest payments. No ledger is created, and nothing is written. */
async function listIds(env: EnvironmentVariables): Promise<string[]> {
  const { hasLedger } = await import('../ledger/ledgerFile.ts')
  const folder = dataFolder(env)
  if (!hasLedger(folder)) return []
  const [{ recentIds }, { loadSqlite }, { ledgerPath }] = await Promise.all([
    import('../ledger/paymentList.ts'),
    import('../storage/sqlite.ts'),
    import('../ledger/ledgerFile.ts'),
  ])
  const open = await loadSqlite()
  const database = open(ledgerPath(folder), { readOnly: true })
  try {
    database.exec(`PRAGMA busy_timeout = ${BUSY_TIMEOUT_MS}`)
    return recentIds(database, IDS_MAX)
  } finally {
    database.close()
  }
}
