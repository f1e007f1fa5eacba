import type { Context } from '../../context.ts'
import { findRun, type Run } from '../../ledger/runs.ts'

/** An accepted run; undefined if this machine knows none of that name. */
export async function findRunByName(context: Context, name: string): Promise<Run | undefined> {
  const ledger = await context.ledger()
  return ledger.read((database) => findRun(database, name))
}
