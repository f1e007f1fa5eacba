import type { Context } from '../../context.ts'
import { isSameTargetOfPayee, type KnownPayee, type Payee } from '../../ledger/payees.ts'
import type { LabelledRow } from '../../terminal/terminal.ts'
import { t } from '../../text/translate.ts'
import { changedTargetRows } from '../../views/payees/payeeText.ts'
import { UsageError } from '../../wire/errors.ts'
import { defineCommand, defineOptions, type OptionsOf } from '../command.ts'
import { activeAccount } from '../history/paymentPages.ts'
import { askToChangePayees } from './consent.ts'
import { PAYEE_OPTIONS, readPayeeKey, readPayeeName } from './options.ts'
import { recordPayees, requirePayee } from './payeeLedger.ts'
import { showPayee } from './payeeOutput.ts'

const OPTIONS = defineOptions(
  ...PAYEE_OPTIONS,
  { flags: '--no-owner', description: 'do not check the owner of the key' },
  { flags: '--no-display-name', description: 'remove the name that people see' },
)

export const payeeEdit = defineCommand({
  arguments: [{ name: '<name>', description: 'a payee', parse: readPayeeName, completes: 'payees' }],
  options: OPTIONS,
  examples: [
    ['pixgate payee edit maria --key 529.982.247-25', 'asks, because another key is paid from then on'],
    ["pixgate payee edit maria --display-name 'Maria Souza'", 'the name in lists and receipts'],
  ],
  run: edit,
})

async function edit(
  context: Context,
  { name, ...options }: OptionsOf<typeof OPTIONS> & { name: string },
): Promise<number> {
  if (Object.values(options).every((value) => value === undefined)) {
    throw new UsageError(t`No option changes the payee \`${name}\``, { hint: t`See \`pixgate payee edit --help\`` })
  }
  const account = await activeAccount(context)
  const before = await requirePayee(context, account, name)
  const after = edited(before, options)
  if (!isSameTargetOfPayee(before, after)) {
    const { err } = context.terminal
    const rows: LabelledRow[] = [[t`payee`, before.name, err.bold], ...changedTargetRows(before, after, err)]
    await askToChangePayees(context, account, rows, t`Pay ${before.name} with the new details from now on?`)
  }
  await recordPayees(context, account, [{ name, before, after }])
  await showPayee(context, account, name)
  return 0
}

function edited(
  { name, displayName, key, keyType, documentValidation }: KnownPayee,
  options: OptionsOf<typeof OPTIONS>,
): Payee {
  const isSameKey = options.key === undefined && options.keyType === undefined
  const target = isSameKey ? { key, keyType } : readPayeeKey(options.key ?? key, options.keyType)
  return {
    name,
    displayName: afterEdit(displayName, options.displayName),
    ...target,
    documentValidation: afterEdit(documentValidation, options.owner),
  }
}

function afterEdit(earlier: string | null, typed: string | false | undefined): string | null {
  return typed === undefined ? earlier : typed || null
}
