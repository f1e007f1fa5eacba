import type { Context } from '../../context.ts'
import type { KnownPayee } from '../../ledger/payees.ts'
import { documentOf } from '../../terminal/fields.ts'
import { labelledLines } from '../../terminal/terminal.ts'
import { PAYEE_FIELDS } from '../../views/payees/payeeFields.ts'
import { payeeRows } from '../../views/payees/payeeText.ts'

/** Prints a payee that was just changed. */
export function showPayee({ print, terminal }: Context, payee: KnownPayee): void {
  const { out, textColumns } = terminal
  print.one(documentOf(PAYEE_FIELDS, payee), () => labelledLines(payeeRows(payee, out), out, textColumns))
}
