import type { Context } from '../../context.ts'
import { isSameScope } from '../../ledger/eventMeaning.ts'
import type { EventWithForwards } from '../../ledger/events.ts'
import { runningListeners } from '../../ledger/listeners.ts'
import type { EventOwner } from '../../ledger/records.ts'
import { editBody, readBodyEdit } from '../../listener/bodyEdits.ts'
import { EventStore } from '../../listener/eventStore.ts'
import { type Header, type PostResult, withoutLogin } from '../../listener/webhookPost.ts'
import type { Signer } from '../../profiles/signer.ts'
import { t } from '../../text/words.ts'
import { withoutPassword } from '../../wire/address.ts'
import { Failure, UsageError } from '../../wire/errors.ts'
import { judgeSignature, signBody } from '../../wire/signature.ts'
import { SIGNATURE_HEADER } from '../../wire/signatureHeader.ts'
import { defineCommand } from '../command.ts'
import { refuseCsv, wholeNumber } from '../optionValues.ts'
import { type SelectOptions, selectEvents } from './selectEvents.ts'
import { type OutgoingWebhook, sendWebhooks } from './sendWebhooks.ts'
import { agreeToSign, factsOf } from './signing.ts'
import { type Target, typedTarget, usualTarget } from './targetUrl.ts'

interface ReplayOptions extends SelectOptions {
  to?: string
  body?: string
  set?: string[]
  expect?: string
}

export const webhookReplay = defineCommand({
  description: 'Deliver recorded events again: the same bytes, headers and signature, or edited and signed anew',
  arguments: [{ name: '[event...]', description: 'number, record id, or idTransaction' }],
  options: [
    { flags: '--to <url>', description: 'where to (default: where it was forwarded last, else the running listener)' },
    { flags: '--last', description: 'the newest' },
    { flags: '--failed', description: 'those whose last delivery was not answered 2xx' },
    { flags: '--since <duration>', description: 'those that arrived within this time: 1h' },
    { flags: '--expect <status>', description: 'exit 0 if every answer has this status, 1 if one has another' },
    { flags: '--body <file>', description: 'send these bytes instead, signed anew, `-` for standard input' },
    {
      flags: '--set <path=value>',
      description: 'set a value in the body and sign it anew, repeatable',
      repeatable: true,
    },
  ],
  examples: [
    ['pixgate webhook replay 17', 'event 17 once more, byte for byte'],
    ['pixgate webhook replay --failed --since 1h', 'what your server did not accept'],
    ['pixgate webhook replay --last --to http://127.0.0.1:3000/webhooks', 'the newest, to this URL'],
    ['pixgate webhook replay 17 --set data.amount=0.01', 'with another amount, signed anew'],
  ],
  run: replay,
})

async function replay(
  context: Context,
  { event: words, ...options }: ReplayOptions & { event: string[] },
): Promise<number> {
  const expected = options.expect === undefined ? null : wholeNumber(options.expect, '--expect', 100, 599)
  const typed = typedTarget(options.to)
  const edits = (options.set ?? []).map(readBodyEdit)
  const { events, isOne } = await selectEvents(context, words, options)
  if (isOne) refuseCsv(context)
  if (options.body !== undefined && events.length !== 1) {
    throw new UsageError(t`\`--body\` replaces the body of one event, and these are ${events.length}`, {
      hint: t`Name one event by its number`,
    })
  }
  const isEdited = options.body !== undefined || edits.length > 0
  const replacement = options.body === undefined ? undefined : await context.readInputBytes(options.body, 'webhookBody')
  const bodies = events.map((event) => editBody(replacement ?? recordedBody(event), edits))
  const signer = isEdited && events.length > 0 ? await context.signer() : undefined
  if (signer !== undefined) checkOwn(events, signer)
  const targets = await targetsOf(context, events, typed)
  if (signer !== undefined) {
    const places = [...new Set(targets.map(({ url }) => withoutPassword(url.href)))]
    await agreeToSign(
      context,
      signer,
      bodies,
      places.map((place) => [t`to`, place]),
    )
  }
  if (events.length === 0) context.terminal.note(t`No recorded event matches; nothing was sent`)
  if (typed === undefined) noteTargets(context, targets)
  const webhooks = events.map((event, index) => webhookOf(event, bodies[index], targets[index], signer))
  return sendAll(context, webhooks.flat(), { isList: !isOne, isEdited, expected })
}

/** Throws UsageError for an event of another account: it is not signed with this secret. */
function checkOwn(events: readonly EventWithForwards[], signer: Signer): void {
  const { baseUrl, clientId } = signer
  if (baseUrl === null || clientId === null) return
  const owner = { environment: signer.environment, baseUrl, clientId }
  const foreign = events.find(({ record }) => record.owner.clientId !== null && !isSameScope(record.owner, owner))
  if (foreign === undefined) return
  const { n, owner: other } = foreign.record
  throw new UsageError(t`Event ${n} belongs to another account, so it is not signed with this secret`, {
    hint:
      other.profile === null
        ? t`Name the profile of its account with \`--profile\``
        : t`Add \`--profile ${other.profile}\``,
  })
}

/** The result of an edited event says nothing about the event itself, so only the others are recorded. */
async function sendAll(
  context: Context,
  webhooks: readonly OutgoingWebhook[],
  { isList, isEdited, expected }: { isList: boolean; isEdited: boolean; expected: number | null },
): Promise<number> {
  const ledger = await context.ledger()
  const listeners = await runningListeners(ledger)
  const own = new Set(
    listeners.flatMap(({ url, publicUrl }) => [url, publicUrl ?? url]).map((url) => new URL(url).origin),
  )
  const store = new EventStore(ledger, (error) => {
    const reason = error instanceof Failure ? error.message : String(error)
    context.terminal.alarm(t`The result of a delivery could not be recorded: ${reason}`)
  })
  const note = ({ n, url }: OutgoingWebhook, { status, ms, body, error }: PostResult) => {
    // A listener of this machine records itself what becomes of forwarding the event.
    if (n === null || own.has(url.origin)) return
    store.noteForward({ n, url: withoutLogin(url), status, ms, body, error: error?.code ?? null })
  }
  try {
    return await sendWebhooks(context, webhooks, {
      atOnce: false,
      isList,
      expected,
      ...(isEdited ? {} : { onResult: note }),
    })
  } finally {
    await store.settled()
  }
}

function recordedBody({ record }: EventWithForwards): Buffer {
  return Buffer.from(record.bodyBase64, 'base64')
}

function targetsOf(
  context: Context,
  events: readonly EventWithForwards[],
  typed: Target | undefined,
): Promise<Target[]> {
  const usual = new Map<string, Promise<Target>>()
  return Promise.all(
    events.map(({ record, forwards }) => {
      const last = forwards.at(-1)?.url
      if (typed !== undefined) return typed
      if (last !== undefined && URL.canParse(last)) return { url: new URL(last), why: t`where it was forwarded last` }
      const { environment, baseUrl, clientId } = record.owner
      const owner = JSON.stringify([environment, baseUrl, clientId])
      const target = usual.get(owner) ?? targetOfOwner(context, record.owner)
      usual.set(owner, target)
      return target
    }),
  )
}

/** An event without an account, such as one without a signature, goes where those of the present one go. */
async function targetOfOwner(context: Context, owner: EventOwner): Promise<Target> {
  return usualTarget(context, owner.clientId === null ? await context.signer() : owner)
}

function noteTargets({ terminal }: Context, targets: readonly Target[]): void {
  const lines = targets.map(({ url, why }) => t`To ${withoutPassword(url.href)}: ${why}`)
  for (const line of new Set(lines)) terminal.note(line)
}

function webhookOf(
  { record }: EventWithForwards,
  body: Buffer | undefined,
  target: Target | undefined,
  signer: Signer | undefined,
): OutgoingWebhook[] {
  if (body === undefined || target === undefined) return []
  const original = record.via === 'import' ? withContentType(record.headers) : record.headers
  const headers = signer === undefined ? original : signedAnew(original, body, signer)
  const facts = signer === undefined ? record : factsOf(body)
  const about = { event: facts?.event ?? record.event, idTransaction: facts?.idTransaction ?? null }
  return [{ n: record.n, url: target.url, body, headers, ...about, isGenuine: signer !== undefined || record.isSigned }]
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
