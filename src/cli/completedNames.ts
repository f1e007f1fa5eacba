import { existsSync } from 'node:fs'
import type { NamedKind } from '../commandDefinition.ts'
import { configFolder, dataFolder } from '../folders.ts'
import { payeeKeys, recentIds } from '../ledger/knownNames.ts'
import { ledgerPath } from '../ledger/ledgerId.ts'
import { listRuns } from '../ledger/runs.ts'
import { formatPaymentDate, parseInstant } from '../pix/calendar.ts'
import { LOCAL_PROFILE } from '../profiles/account.ts'
import { chosenLedger } from '../profiles/accountLedger.ts'
import { profileAddresses } from '../profiles/store.ts'
import type { EnvironmentVariables } from '../programInfo.ts'
import { type Database, loadSqlite } from '../storage/sqlite.ts'
import { t, translated } from '../text/translate.ts'
import { amountText, maskKey } from '../views/valueText.ts'

/** A word that is offered, and what it means. */
export type Candidate = readonly [word: string, meaning: string]

const IDS_MAX = 200

/** How long a person who pressed Tab waits for another process that closes or recovers the ledger. */
const BUSY_TIMEOUT_MS = 1000

/** The names of a kind that this machine knows for a profile, by default the active one; none if they cannot be read. */
export async function knownNames(
  kind: NamedKind,
  profile: string | undefined,
  env: EnvironmentVariables,
): Promise<Candidate[]> {
  try {
    if (kind === 'profiles' || kind === 'stored profiles') {
      const stored = await profileAddresses(configFolder(env))
      return kind === 'profiles' ? [...stored, [LOCAL_PROFILE.name, LOCAL_PROFILE.baseUrl]] : stored
    }
    return await fromLedger(ledgerPath(await ledgerFolder(profile, env)), IN_LEDGER[kind])
  } catch {
    // Other candidates are offered all the same.
    return []
  }
}

const IN_LEDGER = { ids: newestIds, payees, runs: newestRuns }

function newestRuns(database: Database): Candidate[] {
  const newest = listRuns(database).slice(0, IDS_MAX)
  return newest.map(({ record: { run, at, file, reference, rows, totalCents } }) => {
    const amount = amountText(totalCents)
    const about = rows === 1 ? t`1 row, ${amount}` : t`${rows} rows, ${amount}`
    const minute = formatPaymentDate(parseInstant(at) ?? 0).slice(0, 16)
    return [run, `${minute}  ${file ?? reference}  ${about}`]
  })
}

function newestIds(database: Database): Candidate[] {
  const found = recentIds(database, IDS_MAX)
  return found.map(({ id, kind, amountCents }) => [id, `${translated(kind)} ${amountText(amountCents)}`])
}

function payees(database: Database): Candidate[] {
  return payeeKeys(database).map(({ name, key, keyType }) => [name, maskKey(key, keyType)])
}

/** The folder of the ledger that the account uses: that of this machine, or its copy of a shared one. */
async function ledgerFolder(profile: string | undefined, env: EnvironmentVariables): Promise<string> {
  const shared = chosenLedger({ profile, baseUrl: undefined, env }, configFolder(env))
  if (shared === undefined) return dataFolder(env)
  const [{ readLedgerAddress }, { copyFolder }] = await Promise.all([
    import('../ledger/team/ledgerAddress.ts'),
    import('../ledger/team/openTeam.ts'),
  ])
  return copyFolder(dataFolder(env), readLedgerAddress(shared.address))
}

/** What the ledger at this path says, if there is one. None is created, and nothing is written. */
async function fromLedger(path: string, read: (database: Database) => Candidate[]): Promise<Candidate[]> {
  if (!existsSync(path)) return []
  const open = await loadSqlite()
  const database = open(path, { readOnly: true })
  try {
    database.exec(`PRAGMA busy_timeout = ${BUSY_TIMEOUT_MS}`)
    return read(database)
  } finally {
    database.close()
  }
}
