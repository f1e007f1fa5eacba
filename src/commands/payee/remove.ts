import type { Context } from '../../context.ts'
import { t } from '../../text/translate.ts'
import { defineCommand } from '../command.ts'
import { activeAccount } from '../history/paymentPages.ts'
import { readPayeeName } from './options.ts'
import { recordPayees, requirePayee } from './payeeLedger.ts'

export const payeeRemove = defineCommand({
  arguments: [{ name: '<name>', description: 'a payee', parse: readPayeeName, completes: 'payees' }],
  examples: [['pixgate payee remove acme', 'its payments and the record of its key stay in the ledger']],
  run: remove,
})

async function remove(context: Context, { name }: { name: string }): Promise<number> {
  const account = await activeAccount(context)
  const before = await requirePayee(context, account, name)
  await recordPayees(context, account, [{ name, before, after: null }])
  context.print.one({ name: before.name, removed: true }, () => [t`Removed the payee ${before.name}`])
  return 0
}
