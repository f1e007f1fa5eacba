import type { Account } from '../profiles/account.ts'
import { loadSqlite, type Row, textOf, textOrNull } from '../storage/sqlite.ts'
import { isSameScope } from './eventMeaning.ts'
import type { Ledger } from './ledger.ts'
import { hasLedger } from './ledgerFile.ts'
import { livingProcess } from './processes.ts'
import type { EventOwner } from './records.ts'

/** A `webhook listen` that runs on this machine: where it is reached, and whose webhooks it verifies. */
export interface RunningListener extends EventOwner {
  /** The URL on this machine. */
  url: string
  /** The URL from outside; null if there is none yet. */
  publicUrl: string | null
}

/** The entry of a listener in the ledger. It counts as long as this process lives. */
export interface ListenerEntry {
  /** Changes the URL by which the listener is reached from outside. */
  update(publicUrl: string | null): Promise<void>
  /** Removes the entry. */
  remove(): Promise<void>
}

/** Tells the other commands of this machine about a listener of this process. Throws UsageError if the ledger cannot be written. */
export async function announceListener(ledger: Ledger, listener: RunningListener): Promise<ListenerEntry> {
  const { id } = await ledger.sender()
  const { url, publicUrl, profile, environment, baseUrl, clientId } = listener
  await ledger.write(({ database }) =>
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
  return {
    async update(next) {
      await ledger.write(({ database }) =>
        database.run('UPDATE listener SET public_url = ? WHERE process = ?', next, id),
      )
    },
    async remove() {
      await ledger.write(({ database }) => database.run('DELETE FROM listener WHERE process = ?', id))
    },
  }
}

/** The listeners whose process lives, oldest first. Entries of processes that have ended are removed. */
export async function runningListeners(ledger: Ledger): Promise<RunningListener[]> {
  const { folder } = ledger.environment
  if (!hasLedger(folder)) return []
  const open = await loadSqlite()
  // A write transaction: only one process at a time may look whether a lock file is free.
  return ledger.write(({ database }) => {
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

/** The newest listener that verifies the webhooks of an account; undefined if none does. */
export function listenerFor(
  listeners: readonly RunningListener[],
  { environment, url, clientId }: Pick<Account, 'environment' | 'url' | 'clientId'>,
): RunningListener | undefined {
  return listeners.findLast((listener) => isSameScope(listener, { environment, baseUrl: url, clientId }))
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
