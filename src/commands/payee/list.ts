import type { Context } from '../../context.ts'
import { allPayees } from '../../ledger/payees.ts'
import { columnOf, csvColumns, documentOf, listColumns } from '../../terminal/fields.ts'
import { t } from '../../text/translate.ts'
import { type ListedPayee, maskedPayee, PAYEE_FIELDS } from '../../views/payees/payeeFields.ts'
import { defineCommand, defineOptions, type OptionsOf } from '../command.ts'
import { activeAccount } from '../history/paymentPages.ts'
import { UNMASK_OPTION } from '../unmaskOption.ts'

const OPTIONS = defineOptions(UNMASK_OPTION)

const COLUMNS = (['name', 'displayName', 'key', 'owner', 'state', 'changedAt', 'changedBy'] as const).map((name) =>
  columnOf<string, ListedPayee>(PAYEE_FIELDS, name),
)

export const payeeList = defineCommand({
  options: OPTIONS,
  examples: [
    ['pixgate payee list', 'who is paid, and who is new'],
    ['pixgate payee list --unmask -o csv', 'with whole keys, for a spreadsheet'],
  ],
  acceptsCsv: true,
  run: list,
})

async function list(context: Context, { unmask }: OptionsOf<typeof OPTIONS>): Promise<number> {
  const { print, terminal } = context
  const account = await activeAccount(context)
  const ledger = await context.ledger()
  const payees = await ledger.read((database) => allPayees(database, account))
  if (payees.length === 0 && print.format === 'text') {
    terminal.note(t`This account has no payees yet; \`pixgate payee add --help\` shows how to add one`)
    return 0
  }
  const listed = payees.map((payee): ListedPayee => {
    const document = documentOf(PAYEE_FIELDS, payee)
    return { payee, document: unmask ? document : maskedPayee(document) }
  })
  await print.listOf(listed, {
    columns: print.format === 'text' ? COLUMNS : csvColumns(PAYEE_FIELDS),
    more: listColumns(PAYEE_FIELDS),
    documentOf: ({ document }) => document,
  })
  return 0
}
