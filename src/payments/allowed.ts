import type { Account } from '../profiles/account.ts'
import { t } from '../text/words.ts'
import { UsageError } from '../wire/errors.ts'

/** Refuses to move money for a read-only profile. Throws UsageError. */
export function checkMoneyAllowed(account: Account): void {
  if (!account.readOnly) return
  throw new UsageError(t`The profile ${account.confirmName} is read-only: nothing that moves money is sent with it`, {
    hint: t`Use another profile with \`--profile\`; a person with the right to do so can change this one with \`pixgate profile edit ${account.confirmName}\``,
  })
}
