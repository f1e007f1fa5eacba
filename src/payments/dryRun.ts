import type { HttpRequest } from '../gateway/exchange.ts'
import type { MoneyPayment } from '../ledger/facts.ts'
import { checkProposal } from './check.ts'
import { checkClock } from './clock.ts'
import { type Question, showQuestion } from './consent.ts'
import { judge } from './decide.ts'
import { decisionFailure, requestOf } from './pay.ts'
import type { PaymentContext } from './paymentContext.ts'
import type { Proposal } from './proposal.ts'

/**
 * Does what `pay` does until a request is sent, with the same rules, but records nothing: shows what the question would show, and returns
 * the request that would leave. Throws the failure for a person if the payment is not allowed.
 */
export async function dryRun(
  context: PaymentContext,
  proposal: Proposal,
  facts: MoneyPayment,
  question: Question,
): Promise<HttpRequest> {
  const { ledger } = context
  await checkProposal(context, 'dry-run', proposal, facts)
  await checkClock(context)
  const sender = await ledger.sender()
  // The transaction of `decide`, which is then rolled back.
  const { body, conflict } = await ledger.trial((writer) => {
    const [decision] = judge(context, writer, sender, [proposal])
    return { body: decision?.attempt?.body ?? '', conflict: decision?.conflict ?? null }
  })
  if (conflict !== null) throw await decisionFailure(context, proposal, facts, conflict)
  showQuestion(context, question)
  return requestOf(context.account, facts, body)
}
