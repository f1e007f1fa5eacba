import type { TransferPayment } from '../ledger/facts.ts'
import { findPayee, isSameTargetOfPayee, type KnownPayee, payeesWithKey } from '../ledger/payees.ts'
import { formatInstant } from '../pix/calendar.ts'
import { formatKey } from '../pix/pixKey.ts'
import type { Account } from '../profiles/account.ts'
import type { AccountRules } from '../profiles/accountRules.ts'
import type { Database } from '../storage/sqlite.ts'
import { commandArgument } from '../text/shellWord.ts'
import { t } from '../text/translate.ts'
import { UsageError } from '../wire/errors.ts'

/** Why a transfer must not go to its key, as far as payees are concerned. */
export type PayeeConflict =
  /** The payee that it names has another key or owner by now, or was removed. */
  | { why: 'payee-changed'; name: string }
  /** Only payees are paid, and its key is that of none. */
  | { why: 'not-payee'; key: string; keyType: TransferPayment['keyType'] }
  /** The payee with its key has an owner, which the transfer does not check. */
  | { why: 'payee-owner'; name: string }
  /** The payee with its key is new, or was changed, and must wait until this time in ms. */
  | { why: 'payee-wait'; name: string; state: KnownPayee['state']; untilMs: number }

/** Compares a transfer with the payees of its account, and with the rules about them. Throws DamagedRecord. */
export function payeeConflict(
  database: Database,
  account: Account,
  { payeesOnly, payeeWaitMs }: AccountRules,
  { facts, isResend, nowMs }: { facts: TransferPayment; isResend: boolean; nowMs: number },
): PayeeConflict | undefined {
  const named = facts.payee
  // The same bytes may be sent again, whoever has the name now.
  if (named !== null && !isResend) {
    const payee = findPayee(database, account, named)
    if (payee === undefined || !isSameTargetOfPayee(payee, facts)) return { why: 'payee-changed', name: named }
  }
  if (payeesOnly === null && payeeWaitMs === null) return undefined
  const { key, keyType, documentValidation } = facts
  const payees = payeesWithKey(database, account, key)
  if (payeesOnly !== null) {
    const [first] = payees
    if (first === undefined) return { why: 'not-payee', key, keyType }
    const isChecked = (payee: KnownPayee) =>
      payee.documentValidation === null || payee.documentValidation === documentValidation
    if (!payees.some(isChecked)) return { why: 'payee-owner', name: first.name }
  }
  const waits = payees.map((payee) => ({ payee, untilMs: payee.changedMs + (payeeWaitMs ?? 0) }))
  const isWaiting = ({ payee, untilMs }: (typeof waits)[number]) => payee.state !== 'confirmed' && nowMs < untilMs
  const [wait] = waits
  if (wait === undefined || !waits.every(isWaiting)) return undefined
  return { why: 'payee-wait', name: wait.payee.name, state: wait.payee.state, untilMs: wait.untilMs }
}

/** The failure of a transfer that does not fit the payees of its account. */
export function payeeFailure(conflict: PayeeConflict): UsageError {
  const details = [t`Nothing was sent`]
  switch (conflict.why) {
    case 'payee-changed':
      return new UsageError(t`The payee ${conflict.name} was changed or removed since this payment was prepared`, {
        details,
        hint: t`Look at it with \`pixgate payee show ${commandArgument(conflict.name)}\`, then begin again`,
      })
    case 'not-payee':
      return new UsageError(
        t`${formatKey(conflict.key, conflict.keyType)} is the key of no payee, and this account pays payees only`,
        {
          details,
          hint: t`Check the key; to add it, run \`pixgate payee add supplier --key ${commandArgument(conflict.key)}\` with its own name`,
        },
      )
    case 'payee-owner':
      return new UsageError(t`This transfer does not check the owner that the payee ${conflict.name} has`, {
        details,
        hint: t`Pay it with \`--to ${commandArgument(conflict.name)}\`, or by its name in the column \`payee\` of a file: both check the owner`,
      })
    case 'payee-wait': {
      const { name, state, untilMs } = conflict
      const until = formatInstant(untilMs)
      return new UsageError(
        state === 'new'
          ? t`The payee ${name} is new, and this account pays it from ${until} on`
          : t`The payee ${name} was changed, and this account pays it from ${until} on`,
        { details, hint: t`Check with \`pixgate payee show ${commandArgument(name)}\` who changed it, and wait` },
      )
    }
  }
}
