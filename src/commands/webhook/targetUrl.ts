import type { Context } from '../../context.ts'
import { isSameScope } from '../../ledger/eventMeaning.ts'
import { runningListeners } from '../../ledger/listeners.ts'
import type { EventOwner } from '../../ledger/owner.ts'
import { t } from '../../text/translate.ts'
import { readReceiverUrl, readTargetUrl } from '../../wire/address.ts'
import { UsageError } from '../../wire/errors.ts'

/** Where an event is sent, and why, for a person. */
export interface Target {
  url: URL
  why: string
}

const CALLBACK_VARIABLE = 'PIXGATE_CALLBACK_URL'

/** Reads the target of `--to`. Throws UsageError. */
export function readTarget(typed: string, name: string): Target {
  return { url: readReceiverUrl(typed, name), why: t`the URL of \`${name}\`` }
}

/**
 * The target without `--to`: the listener that runs for this owner on this machine, else the callback URL of the account. Throws UsageError
 * if there is neither.
 */
export async function defaultTarget(context: Context, owner: EventOwner): Promise<Target> {
  const listeners = await runningListeners(await context.ledger())
  const listener = listeners.findLast((each) => isOfSameOwner(each, owner))
  if (listener !== undefined) return { url: new URL(listener.url), why: t`the listener that runs on this machine` }
  const callback = await callbackOf(context, owner)
  if (callback !== undefined) return callback
  throw new UsageError(t`There is no target: no listener runs here for this account, and it has no callback URL`, {
    hint: t`Add \`--to http://127.0.0.1:3000/webhooks\`, or start \`pixgate webhook listen\` in another terminal`,
  })
}

function isOfSameOwner(one: EventOwner, other: EventOwner): boolean {
  const { environment, baseUrl, clientId } = other
  if (baseUrl !== null && clientId !== null) return isSameScope(one, { environment, baseUrl, clientId })
  return one.environment === environment && one.baseUrl === baseUrl && one.clientId === clientId
}

async function callbackOf(context: Context, owner: EventOwner): Promise<Target | undefined> {
  const typed = context.runtime.env[CALLBACK_VARIABLE]
  if (typed) return callbackTarget(typed, CALLBACK_VARIABLE)
  if (owner.baseUrl === null || owner.clientId === null) return undefined
  const account = await context.account()
  const { callbackUrl, sources } = account
  if (callbackUrl === null || !isSameScope(owner, { ...account, baseUrl: account.url })) return undefined
  return callbackTarget(callbackUrl, sources.callbackUrl ?? account.confirmName)
}

function callbackTarget(url: string, source: string): Target {
  return { url: new URL(readTargetUrl(url, source)), why: t`the callback URL of ${source}` }
}
