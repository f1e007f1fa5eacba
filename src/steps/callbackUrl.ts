import type { Context } from '../context.ts'
import type { Ledger } from '../ledger/ledger.ts'
import { type AnnouncedListener, listenerFor, listenersElsewhere, runningListeners } from '../ledger/listeners.ts'
import { type Account, LOCAL_PROFILE } from '../profiles/account.ts'
import { t } from '../text/translate.ts'
import { isLoopbackHost, portOf, readTargetUrl } from '../wire/baseAddress.ts'
import { UsageError } from '../wire/errors.ts'

/** The value of `--callback-url` that means the listener of one's own login, on this machine or another one of the team. */
const LISTEN = 'listen'
/** Before the login of somebody else whose listener is meant. */
const LISTEN_OF = `${LISTEN}:`

export const CALLBACK_URL_OPTION = {
  flags: '--callback-url <url>',
  description: `where its events are sent; ${LISTEN}: your running listener (default: from the profile)`,
  parse: (typed: string, name: string) =>
    typed === LISTEN || typed.startsWith(LISTEN_OF) ? typed : readTargetUrl(typed, name),
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

function missingCallbackHint({ profile, clientSecret }: Account): string {
  if (clientSecret.isEmpty) return t`Add \`--callback-url https://shop.example.com/pix\` if you may plan payments`
  return profile === null || profile === LOCAL_PROFILE.name
    ? t`Add \`--callback-url https://shop.example.com/pix\`, or set \`PIXGATE_CALLBACK_URL\``
    : t`Add \`--callback-url https://shop.example.com/pix\`, or store it with \`pixgate profile edit ${profile} --callback-url https://shop.example.com/pix\``
}

/**
 * The value of `--callback-url`; for `listen` the URL of the listener that runs for this account on this machine, or else the public URL of one of the same
 * login on another machine of the team; for `listen:ana` that of ana. The events have names and tax documents, so a URL from elsewhere is shown with its
 * login before the question. Throws UsageError if none runs, LedgerNotReached.
 */
export async function typedCallbackUrl(
  context: Context,
  account: Account,
  typed: string | undefined,
): Promise<string | undefined> {
  if (typed !== LISTEN && !typed?.startsWith(LISTEN_OF)) return typed
  const ledger = await context.ledger()
  const { user } = ledger.environment
  const login = typed === LISTEN ? user : typed.slice(LISTEN_OF.length)
  const own = login === user ? listenerFor(await runningListeners(ledger), account) : undefined
  if (own !== undefined && (own.publicUrl !== null || account.isLoopback)) return own.publicUrl ?? own.url
  // The URL on another machine leads to this one, or nowhere.
  const reachable = (await listenersElsewhere(ledger)).filter(({ publicUrl }) => publicUrl !== null)
  const ofLogin = reachable.filter((each) => each.login === login)
  const elsewhere = listenerFor(ofLogin, account)?.publicUrl ?? null
  if (elsewhere !== null) {
    context.terminal.warn(t`Its events, with names and tax documents, go to ${elsewhere}, the listener of ${login}`)
    return elsewhere
  }
  if (own === undefined) throw noListener(account, ledger, typed, listenerFor(reachable, account))
  context.terminal.warn(
    t`The gateway cannot reach ${own.url}: start the listener with \`--tunnel\` or \`--public-url\``,
  )
  return own.url
}

/** The failure without a listener of that login; `other` is one of somebody else. */
function noListener(
  account: Account,
  { activities }: Ledger,
  typed: string,
  other: AnnouncedListener | undefined,
): UsageError {
  const command = listenCommand(account)
  if (other === undefined) {
    return new UsageError(t`\`--callback-url ${typed}\`: no listener is running for this account`, {
      details: activities === null ? [] : [t`A listener on another machine needs a \`--public-url\` or a \`--tunnel\``],
      hint: t`Start one in another terminal: \`${command}\``,
    })
  }
  const { login, publicUrl, url } = other
  return new UsageError(t`\`--callback-url ${typed}\`: only the listener of another login runs for this account`, {
    details: [t`Events, with names and tax documents, would go to ${publicUrl ?? url}, the listener of ${login}`],
    hint: t`Start your own in another terminal with \`${command}\`; if they may go there, use \`--callback-url ${LISTEN_OF}${login}\``,
  })
}

function listenCommand({ profile }: Account): string {
  return profile === null || profile === LOCAL_PROFILE.name
    ? t`pixgate webhook listen`
    : t`pixgate webhook listen --profile ${profile}`
}

/**
 * Makes sure that a listener runs, on this machine or on another one of the team, before a wait for an event begins, and warns if the events go to another
 * port of this machine. Throws UsageError if no listener runs for the account, LedgerNotReached.
 */
export async function assertListenerRuns(context: Context, account: Account, callbackUrl: string): Promise<void> {
  const ledger = await context.ledger()
  const listener = listenerFor(await runningListeners(ledger), account)
  if (listener === undefined) {
    if (listenerFor(await listenersElsewhere(ledger), account) !== undefined) return
    const message =
      ledger.activities === null
        ? t`\`--wait\` needs a listener, and none is running here for this account`
        : t`\`--wait\` needs a listener, and none is running for this account, here or on another machine of the team`
    throw new UsageError(message, {
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
