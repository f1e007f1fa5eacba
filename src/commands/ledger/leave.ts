import type { Context } from '../../context.ts'
import { readText } from '../../optionParsers.ts'
import { t } from '../../text/translate.ts'
import { defineCommand, type OptionsOf } from '../command.ts'
import { activeAccount } from '../history/paymentPages.ts'
import { collectWarnings } from '../profile/profileStore.ts'
import { storeLedger } from './changeLedger.ts'
import { leaveLedger } from './leaveLedger.ts'

const OPTIONS = [
  {
    flags: '--confirm-host <host>',
    description: "confirm it in a script with the host of the account's address",
    parse: readText,
  },
] as const

export const ledgerLeave = defineCommand({
  options: OPTIONS,
  examples: [['pixgate ledger leave', 'this machine alone keeps the ledger of the active account']],
  run: leave,
})

async function leave(context: Context, { confirmHost }: OptionsOf<typeof OPTIONS>): Promise<number> {
  const warnings = collectWarnings(context)
  const account = await activeAccount(context)
  const { url: baseUrl, clientId } = account
  const { left, brought } = await leaveLedger(context, account, confirmHost, warnings, storeLedger(context, warnings))
  context.print.one({ left, baseUrl, clientId, brought }, () => [
    t`${clientId} at ${baseUrl} uses the ledger of this machine again`,
    brought === 1
      ? t`1 record of the shared ledger was taken over`
      : t`${brought} records of the shared ledger were taken over`,
  ])
  return 0
}
