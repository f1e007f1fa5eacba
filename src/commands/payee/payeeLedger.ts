import type { Context } from '../../context.ts'
import type { Owner } from '../../ledger/owner.ts'
import { findPayee, type KnownPayee, type Payee, payeeNames, payeeSeq } from '../../ledger/payees.ts'
import type { Writer } from '../../ledger/writer.ts'
import { foldedText } from '../../text/foldedText.ts'
import { commandArgument } from '../../text/shellWord.ts'
import { nearest } from '../../text/suggest.ts'
import { t } from '../../text/translate.ts'
import { UsageError } from '../../wire/errors.ts'
import type { ActiveAccount } from '../history/paymentPages.ts'

/** One payee to record: as it is now, undefined if there is none, and as it will be, null if it is removed. */
export interface PayeeChange {
  name: string
  before: Pick<KnownPayee, 'name' | 'seq'> | undefined
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
  const close = closestName(name, names)
  return new UsageError(t`There is no payee \`${name}\``, {
    hint:
      close === undefined
        ? t`Run \`pixgate payee list\` to see all payees of this account`
        : t`Did you mean \`${close}\`? Run \`pixgate payee list\` to see all payees of this account`,
  })
}

/** Records changes of payees, all or none. Throws UsageError if one was changed after it was read. */
export async function recordPayees(
  context: Context,
  account: ActiveAccount,
  changes: readonly PayeeChange[],
): Promise<void> {
  const ledger = await context.ledger()
  await ledger.write((writer) => {
    for (const change of changes) recordPayee(writer, account, change)
  })
}

function recordPayee(writer: Writer, account: ActiveAccount, { name, before, after }: PayeeChange): void {
  if (payeeSeq(writer.database, account, name) !== before?.seq) {
    throw new UsageError(t`The payee ${name} was changed while this command ran`, {
      details: [t`Nothing was changed`],
      hint: t`Look at it with \`pixgate payee show ${commandArgument(name)}\`, then run the command again`,
    })
  }
  writer.append({ type: 'payee', owner: ownerOf(account), name: before?.name ?? name, payee: after })
}

/** How a name looks, whatever its accents, its case and its spaces: two payees that look alike would be taken for each other. */
export function lookOfName(name: string): string {
  return foldedText(name.normalize('NFKC'))
}

/** The name that was probably meant: one that looks the same, else the closest one; undefined if none is close. */
export function closestName(typed: string, names: readonly string[]): string | undefined {
  const look = lookOfName(typed)
  return names.find((name) => lookOfName(name) === look) ?? nearest(typed, names)[0]
}

/** Throws UsageError if another payee of the account has a name that looks like this one. */
export async function assertNoLookAlike(context: Context, account: ActiveAccount, name: string): Promise<void> {
  const ledger = await context.ledger()
  const names = await ledger.read((database) => payeeNames(database, account))
  const look = lookOfName(name)
  const other = names.find((each) => lookOfName(each) === look)
  if (other === undefined) return
  throw new UsageError(t`\`${name}\` differs from the payee \`${other}\` only in accents or spaces`, {
    details: [t`Nothing was changed`],
    hint: t`Choose another name; \`pixgate payee show ${commandArgument(other)}\` shows that payee`,
  })
}

function ownerOf({ profile, environment, url, clientId }: ActiveAccount): Owner {
  return { profile, environment, baseUrl: url, clientId }
}
