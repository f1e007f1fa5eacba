import type { Context } from '../../context.ts'
import { planDocument, planLines } from '../../views/plans/planText.ts'
import { defineCommand } from '../command.ts'
import { loadPlan, PLAN_ARGUMENT, reviewOf, standingOf } from './loadPlan.ts'

export const planShow = defineCommand({
  arguments: [PLAN_ARGUMENT],
  examples: [['pixgate plan show plan.json', 'what it pays, to whom, and what is new']],
  run: show,
})

async function show(context: Context, { plan: typed }: { plan: string }): Promise<number> {
  context.forgoSecret()
  const account = await context.account()
  const loaded = await loadPlan(context, account, typed)
  const review = await reviewOf(context, account, loaded)
  const standing = standingOf(loaded, context.now())
  const { out, textColumns } = context.terminal
  context.print.one(planDocument(loaded.open, standing, review), () =>
    planLines(loaded.open, account, standing, review, { style: out, columns: textColumns }),
  )
  return 0
}
