import { defineCommand, type OptionsOf } from '../../commandDefinition.ts'
import type { Context } from '../../context.ts'
import { pickPlan } from '../../steps/plans/listPlans.ts'
import { PLAN_ARGUMENT } from '../../steps/plans/loadPlan.ts'
import { sendPlan } from '../../steps/plans/sendPlan.ts'
import { shellWord } from '../../text/shellWord.ts'
import { t } from '../../text/translate.ts'
import { UsageError } from '../../wire/errors.ts'

const OPTIONS = [
  { flags: '--watch', description: 'send plans of the shared ledger as they are approved, without a question' },
] as const

export const planSend = defineCommand({
  sendsPayments: true,
  arguments: [{ ...PLAN_ARGUMENT, name: '[plan]' }],
  options: OPTIONS,
  examples: [
    ['pixgate plan send plan.json', 'asks as the payment itself would, then sends it'],
    ['pixgate plan send --watch', 'on the host that sends: each plan of the shared ledger once it is approved'],
  ],
  run: send,
})

async function send(context: Context, { plan, watch }: OptionsOf<typeof OPTIONS> & { plan?: string }): Promise<number> {
  if (watch && plan !== undefined) {
    throw new UsageError(t`\`--watch\` sends the plans of the shared ledger and takes no \`<plan>\``, {
      details: [t`Nothing was sent`],
      hint: t`Send this one with \`pixgate plan send ${shellWord(plan)}\``,
    })
  }
  if (watch) return (await import('../../steps/plans/watchPlans.ts')).watchPlans(context)
  if (plan !== undefined) return sendPlan(context, plan)
  if (context.terminal.canAsk) {
    const account = await context.account()
    return sendPlan(context, await pickPlan(context, account, 'pixgate plan send', ['approved', 'interrupted']))
  }
  throw new UsageError(t`\`<plan>\` is missing`, {
    details: [t`Nothing was sent`],
    hint: t`Run \`pixgate plan list\` to list the plans, or add \`--watch\` to send them as they are approved`,
  })
}
