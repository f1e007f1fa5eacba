import type { Context } from '../context.ts'
import { listenerFor, type RunningListener, runningListeners } from '../ledger/listeners.ts'
import { type Account, LOCAL_PROFILE } from '../profiles/account.ts'
import { t } from '../text/translate.ts'
import { isLoopbackHost, portOf, readTargetUrl } from '../wire/address.ts'
import { UsageError } from '../wire/errors.ts'

/** The value of `--callback-url` that means the listener of this machine. */
const LISTEN = 'listen'

export const CALLBACK_URL_OPTION = {
  flags: '--callback-url <url>',
  description: `where its events are sent; the word ${LISTEN} selects the running listener (default: from the profile)`,
  parse: (typed: string, name: string) => (typed === LISTEN ? typed : readTargetUrl(typed, name)),
} as const

/**
 * The callback URL of a request: as typed, for `listen` that of the listener that runs for this account, else the account's. Throws
 * UsageError if there is none or it is not a URL.
 */
export async function callbackUrl(context: Context, account: Account, typed: string | undefined): Promise<string> {
  return (await typedCallbackUrl(context, account, typed)) ?? accountCallbackUrl(account)
}

/** The callback URL of an account. Throws UsageError if there is none or it is not a URL. */
export function accountCallbackUrl(account: Account): string {
  if (account.callbackUrl !== null) return readTargetUrl(account.callbackUrl, 'PIXGATE_CALLBACK_URL')
  throw new UsageError(t`\`--callback-url\` is missing`, {
    hint: missingCallbackHint(account),
  })
}

function missingCallbackHint({ profile }: Account): string {
  return profile === null || profile === LOCAL_PROFILE.name
    ? t`Add \`--callback-url https://shop.example.com/pix\`, or set \`PIXGATE_CALLBACK_URL\``
    : t`Add \`--callback-url https://shop.example.com/pix\`, or store it with \`pixgate profile edit ${profile} --callback-url https://shop.example.com/pix\``
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

/** The newest listener that runs on this machine for an account; undefined if none does. */
async function listenerOf(context: Context, account: Account): Promise<RunningListener | undefined> {
  return listenerFor(await runningListeners(await context.ledger()), account)
}

/** The command that starts a listener for an account. */
function listenCommand({ profile }: Account): string {
  return profile === null || profile === LOCAL_PROFILE.name
    ? t`pixgate webhook listen`
    : t`pixgate webhook listen --profile ${profile}`
}

/**
 * Makes sure that a listener runs before a wait for an event begins, and warns if the events go to another port of this machine. Throws
 * UsageError if no listener runs for the account.
 */
export async function checkListener(context: Context, account: Account, callbackUrl: string): Promise<void> {
  const listener = await listenerOf(context, account)
  if (listener === undefined) {
    throw new UsageError(t`\`--wait\` needs a listener, and none is running here for this account`, {
      details: [t`Nothing was sent`],
      hint: t`Start one in another terminal with \`${listenCommand(account)}\`, or omit \`--wait\``,
    })
  }
  const { url, publicUrl } = listener
  if (!isLoopbackUrl(callbackUrl)) return
  const isOwn = [url, publicUrl].some(
    (own) => own !== null && isLoopbackUrl(own) && portOf(own) === portOf(callbackUrl),
  )
  if (isOwn) return
  context.terminal.warn(
    t`Events are sent to ${callbackUrl}, but the listener is at ${publicUrl ?? url}; \`--callback-url listen\` sends them there`,
  )
}

function isLoopbackUrl(url: string): boolean {
  return URL.canParse(url) && isLoopbackHost(new URL(url).hostname)
}
