import { performance } from 'node:perf_hooks'
import type { Context } from '../../context.ts'
import { readLedgerAddress } from '../../ledger/team/address.ts'
import { initServer } from '../../ledger/team/server.ts'
import { INIT_SQL } from '../../ledger/team/serverSql.ts'
import { t } from '../../text/translate.ts'
import { defineCommand, type OptionsOf } from '../command.ts'
import { collectWarnings } from '../profile/profileStore.ts'
import { PASSWORD_ONCE_OPTIONS, passwordOnce } from './passwordOptions.ts'

const OPTIONS = [
  { flags: '--print-sql', description: 'print the statements for an administrator, and connect to nothing' },
  ...PASSWORD_ONCE_OPTIONS,
] as const

export const ledgerInit = defineCommand({
  arguments: [
    {
      name: '<url>',
      description: 'the database, as its owner: `postgres://owner@host/database`',
      parse: readLedgerAddress,
    },
  ],
  options: OPTIONS,
  examples: [
    ['pixgate ledger init postgres://pix_owner@db.example.com/pix', 'once, as the owner of the database'],
    ['pixgate ledger init postgres://pix_owner@db.example.com/pix --print-sql', 'for an administrator to read and run'],
  ],
  run: init,
})

type Address = ReturnType<typeof readLedgerAddress>

async function init(
  context: Context,
  { url: address, printSql, ...options }: { url: Address } & OptionsOf<typeof OPTIONS>,
): Promise<number> {
  const { terminal, settings, print } = context
  if (printSql === true) {
    terminal.data(INIT_SQL.trim())
    return 0
  }
  const password = await passwordOnce(context, address, options, collectWarnings(context))
  const deadlineMs = performance.now() + settings.timeoutMs
  const { ledger } = await initServer(address, { password, deadlineMs, asOwner: true })
  print.one({ ledger, database: address.url }, () => [t`The ledger ${ledger} is in ${address.url}`])
  terminal.next(
    t`Make a login for each person, grant it \`pixgate_member\` or \`pixgate_auditor\`, and let each run \`pixgate ledger join ${address.url.replace(address.user, 'maria')}\``,
  )
  return 0
}
