import { requestBody } from '../ledger/facts.ts'
import { loadPayment } from '../ledger/payments.ts'
import type { Account } from '../profiles/account.ts'
import type { CheckedRequests, CheckStage } from '../profiles/checkCommand.ts'
import type { Database } from '../storage/sqlite.ts'
import { t } from '../text/translate.ts'
import { UsageError } from '../wire/errors.ts'
import type { PaymentContext } from './paymentContext.ts'
import { nextExternalId } from './paymentLookup.ts'
import type { Proposal } from './proposal.ts'

const allowedBy = new WeakMap<Account, string>()

/** Asks the check command of the profile, if it has one, before any lock. Throws Refused and Cancelled. */
export async function askCheckCommand(
  context: PaymentContext,
  stage: CheckStage,
  requests: CheckedRequests,
): Promise<void> {
  const { account, interrupt } = context
  if (account.checkCommand === null) return
  const { runCheckCommand } = await import('../profiles/checkCommand.ts')
  await runCheckCommand(account, stage, requests, { env: context.env, interrupt })
  allowedBy.set(account, account.checkCommand)
}

/** Throws UsageError if the profile has a check command by now that did not allow what is about to be decided. To be called in that transaction. */
export function assertChecked({ account }: PaymentContext, { checkCommand, confirmName }: Account): void {
  if (checkCommand === null || allowedBy.get(account) === checkCommand) return
  throw new UsageError(t`The check command of ${confirmName} was changed while this command ran, so nothing was sent`, {
    hint: t`Look at it with \`pixgate profile show ${confirmName}\`, then run the command again`,
  })
}

/** The body of the request that a proposal asks for. */
export function proposedBody(database: Database, account: Account, proposal: Proposal): string {
  if (proposal.action === 'pay') return requestBody(proposal.facts, proposal.externalId)
  const { facts, first, summary } = loadPayment(database, proposal.payment)
  if (facts.kind === 'qr') throw new Error('a charge is not sent again')
  if (proposal.action === 'resend') {
    const unknown = summary.attempts.find(({ state }) => state === 'unknown')
    return unknown?.record.body ?? requestBody(facts, first.externalId)
  }
  return requestBody(facts, nextExternalId(database, account, first))
}
