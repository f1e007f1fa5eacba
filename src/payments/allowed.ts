import type { Account } from '../profiles/account.ts'
import { t } from '../text/words.ts'
import { UsageError } from '../wire/errors.ts'

/**
 * Refuses to move money for a read-only profile, and where certificates are not checked, because then nobody knows who gets
 * the credentials. Throws UsageError.
 */
export function checkMoneyAllowed(account: Account, env: Readonly<Record<string, string | undefined>>): void {
  if (account.readOnly) {
    throw new UsageError(t`The profile ${account.confirmName} is read-only: nothing that moves money is sent with it`, {
      hint: t`Use another profile with \`--profile\`; whoever may do so lifts it with \`pixgate profile edit ${account.confirmName}\``,
    })
  }
  if (env.NODE_TLS_REJECT_UNAUTHORIZED !== '0') return
  throw new UsageError(t`Certificates are not checked, because NODE_TLS_REJECT_UNAUTHORIZED is 0`, {
    details: [t`Nothing that moves money is sent like this`],
    hint: t`Unset it; name your own certificate authority with \`NODE_EXTRA_CA_CERTS\``,
  })
}
