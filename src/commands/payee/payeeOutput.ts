import type { Context } from '../../context.ts'
import { documentOf } from '../../terminal/fields.ts'
import { labelledLines } from '../../terminal/terminal.ts'
import { PAYEE_FIELDS } from '../../views/payees/payeeFields.ts'
import { payeeRows } from '../../views/payees/payeeText.ts'
import type { ActiveAccount } from '../history/paymentPages.ts'
import { requirePayee } from './payeeLedger.ts'

/** Prints a payee that was just changed, as it is now. Throws UsageError if another process removed it. */
export async function showPayee(context: Context, account: ActiveAccount, name: string): Promise<void> {
  const { print, terminal } = context
  const payee = await requirePayee(context, account, name)
  const { out, textColumns } = terminal
  print.one(documentOf(PAYEE_FIELDS, payee), () => labelledLines(payeeRows(payee, out), out, textColumns))
}
