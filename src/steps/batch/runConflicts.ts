import type { MissingRows, RowConflict, RunPreview } from '../../batch/runPreview.ts'
import type { MoneyPayment } from '../../ledger/facts.ts'
import { loadPayment } from '../../ledger/payments.ts'
import {
  conflictFailure,
  describePayment,
  inAdditionToName,
  limitFailure,
  overLimit,
  secondsLeft,
} from '../../payments/conflictFailure.ts'
import { type BeingSent, sendingConflict } from '../../payments/decide.ts'
import type { PaymentContext } from '../../payments/paymentContext.ts'
import { type Conflict, limitConflict } from '../../payments/paymentRules.ts'
import { formatReais, plainAmount } from '../../pix/amount.ts'
import { REPEAT_DAYS } from '../../pix/calendar.ts'
import type { Account } from '../../profiles/account.ts'
import { unlisted } from '../../spreadsheet/tableRecords.ts'
import { shellWord } from '../../text/shellWord.ts'
import { t } from '../../text/translate.ts'
import { type Failure, type FailureFacts, UsageError } from '../../wire/errors.ts'

/** Throws UsageError with one fault for each row that the rules do not allow to be sent. */
export async function assertNoConflicts(context: PaymentContext, preview: RunPreview): Promise<void> {
  if (preview.conflictCount > 0) throw runConflictFailure(context, preview, await conflictFailures(context, preview))
}

/** The failure of rows that the rules do not allow to be sent, with one fault for each. Those of a run that is resumed cannot be removed. */
export function runConflictFailure(
  { account }: PaymentContext,
  preview: RunPreview,
  failures: readonly RowFailure[],
  isResumed = false,
): UsageError {
  const faults = conflictFaults(failures)
  const count = preview.conflictCount
  const details = [t`Nothing was sent`, ...unlisted(count, faults.length)]
  const whys = new Set(failures.map(({ conflict }) => conflict.why))
  const isOnly = (why: Conflict['why']) => whys.size === 1 && whys.has(why)
  if (isOnly('max-amount')) {
    const amounts = preview.conflicts.flatMap(({ conflict }) =>
      conflict.why === 'max-amount' ? [conflict.amountCents] : [],
    )
    return new UsageError(t`Rows above the limit of the profile ${account.confirmName}: ${count}`, {
      code: 'OVER_LIMIT',
      details,
      faults,
      hint: t`Check the amounts; to raise the limit, run \`pixgate profile edit ${account.confirmName} --max-amount ${plainAmount(Math.max(...amounts))}\``,
    })
  }
  const refused = failures.find(({ conflict }) => conflict.why === 'record-refused')?.failure
  if (refused !== undefined) {
    const { code, message, hint } = refused
    const facts = { code, details: [message, ...details], faults, hint }
    return new UsageError(t`Rows that a record could concern which cannot be read: ${count}`, facts)
  }
  if ([...whys].every((why) => isRuleOfAccount(why))) {
    const hint = failures[0]?.failure.hint ?? t`Remove these rows`
    return new UsageError(t`Rows that the rules of this account do not allow: ${count}`, { details, faults, hint })
  }
  const isRepeat = isOnly('repeat')
  const hint = isResumed
    ? heldBackHints(account, preview, failures).join('. ')
    : isRepeat
      ? repeatHint(account, preview.conflicts)
      : conflictHint(whys, failures)
  return new UsageError(
    isRepeat
      ? t`Rows that repeat a payment of the last ${REPEAT_DAYS} days: ${count}`
      : t`Rows that cannot be sent: ${count}`,
    { code: 'REPEAT', details, faults, hint },
  )
}

/** What to type for rows of a run that is resumed, which are held back: for repeats, and for the first of the others. */
export function heldBackHints(
  account: Account,
  { order: { run } }: RunPreview,
  failures: readonly RowFailure[],
): string[] {
  const repeat = failures.find(({ conflict }) => conflict.why === 'repeat')
  const other = failures.find(({ conflict }) => conflict.why !== 'repeat')?.failure.hint
  const options = repeat === undefined ? '' : additionOptions(account, repeat)
  return [
    ...(repeat === undefined
      ? []
      : [
          t`Leave the repeats as they are if the earlier payments are what was meant; to pay them once more, run \`pixgate resume ${run} ${options}\``,
        ]),
    ...(other === undefined ? [] : [other]),
  ]
}

/** A row that the rules do not allow to be sent, with the failure that says why. */
export interface RowFailure extends Omit<RowConflict, 'conflict'> {
  conflict: RowConflict['conflict'] | BeingSent
  failure: Failure
}

/** The failure of each row that has a conflict: the first thousand. */
export async function conflictFailures(
  { ledger, account }: PaymentContext,
  { conflicts }: Pick<RunPreview, 'conflicts'>,
): Promise<RowFailure[]> {
  if (conflicts.length === 0) return []
  const { folder } = ledger.environment
  const sender = await ledger.sender()
  return ledger.writeHere((writer) =>
    conflicts.map((each) => {
      const { facts, rowId: externalId } = each.state.row
      const conflict =
        each.conflict.why === 'unknown' ? sendingConflict(writer, sender, folder, each.conflict) : each.conflict
      return { ...each, conflict, failure: conflictFailure(writer.database, account, { facts, externalId }, conflict) }
    }),
  )
}

/** The failures of rows as faults of their cells. */
export function conflictFaults(failures: readonly RowFailure[]): NonNullable<FailureFacts['faults']> {
  return failures.map(({ line, state, conflict, failure: { message, details } }) => {
    const [earlier] = ['repeat', 'unknown', 'being-sent', 'external-id'].includes(conflict.why) ? details : []
    return {
      line,
      column: columnOf(state.row.facts, conflict.why),
      message: earlier === undefined ? message : `${message}. ${earlier}`,
    }
  })
}

/** The failure of a file that lost rows which were sent under its reference. */
export function missingRowsFailure({ ledger }: PaymentContext, { payments, count }: MissingRows): Promise<UsageError> {
  return ledger.read((database) => {
    const lines = payments.map(({ id, amountCents }) => {
      const amount = amountCents === null ? t`all of it` : formatReais(amountCents)
      return t`${amount}, ${describePayment(loadPayment(database, id))}`
    })
    return new UsageError(t`Rows that were sent under this reference are missing from the file: ${count}`, {
      details: [...lines, ...unlisted(count, lines.length), t`Nothing was sent`],
      hint: t`Check that no row was replaced by another, because both would be paid, then add \`--file-changed\`; for another month use another \`--reference\``,
    })
  })
}

/** Compares the total of what is about to be sent with the limits of the profile. Throws UsageError with code OVER_LIMIT. */
export function assertWithinLimits({ account }: PaymentContext, preview: RunPreview): void {
  const amountCents = preview.unknownAmounts > 0 ? null : preview.now.cents
  // The limit of one payment was compared with each row.
  const dayLimit = { ...account, maxAmountCents: null }
  const conflict = limitConflict(dayLimit, amountCents, preview.newTodayCents, () => preview.sentTodayCents)
  if (conflict?.why === 'amount-unknown' || (amountCents === null && account.maxAmountCents !== null)) {
    throw overLimit(
      t`The profile ${account.confirmName} has limits, but the amounts of some refunds are unknown`,
      t`Write an amount in every row`,
    )
  }
  if (conflict?.why === 'max-day') throw limitFailure(account, conflict)
}

function conflictHint(whys: ReadonlySet<RowFailure['conflict']['why']>, failures: readonly RowFailure[]): string {
  if (whys.size === 1 && whys.has('being-sent')) {
    const seconds = secondsLeft(failures.flatMap(({ conflict }) => ('holder' in conflict ? conflict.holder : [])))
    return seconds === null
      ? t`Wait for it to finish, then run the command again`
      : t`Wait ${seconds} seconds, then run the command again`
  }
  if (whys.size === 1 && whys.has('chargeback')) {
    return t`Remove these rows, or find out in the dashboard how the chargebacks ended; to refund them all the same, add \`--despite-chargeback\``
  }
  return t`Remove these rows, or use other ids for other payments; run \`pixgate history\` to see the earlier ones`
}

function repeatHint(account: Account, [first]: readonly RowConflict[]): string {
  const options = first === undefined ? '' : additionOptions(account, first)
  return account.environment === 'sandbox'
    ? t`Remove these rows; if they must be paid again, add \`${options}\``
    : t`Remove these rows; if they must be paid again, name each earlier payment, such as \`${options}\``
}

/** The option that allows a repeat. */
function additionOptions({ environment }: Account, { conflict }: Pick<RowFailure, 'conflict'>): string {
  if (environment === 'sandbox') return '--again'
  return `--in-addition-to ${shellWord('earlier' in conflict ? inAdditionToName(conflict.earlier) : '')}`
}

function isRuleOfAccount(why: RowFailure['conflict']['why']): boolean {
  return ['id-made-up', 'payee-changed', 'not-payee', 'payee-owner', 'payee-wait'].includes(why)
}

function columnOf(facts: MoneyPayment, why: RowFailure['conflict']['why']): string {
  const { kind } = facts
  if (why === 'external-id' || why === 'id-made-up') return 'externalId'
  if (why.startsWith('payee-') && kind === 'transfer' && facts.payee !== null) return 'payee'
  if (why === 'max-amount' || why === 'left') return kind === 'transfer' ? 'value' : 'amount'
  return kind === 'transfer' ? 'key' : 'originalTransactionId'
}
