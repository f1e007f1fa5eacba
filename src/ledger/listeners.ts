import { only } from '../pix/expectedError.ts'
import type { Account } from '../profiles/account.ts'
import { ENVIRONMENTS } from '../profiles/settings.ts'
import { object, oneOf, orNull, type ReadBy, readJson, string } from '../schemas/jsonReader.ts'
import { loadSqlite, textOf } from '../storage/sqlite.ts'
import { NotReached } from '../wire/errors.ts'
import { parseJson } from '../wire/jsonTree.ts'
import type { Ledger } from './ledger.ts'
import { hasLedger } from './ledgerFile.ts'
import { isSameScope } from './paymentState.ts'
import { livingProcess } from './processes.ts'

const LISTENER = object({
  /** The URL on its machine. */
  url: string,
  /** The URL from outside; null if there is none. */
  publicUrl: orNull(string),
  profile: orNull(string),
  environment: oneOf(ENVIRONMENTS),
  baseUrl: orNull(string),
  clientId: orNull(string),
})
/** A running `webhook listen`: where it is reached, and whose webhooks it verifies. */
export type RunningListener = ReadBy<typeof LISTENER>

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
  await ledger.writeHere(({ database }) =>
    database.run('INSERT INTO listener (process, detail) VALUES (?, ?)', id, JSON.stringify(listener)),
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
      if (livingProcess(database, open, folder, id) !== undefined) return readListener(parseJson(textOf(row, 'detail')))
      database.run('DELETE FROM listener WHERE process = ?', id)
      return []
    })
  })
}

/** The listeners of the other machines of a team, oldest first; none if the ledger belongs to this machine alone. Throws LedgerNotReached. */
export async function listenersElsewhere({ activities }: Ledger): Promise<AnnouncedListener[]> {
  const announced = (await activities?.others('listener')) ?? []
  return announced.flatMap(({ login, detail }) => readListener(detail).map((listener) => ({ ...listener, login })))
}

/** The newest listener that verifies the webhooks of an account; undefined if none does. */
export function listenerFor<Listener extends RunningListener>(
  listeners: readonly Listener[],
  { environment, url, clientId }: Pick<Account, 'environment' | 'url' | 'clientId'>,
): Listener | undefined {
  return listeners.findLast((listener) => isSameScope(listener, { environment, baseUrl: url, clientId }))
}

/** What {@link announceListener} told of a listener; none for what no version of it tells. */
function readListener(detail: unknown): RunningListener[] {
  const { value } = readJson(LISTENER, detail)
  return value === undefined ? [] : [value]
}
