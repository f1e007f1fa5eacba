import { only } from '../pix/malformed.ts'
import type { Account } from '../profiles/account.ts'
import { loadSqlite, type Row, textOf, textOrNull } from '../storage/sqlite.ts'
import { NotReached } from '../wire/errors.ts'
import type { EventOwner } from './accounts.ts'
import type { Ledger } from './ledger.ts'
import { hasLedger } from './ledgerFile.ts'
import { isSameScope } from './paymentState.ts'
import { livingProcess } from './processes.ts'

/** A running `webhook listen`: where it is reached, and whose webhooks it verifies. */
export interface RunningListener extends EventOwner {
  /** The URL on its machine. */
  url: string
  /** The URL from outside; null if there is none. */
  publicUrl: string | null
}

/** A listener on another machine of the team. What it says of itself is its word; the server vouches for the login. */
export interface AnnouncedListener extends RunningListener {
  login: string
}

/** The entry of a listener in the ledger. It counts as long as this process lives. */
export interface ListenerEntry {
  /** Removes the entry. */
  remove(): Promise<void>
}

/**
 * Tells the other commands about a listener of this process: those of this machine and, if a team shares the ledger, those of the others. Throws
 * UsageError if the ledger cannot be written. A team that is not reached now hears of it later.
 */
export async function announceListener(ledger: Ledger, listener: RunningListener): Promise<ListenerEntry> {
  const { id } = await ledger.sender()
  const { url, publicUrl, profile, environment, baseUrl, clientId } = listener
  await ledger.writeHere(({ database }) =>
    database.run(
      `INSERT INTO listener (process, url, public_url, profile, environment, base_url, client_id) VALUES (?, ?, ?, ?, ?, ?, ?)`,
      id,
      url,
      publicUrl,
      profile,
      environment,
      baseUrl,
      clientId,
    ),
  )
  await ledger.activities?.announce('listener', { ...listener }).catch(only(NotReached, () => undefined))
  return {
    async remove() {
      await ledger.writeHere(({ database }) => database.run('DELETE FROM listener WHERE process = ?', id))
      await ledger.activities?.end('listener')
    },
  }
}

/** The listeners of this machine whose process lives, oldest first. Entries of processes that have ended are removed. */
export async function runningListeners(ledger: Ledger): Promise<RunningListener[]> {
  const { folder } = ledger.environment
  if (!hasLedger(folder)) return []
  const open = await loadSqlite()
  // A write transaction: only one process at a time may look whether a lock file is free.
  return ledger.writeHere(({ database }) => {
    const rows = database.all(
      'SELECT listener.* FROM listener JOIN process ON process.id = listener.process ORDER BY process.since',
    )
    return rows.flatMap((row) => {
      const id = textOf(row, 'process')
      if (livingProcess(database, open, folder, id) !== undefined) return [runningListener(row)]
      database.run('DELETE FROM listener WHERE process = ?', id)
      return []
    })
  })
}

/** The listeners of the other machines of a team, oldest first; none if the ledger belongs to this machine alone. Throws LedgerNotReached. */
export async function listenersElsewhere({ activities }: Ledger): Promise<AnnouncedListener[]> {
  const announced = (await activities?.others('listener')) ?? []
  return announced.flatMap(({ login, detail }) => {
    const listener = announcedListener(detail)
    return listener === undefined ? [] : [{ ...listener, login }]
  })
}

/** The newest listener that verifies the webhooks of an account; undefined if none does. */
export function listenerFor<Listener extends RunningListener>(
  listeners: readonly Listener[],
  { environment, url, clientId }: Pick<Account, 'environment' | 'url' | 'clientId'>,
): Listener | undefined {
  return listeners.findLast((listener) => isSameScope(listener, { environment, baseUrl: url, clientId }))
}

/** What {@link announceListener} told of a listener; undefined for what no version of it tells. */
function announcedListener({
  url,
  publicUrl,
  profile,
  environment,
  baseUrl,
  clientId,
}: Readonly<Record<string, unknown>>): RunningListener | undefined {
  if (typeof url !== 'string' || (environment !== 'sandbox' && environment !== 'production')) return undefined
  const text = (value: unknown) => (typeof value === 'string' ? value : null)
  return {
    url,
    publicUrl: text(publicUrl),
    profile: text(profile),
    environment,
    baseUrl: text(baseUrl),
    clientId: text(clientId),
  }
}

function runningListener(row: Row): RunningListener {
  return {
    url: textOf(row, 'url'),
    publicUrl: textOrNull(row, 'public_url'),
    profile: textOrNull(row, 'profile'),
    environment: textOf(row, 'environment') === 'production' ? 'production' : 'sandbox',
    baseUrl: textOrNull(row, 'base_url'),
    clientId: textOrNull(row, 'client_id'),
  }
}
