import type { Context } from '../context.ts'
import type { Named } from '../ledger/namedByIds.ts'
import { isOfAccount } from '../ledger/payments.ts'
import { countRun } from '../ledger/runRows.ts'
import { listRuns, type Run } from '../ledger/runs.ts'
import { assertCanSend } from '../payments/consent.ts'
import { recentPayments } from '../payments/recentPayments.ts'
import type { Account } from '../profiles/account.ts'
import type { Database } from '../storage/sqlite.ts'
import { t } from '../text/translate.ts'
import { findRunByName } from './batch/findRunByName.ts'
import { pickRecent, resolveId } from './namedPayment.ts'

/** What is resumed: a batch, or the transfer with this id, which is as typed if it names no payment of the account. */
export type ResumeTarget = { run: Run } | { id: string }

/** As many of the newest batches are considered. */
const RUNS_MAX = 50

/** What a typed id names, or what a person picks. Throws UsageError and Cancelled. */
export async function resumeTarget(
  context: Context,
  command: string,
  typed: string | undefined,
): Promise<ResumeTarget> {
  // A run of another account is reported as such.
  const run = typed === undefined ? undefined : await findRunByName(context, typed)
  if (run !== undefined) return { run }
  const account = await context.account()
  assertCanSend(account)
  const named =
    typed === undefined
      ? await pickUnfinished(context, command, account)
      : (await resolveId(context, typed, { command, account, rank: rankOf }))?.named
  if (named?.is === 'run') return { run: named.run }
  return { id: named?.is === 'payment' ? named.payment.id : (typed ?? '') }
}

function pickUnfinished(context: Context, command: string, account: Account): Promise<Named> {
  const question = {
    command,
    argument: '<id>',
    question: t`Which transfer or batch should be resumed?`,
    nothing: t`No transfer of this account has an unknown outcome, and every batch is finished`,
  }
  return pickRecent(context, question, (database) => [
    ...unfinishedRuns(database, account),
    ...recentPayments(database, account, { kind: 'transfer', state: 'unknown' }).filter(isSingle),
  ])
}

function unfinishedRuns(database: Database, account: Account): Named[] {
  return listRuns(database)
    .slice(0, RUNS_MAX)
    .filter(({ record }) => isOfAccount(record, account))
    .filter(({ record }) => {
      const counts = countRun(database, record.run)
      return counts.unknown.rows + counts.none.rows + counts['not-sent'].rows > 0
    })
    .map((run) => ({ is: 'run', run }))
}

/** The rows of a batch are resumed with it. */
function isSingle(named: Named): boolean {
  return named.is === 'payment' && named.payment.first.place === null
}

/** What is unfinished comes first, then other transfers. */
function rankOf(named: Named): number {
  if (named.is === 'run') return 0
  if (named.is === 'external' || named.payment.facts.kind !== 'transfer') return 2
  return named.payment.summary.state === 'unknown' ? 0 : 1
}
