import { RowSource, type SelectedRow } from '../../batch/rowSource.ts'
import type { RunPlan } from '../../batch/runPlan.ts'
import type { Context } from '../../context.ts'
import type { MoneyPayment } from '../../ledger/facts.ts'
import { loadPayment } from '../../ledger/payments.ts'
import type { PaymentContext } from '../../payments/paymentContext.ts'
import { nextExternalId } from '../../payments/paymentLookup.ts'
import type { Account } from '../../profiles/account.ts'
import type { Database } from '../../storage/sqlite.ts'
import { t } from '../../text/translate.ts'
import { UsageError } from '../../wire/errors.ts'
import { makePlan } from '../plan/makePlan.ts'
import type { PlanOptions } from '../plan/planOptions.ts'

/** Writes the rows of a run that a resume would send as a plan. Returns the exit code. Throws UsageError. */
export async function planResume(
  context: Context,
  payments: PaymentContext,
  plan: RunPlan,
  options: PlanOptions,
): Promise<number> {
  const { account, ledger } = payments
  const { run, kind, selection, repeats } = plan.order
  const rows = await new RowSource(ledger, plan, context.now()).take(plan.now.count)
  const requests = await ledger.read((database) => rows.map((row) => requestOf(database, account, row)))
  const { refused, includeUnknown } = selection
  const resume = { run, payment: null, refused, includeUnknown }
  return makePlan(context, payments, { kind, payments: requests, resume, repeats }, options)
}

/** What a row would ask for: a further attempt has an id that follows from those before it. */
function requestOf(
  database: Database,
  account: Account,
  { state: { row, payment, name }, action }: SelectedRow,
): { facts: MoneyPayment; externalId: string | null } {
  const { facts, rowId } = row
  if (facts.kind === 'refund') {
    if (action === 'resend' && facts.isWhole) throw cannotBePlanned(row.line)
    return { facts, externalId: null }
  }
  if (action === 'pay') return { facts, externalId: rowId }
  if (action === 'resend' || payment === null) return { facts, externalId: name }
  return { facts, externalId: nextExternalId(database, account, loadPayment(database, payment).first) }
}

/** The same bytes would be sent again, and they name no amount. */
function cannotBePlanned(line: number): UsageError {
  return new UsageError(t`Line ${line} refunds a whole payment, which a plan cannot send again without an amount`, {
    details: [t`Nothing was sent`],
    hint: t`Look it up in the dashboard and record what you find with \`pixgate history settle\``,
  })
}
