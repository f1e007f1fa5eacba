import type { Account } from '../profiles/account.ts'
import { t } from '../text/words.ts'
import { readTargetUrl } from '../wire/address.ts'
import { UsageError } from '../wire/errors.ts'

/** The callback URL of a request: as typed, else the account's. Throws UsageError where there is none or it is no URL. */
export function callbackUrl(account: Account, typed: string | undefined): string {
  if (typed !== undefined) return readTargetUrl(typed, '--callback-url')
  if (account.callbackUrl !== null) return readTargetUrl(account.callbackUrl, 'PIXGATE_CALLBACK_URL')
  throw new UsageError(t`\`--callback-url\` is missing`, {
    hint: t`Add \`--callback-url https://shop.example.com/pix\`, or set \`PIXGATE_CALLBACK_URL\``,
  })
}
