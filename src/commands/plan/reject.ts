import type { Context } from '../../context.ts'
import { findPlan } from '../../ledger/plans.ts'
import { readText } from '../../optionParsers.ts'
import { ownerOf } from '../../payments/paymentContext.ts'
import { assertNotRejected, assertNotSent } from '../../payments/planApproval.ts'
import { t } from '../../text/translate.ts'
import { planDocument } from '../../views/plans/planText.ts'
import { UsageError } from '../../wire/errors.ts'
import { defineCommand, type OptionsOf } from '../command.ts'
import { keepPlan, loadPlan, PLAN_ARGUMENT, reviewOf, standingOf } from './loadPlan.ts'

const OPTIONS = [
  { flags: '--because <text>', description: 'why, for its maker and the ledger', parse: readText },
] as const

export const planReject = defineCommand({
  arguments: [PLAN_ARGUMENT],
  options: OPTIONS,
  examples: [['pixgate plan reject plan.json --because "the invoice is paid"', 'nothing of it is sent']],
  run: reject,
})

async function reject(
  context: Context,
  { plan: typed, because }: OptionsOf<typeof OPTIONS> & { plan: string },
): Promise<number> {
  if (because === undefined) {
    throw new UsageError(t`\`--because\` is missing`, {
      hint: t`Add \`--because "the invoice is paid"\` so that others know why`,
    })
  }
  context.forgoSecret()
  const account = await context.account()
  const loaded = await loadPlan(context, account, typed)
  const { open, known } = loaded
  assertNotRejected(open.id, known?.rejection ?? null)
  assertNotSent(open.id, known?.sending ?? null)
  const review = await reviewOf(context, account, loaded)
  const ledger = await context.ledger()
  await ledger.write((writer) => {
    keepPlan(writer, account, loaded)
    assertNotSent(open.id, findPlan(writer.database, open.id)?.sending ?? null)
    writer.append({ type: 'plan-rejection', plan: open.id, owner: ownerOf(account), because })
  })
  const { approvers } = standingOf(loaded, context.now())
  context.print.one(planDocument(open, { approvers, state: 'rejected' }, review), () => [t`${open.id} is rejected`])
  if (ledger.environment.sharedAt === undefined) {
    context.terminal.note(t`Without a shared ledger it is rejected on this machine only`)
  }
  return 0
}
