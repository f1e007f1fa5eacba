import type { Context } from '../../context.ts'
import type { EventOwner } from '../../ledger/accounts.ts'
import { type EventWithForwards, eventNumber, nameOfEvent } from '../../ledger/events.ts'
import { runningListeners } from '../../ledger/listeners.ts'
import { isSameScope } from '../../ledger/paymentState.ts'
import { type BodyEdit, editBody } from '../../listener/bodyEdits.ts'
import { EventStore } from '../../listener/eventStore.ts'
import { type Header, type PostResult, withoutLogin } from '../../listener/webhookPost.ts'
import type { Signer } from '../../profiles/signer.ts'
import { t } from '../../text/translate.ts'
import { Failure, UsageError } from '../../wire/errors.ts'
import {
  isRedactedHeader,
  judgeSignature,
  LISTENER_HEADER,
  redactTarget,
  SIGNATURE_HEADER,
  signBody,
  withoutRedactedParameters,
} from '../../wire/signature.ts'
import { defaultTarget, noteAdded, type PreparedWebhook, readBodyFacts, type Target } from './sendWebhooks.ts'

interface ReplayWishes {
  /** Undefined for the recorded body. */
  replacement: Buffer | undefined
  edits: readonly BodyEdit[]
  /** Undefined for the target of each event, see {@link defaultTarget}. */
  typed: Target | undefined
}

/**
 * Prepares what replays send. `signer` signs them anew, which is still to be asked; undefined for the exact bytes, headers and signatures. `omitted`
 * names the headers that are not sent again, because credentials are not recorded. Throws UsageError for an edited event of another account, and
 * if no target is known.
 */
export async function prepareReplay(
  context: Context,
  events: readonly EventWithForwards[],
  { replacement, edits, typed }: ReplayWishes,
) {
  const originals = events.map(({ record }) => replacement ?? Buffer.from(record.bodyBase64, 'base64'))
  const bodies = originals.map((body) => editBody(body, edits, noteAdded(context)))
  const isEdited = replacement !== undefined || edits.length > 0
  const signer = isEdited && events.length > 0 ? await context.signer() : undefined
  if (signer !== undefined) assertOwnEvents(events, signer)
  const targets = await chooseTargets(context, events, typed)
  const webhooks = events.flatMap((event, index) => {
    const [body, target] = [bodies[index], targets[index]]
    return body === undefined || target === undefined
      ? []
      : [{ webhook: { ...prepareRedelivery(event, body, target, signer), once: typed !== undefined }, target }]
  })
  const omitted = events.flatMap(({ record }) => record.headers.filter(isRedactedHeader).map(([name]) => name))
  return { webhooks, signer, omitted: [...new Set(omitted)] }
}

/** Throws UsageError for an event of another account: it is not signed with this secret. */
function assertOwnEvents(events: readonly EventWithForwards[], signer: Signer): void {
  const { baseUrl, clientId } = signer
  if (baseUrl === null || clientId === null) return
  const owner = { environment: signer.environment, baseUrl, clientId }
  const foreign = events.find(({ record }) => record.owner.clientId !== null && !isSameScope(record.owner, owner))
  if (foreign === undefined) return
  const { owner: other } = foreign.record
  throw new UsageError(
    t`Event ${nameOfEvent(foreign.record)} belongs to another account, so it is not signed with this secret`,
    {
      hint:
        other.profile === null
          ? t`Name the profile of its account with \`--profile\``
          : t`Add \`--profile ${other.profile}\``,
    },
  )
}

/** The target of each event: the one that was typed, else that of its last forward, else see {@link defaultTarget}. Throws UsageError. */
function chooseTargets(
  context: Context,
  events: readonly EventWithForwards[],
  typed: Target | undefined,
): Promise<Target[]> {
  const usual = new Map<string, Promise<Target>>()
  return Promise.all(
    events.map(({ record, ownForwards }) => {
      if (typed !== undefined) return typed
      const last = lastTarget(ownForwards)
      if (last !== undefined) return last
      const { environment, baseUrl, clientId } = record.owner
      const owner = JSON.stringify([environment, baseUrl, clientId])
      const target = usual.get(owner) ?? defaultTargetOf(context, record.owner)
      usual.set(owner, target)
      return target
    }),
  )
}

/** The target of the last forward, of one that was typed only if there is no other, without the query parameters that were not recorded; undefined if it is not known. */
function lastTarget(forwards: EventWithForwards['ownForwards']): Target | undefined {
  const last = forwards.findLast(({ once }) => once !== true) ?? forwards.at(-1)
  const recorded = withoutRedactedParameters(redactTarget(last?.url ?? ''))
  if (recorded === undefined || !URL.canParse(recorded.address)) return undefined
  const { address, omitted } = recorded
  const why =
    omitted.length === 0
      ? t`its last forward target`
      : t`its last forward target, without ${omitted.join(', ')}, which is not recorded`
  return { url: new URL(address), why }
}

/** An event without an account, such as one without a signature, goes where those of the present one go. */
async function defaultTargetOf(context: Context, owner: EventOwner): Promise<Target> {
  return defaultTarget(context, owner.clientId === null ? await context.signer() : owner)
}

/** A recorded event as it is delivered again: with its own headers, but for credentials, and its own signature, or re-signed if there is a signer. */
function prepareRedelivery(
  { record }: EventWithForwards,
  body: Buffer,
  { url }: Target,
  signer: Signer | undefined,
): PreparedWebhook {
  const recorded = record.headers.filter((header) => !isRedactedHeader(header) && !isListenerHeader(header))
  const original = record.via === 'import' ? withContentType(recorded) : recorded
  const headers = signer === undefined ? original : signedAnew(original, body, signer)
  const facts = signer === undefined ? record : readBodyFacts(body)
  const about = { event: facts?.event ?? record.event, idTransaction: facts?.idTransaction ?? null }
  return {
    n: eventNumber(record),
    record: record.id,
    url,
    body,
    headers,
    ...about,
    isGenuine: signer !== undefined || record.isSigned,
  }
}

function isListenerHeader([name]: Header): boolean {
  return name.toLowerCase() === LISTENER_HEADER.toLowerCase()
}

/** An imported event may have only its body and signature. */
function withContentType(headers: readonly Header[]): readonly Header[] {
  const hasOne = headers.some(([name]) => name.toLowerCase() === 'content-type')
  return hasOne ? headers : [...headers, ['Content-Type', 'application/json']]
}

/** The new signature replaces the old one in its place and encoding. */
function signedAnew(headers: readonly Header[], body: Buffer, { secret }: Signer): Header[] {
  const isSignature = ([name]: Header) => name.toLowerCase() === SIGNATURE_HEADER.toLowerCase()
  const old = headers.filter(isSignature).map(([, value]) => value)
  const { encoding } = judgeSignature(body, old, secret.reveal())
  const value = signBody(body, secret.reveal(), encoding ?? 'hex')
  const at = headers.findIndex(isSignature)
  const others = headers.filter((header) => !isSignature(header))
  return at === -1 ? [...others, [SIGNATURE_HEADER, value]] : others.toSpliced(at, 0, [headers[at]?.[0] ?? '', value])
}

/** Prepares to record the results of deliveries. */
export async function openDeliveryResults(context: Context) {
  const ledger = await context.ledger()
  const listeners = await runningListeners(ledger)
  const own = new Set(
    listeners.flatMap(({ url, publicUrl }) => [url, publicUrl ?? url]).map((url) => new URL(url).origin),
  )
  const store = new EventStore(ledger, context.runtime.secrets, (error) => {
    const reason = error instanceof Failure ? error.message : String(error)
    context.terminal.alarm(t`The result of a delivery could not be recorded: ${reason}`)
  })
  return {
    note({ record, url, once }: PreparedWebhook, { status, ms, body, error }: PostResult) {
      // A listener on this machine records the result of forwarding the event itself.
      if (record === null || own.has(url.origin)) return
      const code = error?.code ?? null
      const kept = { event: record, url: withoutLogin(url), status, ms, body, error: code }
      store.noteForward(once === true ? { ...kept, once } : kept)
    },
    /** Resolves when all results are recorded, or were reported as lost. */
    settled: () => store.settled(),
  }
}
