import { configFolder, dataFolder } from '../folders.ts'

const IDS_MAX = 200

type Environment = Readonly<Record<string, string | undefined>>

/** What only the program knows, by the name under which completion scripts ask for it. */
const SOURCES: ReadonlyMap<string, (env: Environment) => Promise<string[]>> = new Map([
  ['profiles', listProfiles],
  ['ids', listIds],
])

/**
 * The answer to `pixgate __complete <source>`, which completion scripts call: one candidate a line. It never fails and
 * never says anything else, because a shell would print it into the line that is being typed.
 */
export async function completionCandidates(source: string, env: Environment): Promise<string> {
  const found = await candidatesOf(source, env)
  return found
    .filter(isSafeWord)
    .map((word) => `${word}\n`)
    .join('')
}

async function candidatesOf(source: string, env: Environment): Promise<string[]> {
  try {
    return (await SOURCES.get(source)?.(env)) ?? []
  } catch {
    return []
  }
}

/** Ids come from outside, and bash puts a candidate unquoted into the command line. */
function isSafeWord(text: string): boolean {
  return /^[\w.:+][\w.:+-]*$/.test(text)
}

async function listProfiles(env: Environment): Promise<string[]> {
  const { profileNames } = await import('../profiles/names.ts')
  return profileNames(configFolder(env))
}

/** The names and ids of the newest payments. No ledger is created, and nothing is written. */
async function listIds(env: Environment): Promise<string[]> {
  const { hasLedger } = await import('../ledger/open.ts')
  const folder = dataFolder(env)
  if (!hasLedger(folder)) return []
  const [{ recentIds }, { loadSqlite }, { ledgerPath }] = await Promise.all([
    import('../ledger/recentIds.ts'),
    import('../storage/sqlite.ts'),
    import('../ledger/open.ts'),
  ])
  const open = await loadSqlite()
  const database = open(ledgerPath(folder), { readOnly: true })
  try {
    return recentIds(database, IDS_MAX)
  } finally {
    database.close()
  }
}
