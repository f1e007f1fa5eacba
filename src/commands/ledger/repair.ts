import type { Context } from '../../context.ts'
import { type LedgerAddress, readLedgerAddress } from '../../ledger/team/address.ts'
import { repairSharedLedger, sharedLedgerOf } from '../../openLedgers.ts'
import { readText } from '../../optionParsers.ts'
import { t } from '../../text/translate.ts'
import { UsageError } from '../../wire/errors.ts'
import { defineCommand, type OptionsOf } from '../command.ts'
import { activeAccount } from '../history/paymentPages.ts'
import { collectWarnings } from '../profile/profileStore.ts'
import { endStopOf } from './endStopOf.ts'
import { askToBegin } from './joinLedger.ts'
import { PASSWORD_ONCE_OPTIONS, passwordOnce } from './passwordOptions.ts'

const OPTIONS = [
  {
    flags: '--confirm-host <host>',
    description: 'as the owner, end the stop in a script: the host of the database',
    parse: readText,
  },
  ...PASSWORD_ONCE_OPTIONS,
] as const

type OwnerOptions = OptionsOf<typeof OPTIONS>

export const ledgerRepair = defineCommand({
  arguments: [
    {
      name: '[url]',
      description:
        'the database as its owner, to end the stop when every machine was repaired: `postgres://owner@host/database`',
      parse: readLedgerAddress,
    },
  ],
  options: OPTIONS,
  examples: [
    ['pixgate ledger repair', 'on each machine: hand over what the database lost'],
    [
      'pixgate ledger repair postgres://pix_owner@db.example.com/pix',
      'then, as the owner: everybody may send payments',
    ],
  ],
  run: (context, { url, ...options }) =>
    url === undefined ? repair(context, options) : endAsOwner(context, url, options),
})

async function endAsOwner(
  context: Context,
  address: LedgerAddress,
  { confirmHost, ...options }: OwnerOptions,
): Promise<number> {
  const password = await passwordOnce(context, address, options, collectWarnings(context))
  return endStopOf(context, address, { password, confirmHost })
}

async function repair(context: Context, options: OwnerOptions): Promise<number> {
  if (Object.values(options).some((value) => value !== undefined && value !== false)) {
    throw new UsageError(t`The options are for the owner of the database, whose address is missing`, {
      details: [t`Nothing was changed`],
      hint: t`Run \`pixgate ledger repair\` without options, or add the address of the database as its owner`,
    })
  }
  const account = await activeAccount(context)
  const shared = await sharedLedgerOf(context)
  if (shared === undefined) {
    throw new UsageError(t`${account.clientId} at ${account.url} uses the ledger of this machine`, {
      details: [t`Nothing was changed`],
      hint: t`Run \`pixgate ledger show\` to see it`,
    })
  }
  const { terminal, print } = context
  const address = readLedgerAddress(shared.address)
  const { stop, ...repaired } = await repairSharedLedger(context, shared, () => askToBegin(context, account, address))
  const { recovered, records, keptCopy } = repaired
  print.one({ database: shared.address, ...repaired, stopped: stop !== null }, () => [
    recoveredSentence(recovered),
    ...(keptCopy === null
      ? []
      : [
          t`The copy of this machine was made anew; the one before is kept in ${keptCopy}`,
          records === 1 ? t`The new copy has 1 record` : t`The new copy has ${records} records`,
        ]),
    ...(stop === null ? [t`The ledger is not stopped`] : [t`The ledger is stopped until its owner ends that`]),
  ])
  if (stop?.hint) terminal.next(stop.hint)
  return 0
}

function recoveredSentence(count: number): string {
  if (count === 0) return t`The database lacks nothing that this machine has`
  return count === 1
    ? t`1 record that the database lacked was handed over`
    : t`${count} records that the database lacked were handed over`
}
