import type { Context } from '../../context.ts'
import { findPayee } from '../../ledger/payees.ts'
import { readText } from '../../optionParsers.ts'
import { commandArgument } from '../../text/shellWord.ts'
import { t } from '../../text/translate.ts'
import { UsageError } from '../../wire/errors.ts'
import { defineCommand } from '../command.ts'
import { activeAccount } from '../history/paymentPages.ts'
import { typedOrPrompted } from '../requiredValue.ts'
import { PAYEE_OPTIONS, type PayeeOptions, readPayeeKey, readPayeeName } from './options.ts'
import { assertNoLookAlike, recordPayees } from './payeeLedger.ts'
import { showPayee } from './payeeOutput.ts'

export const payeeAdd = defineCommand({
  arguments: [{ name: '<name>', description: 'a short name, such as `acme`', parse: readPayeeName }],
  options: PAYEE_OPTIONS,
  examples: [
    ['pixgate payee add maria --key maria@example.com', 'then: `pixgate transfer --to maria`'],
    [
      "pixgate payee add acme --key 11.222.333/0001-81 --owner 11.222.333/0001-81 --display-name 'Acme Ltda'",
      'the gateway refuses a payment if the key has another owner',
    ],
  ],
  run: addPayee,
})

async function addPayee(context: Context, { name, ...options }: PayeeOptions & { name: string }): Promise<number> {
  const account = await activeAccount(context)
  const ledger = await context.ledger()
  const existing = await ledger.read((database) => findPayee(database, account, name))
  if (existing !== undefined) {
    throw new UsageError(t`A payee \`${existing.name}\` already exists`, {
      hint: t`Choose another name, or change it with \`pixgate payee edit ${commandArgument(existing.name)}\``,
    })
  }
  await assertNoLookAlike(context, account, name)
  const typed = await typedOrPrompted(context, options.key, '--key', {
    question: t`PIX key of the payee`,
    hint: t`Add \`--key\` and the PIX key of the payee, or see \`--help\` for examples`,
    parse(text) {
      readPayeeKey(readText(text), options.keyType)
      return text
    },
  })
  const { owner = null, displayName = null } = options
  const target = readPayeeKey(typed, options.keyType)
  const after = { name, displayName, ...target, documentValidation: owner }
  await recordPayees(context, account, [{ name, before: undefined, after }])
  await showPayee(context, account, name)
  context.terminal.note(t`Added the payee \`${name}\`; it is marked as new until a payment to it is confirmed`)
  return 0
}
