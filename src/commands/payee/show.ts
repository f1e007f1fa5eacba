import type { Context } from '../../context.ts'
import { payeeRecords } from '../../ledger/payees.ts'
import { documentOf } from '../../terminal/fields.ts'
import { labelledLines } from '../../terminal/terminal.ts'
import { t } from '../../text/translate.ts'
import { PAYEE_FIELDS } from '../../views/payees/payeeFields.ts'
import { payeeChangeDocument, payeeChangeLine, payeeRows } from '../../views/payees/payeeText.ts'
import { defineCommand } from '../command.ts'
import { activeAccount } from '../history/paymentPages.ts'
import { readPayeeName } from './options.ts'
import { requirePayee } from './payeeLedger.ts'

export const payeeShow = defineCommand({
  arguments: [{ name: '<name>', description: 'a payee', parse: readPayeeName, completes: 'payees' }],
  examples: [['pixgate payee show acme', 'its key, and who changed it when']],
  run: show,
})

async function show(context: Context, { name }: { name: string }): Promise<number> {
  const account = await activeAccount(context)
  const payee = await requirePayee(context, account, name)
  const ledger = await context.ledger()
  const records = await ledger.read((database) => payeeRecords(database, account, name))
  const document = { ...documentOf(PAYEE_FIELDS, payee), changes: records.map(payeeChangeDocument) }
  const { out, textColumns } = context.terminal
  context.print.one(document, () => [
    ...labelledLines(payeeRows(payee, out), out, textColumns),
    '',
    t`Changes, newest first:`,
    ...records.map(payeeChangeLine),
  ])
  return 0
}
