import type { Context } from '../../context.ts'
import { type LedgerAddress, readLedgerAddress } from '../../ledger/team/address.ts'
import { t } from '../../text/translate.ts'
import { defineCommand } from '../command.ts'
import { activeAccount } from '../history/paymentPages.ts'
import { collectWarnings } from '../profile/profileStore.ts'
import { storeLedger } from './changeLedger.ts'
import { joinLedger } from './joinLedger.ts'
import { PASSWORD_OPTIONS, type PasswordOptions } from './passwordOptions.ts'

export const ledgerJoin = defineCommand({
  arguments: [
    {
      name: '<url>',
      description: 'the database, with your own login: `postgres://maria@host/database`',
      parse: readLedgerAddress,
    },
  ],
  options: PASSWORD_OPTIONS,
  examples: [
    ['pixgate ledger join postgres://maria@db.example.com/pix', 'share the ledger of the active account'],
    [
      'pixgate ledger join postgres://maria@db.example.com/pix --ledger-password-env DB_PASSWORD',
      'for a server; again with another source, it replaces the first',
    ],
  ],
  run: join,
})

async function join(
  context: Context,
  { url: address, ...options }: { url: LedgerAddress } & PasswordOptions,
): Promise<number> {
  const warnings = collectWarnings(context)
  const account = await activeAccount(context)
  const { url: baseUrl, clientId } = account
  const changed = await joinLedger(context, account, { address, options }, warnings, storeLedger(context, warnings))
  const { brought, records } = changed
  context.print.one({ ledger: address.url, baseUrl, clientId, records, brought }, () => [
    t`${clientId} at ${baseUrl} uses the shared ledger ${address.url}`,
    brought === 1 ? t`1 record of this machine was taken over` : t`${brought} records of this machine were taken over`,
  ])
  return 0
}
