import type { Context } from '../../context.ts'
import { plansOfAccount } from '../../ledger/plans.ts'
import { csvColumns, documentOf, listColumns } from '../../terminal/fields.ts'
import { t } from '../../text/translate.ts'
import { PLAN_FIELDS } from '../../views/plans/planFields.ts'
import { defineCommand } from '../command.ts'

export const planList = defineCommand({
  examples: [['pixgate plan list', 'what waits for approval, and what was sent']],
  acceptsCsv: true,
  run: list,
})

async function list(context: Context): Promise<number> {
  const { print, terminal } = context
  context.forgoSecret()
  const account = await context.account()
  const ledger = await context.ledger()
  const nowMs = context.now()
  const plans = (await ledger.read((database) => plansOfAccount(database, account))).map((known) => ({ known, nowMs }))
  if (plans.length === 0 && print.format === 'text') {
    terminal.note(t`No plan of this account was made, approved or sent from this ledger yet`)
    return 0
  }
  await print.listOf(plans, {
    columns: print.format === 'text' ? listColumns(PLAN_FIELDS) : csvColumns(PLAN_FIELDS),
    more: listColumns(PLAN_FIELDS),
    documentOf: (plan) => documentOf(PLAN_FIELDS, plan),
  })
  return 0
}
