import type { Context } from '../../context.ts'
import { editBody, readBodyEdit } from '../../listener/bodyEdits.ts'
import { readDuration, readHttpStatus } from '../../optionParsers.ts'
import { csvNotSupported } from '../../terminal/printer.ts'
import { t } from '../../text/translate.ts'
import { withoutPassword } from '../../wire/address.ts'
import { UsageError } from '../../wire/errors.ts'
import { defineCommand, defineOptions, type OptionsOf } from '../command.ts'
import {
  assertOwnEvents,
  chooseTargets,
  omittedHeaders,
  openDeliveryResults,
  prepareRedelivery,
  recordedBody,
} from './redelivery.ts'
import { selectEvents } from './selectEvents.ts'
import { type PreparedWebhook, sendWebhooks } from './sendWebhooks.ts'
import { askToSign } from './signing.ts'
import { readTarget, type Target } from './targetUrl.ts'

const OPTIONS = defineOptions(
  {
    flags: '--to <url>',
    description:
      'target URL (default: the last forward target, the running listener, or the callback URL, in this order)',
    parse: readTarget,
  },
  { flags: '--last', description: 'the newest event' },
  { flags: '--failed', description: 'events whose last delivery was not answered 200 within 5 s' },
  { flags: '--since <duration>', description: 'events that arrived within this time, such as 1h', parse: readDuration },
  {
    flags: '--expect <status>',
    description: 'exit 0 if every answer has this status within 5 s, 1 if any differs',
    parse: readHttpStatus,
  },
  { flags: '--body <file>', description: 'send these bytes instead, re-signed; - for standard input' },
  {
    flags: '--set <path=value>',
    description: 'set a value in the body and re-sign it, repeatable',
    parse: readBodyEdit,
    repeatable: true,
  },
  { flags: '--dry-run', description: 'print the exact request of one event, and send nothing' },
)

export const webhookReplay = defineCommand({
  arguments: [{ name: '[event...]', description: 'number, record id, or idTransaction' }],
  options: OPTIONS,
  examples: [
    ['pixgate webhook replay 17', 'event 17 again, byte for byte'],
    ['pixgate webhook replay --failed --since 1h', 'what your server did not accept'],
    ['pixgate webhook replay --last --to http://127.0.0.1:3000/webhooks', 'the newest, to this URL'],
    ['pixgate webhook replay 17 --set data.amount=0.01', 'with another amount, re-signed'],
  ],
  acceptsCsv: true,
  run: replay,
})

async function replay(
  context: Context,
  { event: names, ...options }: OptionsOf<typeof OPTIONS> & { event: string[] },
): Promise<number> {
  const { to: typed, set: edits, expect: expected = null } = options
  const { events, isOne } = await selectEvents(context, names, options)
  if (isOne && context.print.format === 'csv') throw csvNotSupported()
  if (options.body !== undefined && events.length !== 1) {
    throw new UsageError(t`\`--body\` replaces the body of one event, but ${events.length} are selected`, {
      hint: t`Name one event by its number`,
    })
  }
  const isEdited = options.body !== undefined || edits.length > 0
  const replacement = options.body === undefined ? undefined : await context.readInputBytes(options.body, 'webhookBody')
  const bodies = events.map((event) => editBody(replacement ?? recordedBody(event), edits))
  const signer = isEdited && events.length > 0 ? await context.signer() : undefined
  if (signer !== undefined) assertOwnEvents(events, signer)
  const targets = await chooseTargets(context, events, typed)
  if (signer !== undefined) {
    const places = [...new Set(targets.map(({ url }) => withoutPassword(url.href)))]
    await askToSign(
      context,
      signer,
      bodies,
      places.map((place) => [t`to`, place]),
    )
  }
  if (events.length === 0) context.terminal.note(t`No recorded event matches; nothing was sent`)
  if (typed === undefined) noteTargets(context, targets)
  const omitted = omittedHeaders(events)
  if (omitted.length > 0)
    context.terminal.alarm(t`Not sent, because credentials are not recorded: ${omitted.join(', ')}`)
  const webhooks = events.flatMap((event, index) => {
    const [body, target] = [bodies[index], targets[index]]
    return body === undefined || target === undefined ? [] : [prepareRedelivery(event, body, target, signer)]
  })
  if (options.dryRun) return showOne(context, webhooks)
  return sendAll(context, webhooks, { isList: !isOne, isEdited, expected })
}

async function showOne(context: Context, [webhook, another]: readonly PreparedWebhook[]): Promise<number> {
  if (webhook === undefined || another !== undefined) {
    throw new UsageError(t`\`--dry-run\` shows the request of exactly one event`, {
      hint: t`Name one event by its number; \`pixgate webhook events\` lists them`,
    })
  }
  const { showWebhook } = await import('./webhookDryRun.ts')
  return showWebhook(context, webhook, false)
}

/** The result of an edited event says nothing about the event itself, so only the others are recorded. */
async function sendAll(
  context: Context,
  webhooks: readonly PreparedWebhook[],
  { isList, isEdited, expected }: { isList: boolean; isEdited: boolean; expected: number | null },
): Promise<number> {
  const results = await openDeliveryResults(context)
  try {
    return await sendWebhooks(context, webhooks, {
      atOnce: false,
      isList,
      expected,
      ...(isEdited ? {} : { onResult: results.note }),
    })
  } finally {
    await results.settled()
  }
}

function noteTargets({ terminal }: Context, targets: readonly Target[]): void {
  const lines = targets.map(({ url, why }) => t`To ${withoutPassword(url.href)}: ${why}`)
  for (const line of new Set(lines)) terminal.note(line)
}
