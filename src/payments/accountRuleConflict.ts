import type { MoneyPayment } from '../ledger/facts.ts'
import type { Account } from '../profiles/account.ts'
import type { AccountRules } from '../profiles/accountRules.ts'
import type { Database } from '../storage/sqlite.ts'
import { t } from '../text/translate.ts'
import { UsageError } from '../wire/errors.ts'
import { type PayeeConflict, payeeConflict, payeeFailure } from './payeeConflict.ts'

/** A rule of the account that does not allow a payment. */
export type RuleConflict =
  /** Its external id was made up by pixgate. */
  { why: 'id-made-up' } | PayeeConflict

/** A payment as far as the rules of its account need it. */
interface RuledPayment {
  facts: MoneyPayment
  isIdMadeUp: boolean
  /** True if the same bytes are sent again. */
  isResend?: boolean
}

/** Compares a payment with the rules of its account, and with its payees. Throws DamagedRecord. */
export function ruleConflict(
  database: Database,
  account: Account,
  rules: AccountRules,
  { facts, isIdMadeUp, isResend = false }: RuledPayment,
  nowMs: number,
): RuleConflict | undefined {
  if (facts.kind !== 'transfer') return undefined
  if (rules.requireExternalId !== null && isIdMadeUp) return { why: 'id-made-up' }
  return payeeConflict(database, account, rules, { facts, isResend, nowMs })
}

/** The failure of a payment that a rule of its account does not allow. */
export function ruleFailure(conflict: RuleConflict): UsageError {
  switch (conflict.why) {
    case 'id-made-up':
      return new UsageError(t`This account requires an external id of your own for each transfer`, {
        details: [t`Nothing was sent`],
        hint: t`Add \`--external-id\` with the number of the invoice; for a batch, \`--reference\` or a column of ids`,
      })
    default:
      return payeeFailure(conflict)
  }
}
