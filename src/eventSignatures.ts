import { deriveVerified } from './ledger/derivedTables.ts'
import { eventNumber } from './ledger/events.ts'
import type { Ledger } from './ledger/ledger.ts'
import {
  type DoubtfulEvents,
  doubtfulEvents,
  noteSignedBytes,
  scopeOfAccount,
  type UnverifiedEvent,
  unverifiedEvents,
} from './ledger/verifiedEvents.ts'
import { formatInstant } from './pix/calendar.ts'
import type { Account } from './profiles/account.ts'
import type { EnvironmentVariables } from './programInfo.ts'
import type { Terminal } from './terminal/terminal.ts'
import { t } from './text/translate.ts'
import { valuesOf } from './wire/rawRequest.ts'
import type { Secret } from './wire/secret.ts'
import { judgeSignature, SIGNATURE_HEADER } from './wire/signature.ts'

type EventAccount = Pick<Account, 'environment' | 'url' | 'clientId'>

/** The number that is compared at once; between two such groups others can write. */
const PAGE_EVENTS = 5000
/** The number of those that no secret had signed that are compared again each time: the secret here may have been the wrong one. */
const AGAIN_EVENTS = 100

/**
 * Verifies the events of an account with its secrets, each once on this machine: their writer may have written anything. `isThorough` also tries all
 * those again that no secret had signed. Returns true if there was something new. To be called outside of any transaction. Throws what the ledger throws.
 */
export async function verifyEvents(
  ledger: Ledger,
  account: EventAccount,
  secrets: readonly Secret[],
  isThorough = false,
): Promise<boolean> {
  const scope = scopeOfAccount(account)
  const known = secrets.map((secret) => secret.reveal()).filter((secret) => secret !== '')
  if (scope === null || known.length === 0) return false
  let isAnyNew = false
  for (;;) {
    const found = await ledger.read((database) => unverifiedEvents(database, scope, 'new', { limit: PAGE_EVENTS }))
    if (found.length === 0) break
    await note(ledger, found, known)
    isAnyNew = true
  }
  const limit = isThorough ? -1 : AGAIN_EVENTS
  const failed = await ledger.read((database) => unverifiedEvents(database, scope, 'failed', { limit }))
  const signed = failed.filter((event) => isSigned(event, known))
  if (signed.length > 0) await note(ledger, signed, known)
  return isAnyNew || signed.length > 0
}

async function note(ledger: Ledger, events: readonly UnverifiedEvent[], secrets: readonly string[]): Promise<void> {
  const judged = events.map((event) => ({ event, isValid: isSigned(event, secrets) }))
  await ledger.writeHere(({ database }) => {
    for (const { event, isValid } of judged) noteSignedBytes(database, event, isValid)
    deriveVerified(database)
  })
}

function isSigned({ record: { headers, bodyBase64 } }: UnverifiedEvent, secrets: readonly string[]): boolean {
  return judgeSignature(Buffer.from(bodyBase64, 'base64'), valuesOf(headers, SIGNATURE_HEADER), ...secrets).valid
}

/** What a command has of the process: where a previous secret is, and where events are named. */
interface EventReader {
  readonly runtime: { readonly env: EnvironmentVariables }
  readonly terminal: Pick<Terminal, 'alarm'>
}

/** Verifies the events of an account before something rests on them, and names those that none of its secrets has signed. Throws AuthError, and like the ledger. */
export async function verifyOwnEvents(
  { runtime: { env }, terminal }: EventReader,
  ledger: Ledger,
  account: EventAccount & Pick<Account, 'clientSecret'>,
  isThorough = false,
): Promise<void> {
  const { withPreviousSecret } = await import('./profiles/signer.ts')
  const secrets = withPreviousSecret(account.clientSecret, env)
  await verifyEvents(ledger, account, secrets, isThorough || secrets.length > 1)
  for (const line of await doubtfulEventTexts(ledger, account)) terminal.alarm(line)
}

/** A sentence for each event of an account that no secret of this machine has signed, and one for all of a login with many. */
export async function doubtfulEventTexts(ledger: Ledger, account: EventAccount): Promise<string[]> {
  const scope = scopeOfAccount(account)
  if (scope === null) return []
  return (await ledger.read((database) => doubtfulEvents(database, scope))).flatMap(doubtfulTexts)
}

function doubtfulTexts({ login, count, firstMs, lastMs, newest }: DoubtfulEvents): string[] {
  if (newest.length === 0) {
    return [
      t`${count} events that ${login} recorded, the first at ${formatInstant(firstMs)} and the last at ${formatInstant(lastMs)}, do not match the client secret, so they free no payment here; if it was changed, set \`PIXGATE_PREVIOUS_CLIENT_SECRET\` to the one before it and run \`pixgate history check\``,
    ]
  }
  return newest.map((event) => {
    const number = eventNumber(event) ?? event.id
    return t`Event ${number}, recorded by ${login} on ${event.machine} at ${formatInstant(Date.parse(event.at))}, does not match the client secret, so it frees no payment here`
  })
}
