import { defineCommand, defineOptions, type OptionsOf } from '../../commandDefinition.ts'
import type { Context } from '../../context.ts'
import type { EventWithForwards } from '../../ledger/events.ts'
import { readBodyEdit } from '../../listener/bodyEdits.ts'
import { readDuration, readHttpStatus } from '../../optionParsers.ts'
import { findRecordedEvents, queryRecordedEvents } from '../../steps/webhooks/recordedEvents.ts'
import { openDeliveryResults, prepareReplay } from '../../steps/webhooks/redelivery.ts'
import {
  askToSign,
  type PreparedWebhook,
  readTarget,
  sendWebhooks,
  type Target,
} from '../../steps/webhooks/sendWebhooks.ts'
import { csvNotSupported } from '../../terminal/printer.ts'
import { t } from '../../text/translate.ts'
import { withoutPassword } from '../../wire/baseAddress.ts'
import { NotFound, UsageError } from '../../wire/errors.ts'

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

type ReplayOptions = OptionsOf<typeof OPTIONS>

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
  { event: names, ...options }: ReplayOptions & { event: string[] },
): Promise<number> {
  const { to: typed, set: edits, expect: expected = null } = options
  const { events, isOne } = await selectEvents(context, names, options)
  if (isOne && context.print.format === 'csv') throw csvNotSupported()
  if (options.body !== undefined && events.length !== 1) {
    throw new UsageError(t`\`--body\` replaces the body of one event, but ${events.length} are selected`, {
      hint: t`Name one event by its number`,
    })
  }
  const replacement = options.body === undefined ? undefined : await context.readInputBytes(options.body, 'webhookBody')
  const prepared = await prepareReplay(context, events, { replacement, edits, typed })
  const { signer, omitted } = prepared
  const targets = prepared.webhooks.map(({ target }) => target)
  const webhooks = prepared.webhooks.map(({ webhook }) => webhook)
  if (signer !== undefined) {
    const places = [...new Set(targets.map(({ url }) => withoutPassword(url.href)))]
    await askToSign(
      context,
      signer,
      webhooks.map(({ body }) => body),
      places.map((place) => [t`to`, place]),
    )
  }
  if (events.length === 0) context.terminal.note(t`No recorded event matches; nothing was sent`)
  if (typed === undefined) noteTargets(context, targets)
  if (omitted.length > 0)
    context.terminal.alarm(t`Not sent, because credentials are not recorded: ${omitted.join(', ')}`)
  if (options.dryRun) return showOne(context, webhooks)
  return sendAll(context, webhooks, { isList: !isOne, isEdited: signer !== undefined, expected })
}

async function showOne(context: Context, [webhook, another]: readonly PreparedWebhook[]): Promise<number> {
  if (webhook === undefined || another !== undefined) {
    throw new UsageError(t`\`--dry-run\` shows the request of exactly one event`, {
      hint: t`Name one event by its number; \`pixgate webhook events\` lists them`,
    })
  }
  const { showWebhook } = await import('../../steps/webhooks/webhookDryRun.ts')
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

/**
 * The events that these names and options select, each once: those of the names in the order in which they were typed, else all that the
 * options leave; `isOne` if the names identify a single event. Throws UsageError if nothing is named, NotFound for a name of no event.
 */
async function selectEvents(
  context: Context,
  names: readonly string[],
  { last, failed, since }: ReplayOptions,
): Promise<{ events: EventWithForwards[]; isOne: boolean }> {
  if (names.length === 0 && !last && !failed && since === undefined) throw nothingNamed()
  const allowed = await queryRecordedEvents(context, { failed, since })
  const events = names.length === 0 ? allowed : among(await findNamed(context, names), allowed)
  const [first] = events
  if (!last) return { events, isOne: names.length === 1 && events.length === 1 && isNameOfOne(first, names[0]) }
  const newest = events.toSorted((one, other) => one.record.n - other.record.n).at(-1)
  if (newest === undefined) throw noEvents()
  return { events: [newest], isOne: true }
}

async function findNamed(context: Context, names: readonly string[]): Promise<EventWithForwards[]> {
  const found = new Map<string, EventWithForwards>()
  for (const name of names) {
    for (const event of await findRecordedEvents(context, name)) found.set(event.record.id, event)
  }
  return [...found.values()]
}

function among(events: readonly EventWithForwards[], allowed: readonly EventWithForwards[]): EventWithForwards[] {
  const ids = new Set(allowed.map(({ record }) => record.id))
  return events.filter(({ record }) => ids.has(record.id))
}

/** The id of a transaction names all its events, however many there are. */
function isNameOfOne(event: EventWithForwards | undefined, name: string | undefined): boolean {
  if (event === undefined || name === undefined) return false
  const { n, id } = event.record
  return [`${n}`, `#${n}`, id].includes(name)
}

function nothingNamed(): UsageError {
  return new UsageError(t`No events selected`, {
    details: [t`Name events by number or id, or add \`--last\`, \`--failed\` or \`--since 1h\``],
    hint: t`Run \`pixgate webhook events\` to list the recorded events`,
  })
}

function noEvents(): NotFound {
  return new NotFound(t`No recorded event matches`, {
    outcome: 'not-sent',
    hint: t`Run \`pixgate webhook events\` to list the recorded events`,
  })
}
