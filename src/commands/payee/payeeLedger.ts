import type { Context } from '../../context.ts'
import type { Owner } from '../../ledger/owner.ts'
import { findPayee, type KnownPayee, type Payee, payeeNames } from '../../ledger/payees.ts'
import type { Writer } from '../../ledger/writer.ts'
import { commandArgument } from '../../text/shellWord.ts'
import { nearest } from '../../text/suggest.ts'
import { t } from '../../text/translate.ts'
import { UsageError } from '../../wire/errors.ts'
import type { ActiveAccount } from '../history/paymentPages.ts'

/** One payee to record: as it is now, undefined if there is none, and as it will be, null if it is removed. */
export interface PayeeChange {
  name: string
  before: KnownPayee | undefined
  after: Payee | null
}

/** The payee with a name. Throws a UsageError that suggests similar names. */
export async function requirePayee(context: Context, account: ActiveAccount, name: string): Promise<KnownPayee> {
  const ledger = await context.ledger()
  const { payee, names } = await ledger.read((database) => ({
    payee: findPayee(database, account, name),
    names: payeeNames(database, account),
  }))
  if (payee !== undefined) return payee
  throw unknownPayee(name, names)
}

/** The failure for a name that no payee has. */
function unknownPayee(name: string, names: readonly string[]): UsageError {
  const [close] = nearest(name, names)
  return new UsageError(t`There is no payee \`${name}\``, {
    hint:
      close === undefined
        ? t`Run \`pixgate payee list\` to see all payees of this account`
        : t`Did you mean \`${close}\`? Run \`pixgate payee list\` to see all payees of this account`,
  })
}

/** Records changes of payees, all or none. Throws UsageError if one was changed after it was read. Returns them as they are then. */
export async function recordPayees(
  context: Context,
  account: ActiveAccount,
  changes: readonly PayeeChange[],
): Promise<(KnownPayee | undefined)[]> {
  const ledger = await context.ledger()
  return ledger.write((writer) => {
    for (const change of changes) recordPayee(writer, account, change)
    return changes.map(({ name }) => findPayee(writer.database, account, name))
  })
}

function recordPayee(writer: Writer, account: ActiveAccount, { name, before, after }: PayeeChange): void {
  if (findPayee(writer.database, account, name)?.seq !== before?.seq) {
    throw new UsageError(t`The payee ${name} was changed while this command ran`, {
      details: [t`Nothing was changed`],
      hint: t`Look at it with \`pixgate payee show ${commandArgument(name)}\`, then run the command again`,
    })
  }
  writer.append({ type: 'payee', owner: ownerOf(account), name: before?.name ?? name, payee: after })
}

function ownerOf({ profile, environment, url, clientId }: ActiveAccount): Owner {
  return { profile, environment, baseUrl: url, clientId }
}
