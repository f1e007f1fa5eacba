import { createHash } from 'node:crypto'
import type { Context } from '../../context.ts'
import type { ForwardLine, ReplayPlan } from '../../inspector/pageData.ts'
import { editBody, readBodyEdit } from '../../listener/bodyEdits.ts'
import { openConnectionPoolTo, postBytes, withoutLogin } from '../../listener/webhookPost.ts'
import type { Signer } from '../../profiles/signer.ts'
import { t } from '../../text/translate.ts'
import { bodyLines } from '../../views/events/bodyText.ts'
import { addressText, forwardLine, labelledTexts, PLAIN_STYLE } from '../../views/events/inspectedEvent.ts'
import type { AnswerFields } from '../../wire/answers.ts'
import { Cancelled, Refused, UsageError } from '../../wire/errors.ts'
import {
  assertOwnEvents,
  chooseTargets,
  omittedHeaders,
  openDeliveryResults,
  prepareRedelivery,
  recordedBody,
} from '../webhook/redelivery.ts'
import type { PreparedWebhook } from '../webhook/sendWebhooks.ts'
import { askToSign } from '../webhook/signing.ts'
import { readTarget } from '../webhook/targetUrl.ts'
import type { InspectedEvents } from './inspectedEvents.ts'

/** A replay that is ready to be sent. */
interface PreparedReplay {
  webhook: PreparedWebhook
  /** Why this target was chosen. */
  why: string
  /** Undefined for a replay of the exact bytes. */
  signer: Signer | undefined
  /** A digest of the request and its target. */
  digest: string
  /** The recorded headers that are not sent. */
  omitted: readonly string[]
}

const ANSWER_CHARACTERS_MAX = 500

/** What a replay would send, and what a person must type before. Throws UsageError for what `webhook replay` rejects. */
export async function planReplay(
  context: Context,
  events: InspectedEvents,
  fields: AnswerFields,
  unmask: boolean,
): Promise<ReplayPlan> {
  const { webhook, why, signer, digest, omitted } = await prepare(context, events, fields)
  const { warning, question } = signer === undefined ? { warning: '', question: '' } : await consentFor(signer, webhook)
  return {
    facts: labelledTexts([
      [t`event`, t`${webhook.n === null ? '' : `#${webhook.n} `}${webhook.event ?? '—'}`],
      [t`to`, addressText(webhook.url.href)],
      [t`because`, why],
      [t`signature`, signer === undefined ? t`unchanged` : t`re-signed with the secret of ${signer.source}`],
      [t`bytes`, String(webhook.body.length)],
      ...(omitted.length === 0 ? [] : [[t`not sent`, t`${omitted.join(', ')}: credentials are not recorded`] as const]),
    ]),
    body: bodyLines(webhook.body, { style: PLAIN_STYLE, unmask }),
    warning,
    question,
    digest,
  }
}

/**
 * Sends what a plan showed and records what becomes of it. Throws Refused if it would now be something else, Cancelled if what was typed
 * is not what the question asks for, and what `planReplay` throws.
 */
export async function sendReplay(
  context: Context,
  events: InspectedEvents,
  fields: AnswerFields,
  unmask: boolean,
): Promise<ForwardLine> {
  const { webhook, signer, digest } = await prepare(context, events, fields)
  if (digest !== fields.digest) {
    throw new Refused(t`The request has changed since it was shown; nothing was sent`, {
      hint: t`Look at it again before you send it`,
    })
  }
  if (signer !== undefined) await consentFor(signer, webhook, textIn(fields, 'typed'))
  const { url, body, headers } = webhook
  const connections = openConnectionPoolTo(url, context.runtime.env)
  const signal = context.runtime.interrupt
  const limits = { timeoutMs: context.settings.timeoutMs, charactersMax: ANSWER_CHARACTERS_MAX, signal }
  const result = await postBytes(connections, url, body, headers, limits).finally(() => connections.close())
  // The result of an edited event says nothing about the event itself.
  if (signer === undefined) {
    const results = await openDeliveryResults(context)
    results.note(webhook, result)
    await results.settled()
  }
  const { status, ms, error } = result
  const at = new Date(context.now()).toISOString()
  return forwardLine(
    { at, url: withoutLogin(url), status, ms, body: result.body, error: error?.message ?? null },
    unmask,
  )
}

async function prepare(context: Context, events: InspectedEvents, fields: AnswerFields): Promise<PreparedReplay> {
  const event = await events.recorded(textIn(fields, 'key'))
  const [to, edits, replacement] = [textIn(fields, 'to'), textIn(fields, 'edits'), textIn(fields, 'body')]
  const typed = to.trim() === '' ? undefined : readTarget(to.trim(), '--to')
  const isEdited = fields.isEdited === true
  const lines = isEdited ? edits.split(/\r?\n/).filter((line) => line.trim() !== '') : []
  const hasBody = isEdited && replacement !== ''
  if (isEdited && lines.length === 0 && !hasBody) {
    throw new UsageError(t`No value is set`, { hint: t`Write a path and a value, such as \`data.amount=10.50\`` })
  }
  const body = editBody(hasBody ? Buffer.from(replacement) : recordedBody(event), lines.map(readBodyEdit))
  const signer = isEdited ? await context.signer() : undefined
  if (signer !== undefined) assertOwnEvents([event], signer)
  const [target] = await chooseTargets(context, [event], typed)
  if (target === undefined) throw new Error('an event has no target')
  const webhook = prepareRedelivery(event, body, target, signer)
  const sent = JSON.stringify([webhook.record, target.url.href, webhook.headers, body.toString('base64')])
  const digest = createHash('sha256').update(sent).digest('hex')
  return { webhook, why: target.why, signer, digest, omitted: omittedHeaders([event]) }
}

/**
 * Asks as `webhook replay` does, with what was typed on the page as the answer; an answer in advance does not count. Without one it only
 * tells what is asked. Throws like `askToSign`.
 */
async function consentFor(
  signer: Signer,
  { url, body }: PreparedWebhook,
  typed?: string,
): Promise<Pick<ReplayPlan, 'warning' | 'question'>> {
  const lines: string[] = []
  let question = ''
  const terminal = {
    canAsk: true,
    err: PLAIN_STYLE,
    errColumns: Number.POSITIVE_INFINITY,
    say: (text: string) => void lines.push(text),
    note: (line: string) => void lines.push(line),
    async askText(asked: string) {
      question = asked
      return typed ?? ''
    },
  }
  const settings = { yes: false, confirm: undefined }
  try {
    await askToSign({ terminal, settings }, signer, [body], [[t`to`, addressText(url.href)]])
  } catch (error) {
    if (!(error instanceof Cancelled) || typed !== undefined || question === '') throw error
  }
  return { warning: lines.join('\n'), question }
}

function textIn(fields: AnswerFields, name: string): string {
  const value = fields[name]
  return typeof value === 'string' ? value : ''
}
