import { platform } from 'node:os'
import type { Context } from '../../context.ts'
import type { Signer } from '../../profiles/signer.ts'
import { runningListeners } from '../../receiver/announcement.ts'
import { editBody, readBodyEdit } from '../../receiver/bodyEdits.ts'
import { type Header, type PostResult, withoutLogin } from '../../receiver/post.ts'
import { t } from '../../text/words.ts'
import type { JournalEvent } from '../../timeline/journal.ts'
import { isSameAccount } from '../../timeline/ownership.ts'
import type { EventOwner } from '../../timeline/records.ts'
import { withoutPassword } from '../../wire/address.ts'
import { UsageError } from '../../wire/errors.ts'
import { judgeSignature, signBody } from '../../wire/signature.ts'
import { SIGNATURE_HEADER } from '../../wire/signatureHeader.ts'
import { defineCommand } from '../command.ts'
import { refuseCsv } from '../optionValues.ts'
import { deliver, type Parcel } from './delivering.ts'
import { type PickOptions, pickEvents } from './picks.ts'
import { agreeToSign, factsOf } from './signing.ts'
import { type Target, typedTarget, usualTarget } from './target.ts'

interface ReplayOptions extends PickOptions {
  to?: string
  body?: string
  set?: string[]
}

/** `pixgate webhook replay`: delivers recorded events again. */
export const webhookReplay = defineCommand({
  description: 'Deliver recorded events again: the same bytes, headers and signature, or edited and signed anew',
  arguments: [{ name: '[event...]', description: 'number, record id, or idTransaction' }],
  options: [
    { flags: '--to <url>', description: 'where to (default: where it was passed on last, else the running listener)' },
    { flags: '--last', description: 'the newest' },
    { flags: '--failed', description: 'those whose last delivery was not answered 2xx' },
    { flags: '--since <duration>', description: 'those of the last hour, say: 1h' },
    { flags: '--body <file>', description: 'send these bytes in its place, signed anew, `-` for standard input' },
    {
      flags: '--set <path=value>',
      description: 'put a value into the body and sign it anew, repeatable',
      repeatable: true,
    },
  ],
  examples: [
    ['pixgate webhook replay 17', 'event 17 once more, byte for byte'],
    ['pixgate webhook replay --failed --since 1h', 'what your server did not take'],
    ['pixgate webhook replay --last --to http://127.0.0.1:3000/webhooks', 'the newest, to this URL'],
    ['pixgate webhook replay 17 --set data.amount=0.01', 'with another amount, signed anew'],
  ],
  run: replay,
})

async function replay(
  context: Context,
  { event: words, ...options }: ReplayOptions & { event: string[] },
): Promise<number> {
  const typed = typedTarget(options.to)
  const edits = (options.set ?? []).map(readBodyEdit)
  const { events, isOne } = await pickEvents(context, words, options)
  if (isOne) refuseCsv(context)
  if (options.body !== undefined && events.length !== 1) {
    throw new UsageError(t`\`--body\` takes the place of one event, and these are ${events.length}`, {
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
  if (events.length === 0) context.terminal.note(t`No event is meant by this, nothing was sent`)
  if (typed === undefined) sayTargets(context, targets)
  const parcels = events.map((event, index) => parcelOf(event, bodies[index], targets[index], signer))
  return sendAll(context, parcels.flat(), { isList: !isOne, isEdited })
}

/** An event of one account is not signed anew with the secret of another. Throws UsageError. */
function checkOwn(events: readonly JournalEvent[], signer: Signer): void {
  const { baseUrl, clientId } = signer
  if (baseUrl === null || clientId === null) return
  const owner = { environment: signer.environment, baseUrl, clientId }
  const foreign = events.find(({ record }) => record.clientId !== null && !isSameAccount(record, owner))
  if (foreign === undefined) return
  const { n, profile } = foreign.record
  throw new UsageError(t`Event ${n} is of another account, so it is not signed with this secret`, {
    hint: t`Name its profile: \`--profile ${profile ?? '<name>'}\``,
  })
}

/** What became of an edited event says nothing of the event itself, so only the others are noted. */
async function sendAll(
  context: Context,
  parcels: readonly Parcel[],
  { isList, isEdited }: { isList: boolean; isEdited: boolean },
): Promise<number> {
  const journal = await context.journal()
  const listeners = await runningListeners(context.dataFolder(), platform())
  const own = new Set(
    listeners.flatMap(({ url, publicUrl }) => [url, publicUrl ?? url]).map((url) => new URL(url).origin),
  )
  const note = ({ n, url }: Parcel, { status, ms, error }: PostResult) => {
    // A listener notes itself what became of passing it on.
    if (n !== null && !own.has(url.origin))
      journal.noteForward({ n, url: withoutLogin(url), status, ms, error: error?.code ?? null })
  }
  try {
    return await deliver(context, parcels, { atOnce: false, isList, ...(isEdited ? {} : { onResult: note }) })
  } finally {
    await journal.settled()
  }
}

function recordedBody({ record }: JournalEvent): Buffer {
  return Buffer.from(record.bodyBase64, 'base64')
}

function targetsOf(context: Context, events: readonly JournalEvent[], typed: Target | undefined): Promise<Target[]> {
  const usual = new Map<string, Promise<Target>>()
  return Promise.all(
    events.map(({ record, forwards }) => {
      const last = forwards.at(-1)?.url
      if (typed !== undefined) return typed
      if (last !== undefined && URL.canParse(last)) return { url: new URL(last), why: t`where it was passed on last` }
      const owner = JSON.stringify([record.environment, record.baseUrl, record.clientId])
      const target = usual.get(owner) ?? targetOfOwner(context, record)
      usual.set(owner, target)
      return target
    }),
  )
}

/** An event without an account, such as one without a signature, goes where those of the present one go. */
async function targetOfOwner(context: Context, owner: EventOwner): Promise<Target> {
  return usualTarget(context, owner.clientId === null ? await context.signer() : owner)
}

function sayTargets({ terminal }: Context, targets: readonly Target[]): void {
  const lines = targets.map(({ url, why }) => t`To ${withoutPassword(url.href)}, ${why}`)
  for (const line of new Set(lines)) terminal.note(line)
}

function parcelOf(
  { record }: JournalEvent,
  body: Buffer | undefined,
  target: Target | undefined,
  signer: Signer | undefined,
): Parcel[] {
  if (body === undefined || target === undefined) return []
  const original = record.via === 'import' ? withContentType(record.headers) : record.headers
  const headers = signer === undefined ? original : signedAnew(original, body, signer)
  const facts = signer === undefined ? record : factsOf(body)
  const about = { event: facts?.event ?? record.event, idTransaction: facts?.idTransaction ?? null }
  return [{ n: record.n, url: target.url, body, headers, ...about, isGenuine: signer !== undefined || record.isSigned }]
}

/** What somebody else kept may be the body and its signature only. */
function withContentType(headers: readonly Header[]): readonly Header[] {
  const hasOne = headers.some(([name]) => name.toLowerCase() === 'content-type')
  return hasOne ? headers : [...headers, ['Content-Type', 'application/json']]
}

/** The signature stands where the old one stood, in the same encoding. */
function signedAnew(headers: readonly Header[], body: Buffer, { secret }: Signer): Header[] {
  const isSignature = ([name]: Header) => name.toLowerCase() === SIGNATURE_HEADER.toLowerCase()
  const old = headers.filter(isSignature).map(([, value]) => value)
  const { encoding } = judgeSignature(body, old, secret.reveal())
  const value = signBody(body, secret.reveal(), encoding ?? 'hex')
  const at = headers.findIndex(isSignature)
  const others = headers.filter((header) => !isSignature(header))
  return at === -1 ? [...others, [SIGNATURE_HEADER, value]] : others.toSpliced(at, 0, [headers[at]?.[0] ?? '', value])
}
