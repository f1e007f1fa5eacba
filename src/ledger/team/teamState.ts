import { type Failure, NotReached } from '../../wire/errors.ts'
import { chainEnd } from '../chain.ts'
import type { Ledger } from '../ledger.ts'
import { LedgerOlder } from './serverErrors.ts'
import type { TeamConnection } from './teamConnection.ts'

/** How a shared ledger stands from this machine. */
export interface TeamState {
  /** The records of the copy, and how many more the server has; null if it was not reached. */
  records: number
  behind: number | null
  /** What waits on this machine. */
  pending: number
  /** When the copy was brought up to date last, in ms; null if it never was. */
  contactMs: number | null
  /** Why nobody, or this machine, may send; null if nothing prevents it. */
  stop: Failure | null
}

/** How many records the server has that the copy lacks, null if it was not reached, and why it must not be used. Throws what else connecting throws. */
export async function serverState(
  connection: TeamConnection,
  copy: Ledger,
  deadlineMs: number,
): Promise<Pick<TeamState, 'behind' | 'stop'>> {
  try {
    const opened = await connection.open(deadlineMs)
    const { seq } = await copy.read(chainEnd)
    return { behind: (await opened.lastSeq(deadlineMs)) - seq, stop: null }
  } catch (error) {
    if (error instanceof LedgerOlder) return { behind: null, stop: error }
    if (error instanceof NotReached) return { behind: null, stop: null }
    throw error
  }
}
