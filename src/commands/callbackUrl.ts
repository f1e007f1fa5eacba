import type { Context } from '../context.ts'
import type { Account } from '../profiles/account.ts'
import { t } from '../text/words.ts'
import { readTargetUrl } from '../wire/address.ts'
import { UsageError } from '../wire/errors.ts'

/** The value of `--callback-url` that means the listener of this machine. */
const LISTEN = 'listen'

/** The callback URL of a request: as typed, else the account's. Throws UsageError if there is none or it is not a URL. */
export function callbackUrl(account: Account, typed: string | undefined): string {
  if (typed !== undefined) return readTargetUrl(typed, '--callback-url')
  if (account.callbackUrl !== null) return readTargetUrl(account.callbackUrl, 'PIXGATE_CALLBACK_URL')
  throw new UsageError(t`\`--callback-url\` is missing`, {
    hint: t`Add \`--callback-url https://shop.example.com/pix\`, or set \`PIXGATE_CALLBACK_URL\``,
  })
}

/**
 * The value of `--callback-url`; for `listen` the URL of the listener that runs for this account. Throws UsageError if none runs.
 */
export async function typedCallbackUrl(
  context: Context,
  account: Account,
  typed: string | undefined,
): Promise<string | undefined> {
  if (typed !== LISTEN) return typed
  const { listenCommand, listenerOf } = await import('./listener.ts')
  const listener = await listenerOf(context, account)
  if (listener === undefined) {
    throw new UsageError(t`\`--callback-url listen\`: no listener is running for this account`, {
      hint: t`Start one in another terminal: \`${listenCommand(account)}\``,
    })
  }
  if (listener.publicUrl === null && !account.isLoopback) {
    context.terminal.warn(
      t`The gateway cannot reach ${listener.url}: start the listener with \`--tunnel\` or \`--public-url\``,
    )
  }
  return listener.publicUrl ?? listener.url
}
