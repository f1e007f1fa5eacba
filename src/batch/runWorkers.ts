import type { Ledger } from '../ledger/ledger.ts'
import { hasLedger } from '../ledger/ledgerFile.ts'
import { livingProcess } from '../ledger/processes.ts'
import { workersOfRuns } from '../ledger/runs.ts'
import { loadSqlite } from '../storage/sqlite.ts'

/** Who works on a run at this moment. */
export interface RunWorker {
  user: string
  machine: string
  /** RFC 3339, UTC. */
  since: string
}

/**
 * Who works on runs at this moment, by the names of the runs: processes of this machine, and of the others if a team shares the ledger and its server is
 * reached.
 */
export async function runWorkers(ledger: Ledger): Promise<Map<string, RunWorker>> {
  const elsewhere = (await ledger.activities?.othersIfReached('run')) ?? []
  const workers = new Map<string, RunWorker>()
  for (const { login, machine, sinceMs, detail } of elsewhere) {
    if (typeof detail.run !== 'string') continue
    workers.set(detail.run, { user: login, machine, since: new Date(sinceMs).toISOString() })
  }
  for (const [run, worker] of await workersHere(ledger)) workers.set(run, worker)
  return workers
}

async function workersHere(ledger: Ledger): Promise<[run: string, worker: RunWorker][]> {
  const { folder } = ledger.environment
  if (!hasLedger(folder)) return []
  const claimed = await ledger.read(workersOfRuns)
  if (claimed.length === 0) return []
  const open = await loadSqlite()
  // A write transaction: only one process at a time may look whether a lock file is free.
  return ledger.writeHere(({ database }) =>
    claimed.flatMap(({ run, worker }): [string, RunWorker][] => {
      const holder = livingProcess(database, open, folder, worker)
      return holder === undefined ? [] : [[run, { user: holder.user, machine: holder.machine, since: holder.since }]]
    }),
  )
}
