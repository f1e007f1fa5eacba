import { defineCommand, defineOptions, type OptionsOf } from '../../commandDefinition.ts'
import type { Context } from '../../context.ts'
import { editBody, readBodyEdit } from '../../listener/bodyEdits.ts'
import { sampleEvent } from '../../listener/samples.ts'
import type { Header } from '../../listener/webhookPost.ts'
import { readHttpStatus, wholeNumber } from '../../optionParsers.ts'
import type { Signer } from '../../profiles/signer.ts'
import { EVENT_NAMES, type EventName } from '../../schemas/webhookBodies.ts'
import {
  askToSign,
  defaultTarget,
  ENCODING_OPTION,
  forTarget,
  noteAdded,
  readBodyFacts,
  readTarget,
  sendWebhooks,
} from '../../steps/webhooks/sendWebhooks.ts'
import { csvNotSupported } from '../../terminal/printer.ts'
import { t } from '../../text/translate.ts'
import type { Printed } from '../../views/outputSchemas.ts'
import { withoutPassword } from '../../wire/baseAddress.ts'
import { UsageError } from '../../wire/errors.ts'
import { eventBody, repeatIdKey, stringsOfStyle, WEBHOOK_STYLES } from '../../wire/eventBody.ts'
import { SIGNATURE_HEADER, type SignatureEncoding, signBody } from '../../wire/signature.ts'

/** At once, each needs a connection, and systems allow about a thousand. */
const TIMES_MAX = 500

const OPTIONS = defineOptions(
  {
    flags: '--to <url>',
    description: 'target URL (default: the running listener, else the callback URL)',
    parse: readTarget,
  },
  {
    flags: '--set <path=value>',
    description: 'set a value in the body, repeatable',
    parse: readBodyEdit,
    repeatable: true,
  },
  { flags: '--body <file>', description: 'send these bytes, `-` for standard input' },
  {
    flags: '--times <n>',
    description: 'send the same bytes this many times',
    default: '1',
    parse: wholeNumber(1, TIMES_MAX),
  },
  { flags: '--at-once', description: 'send them concurrently, not one after the other' },
  {
    flags: '--unsigned',
    description: 'without a signature',
    conflicts: { options: ['--bad-signature'] },
  },
  { flags: '--bad-signature', description: 'with a wrong signature' },
  ENCODING_OPTION,
  { flags: '--repeated-key', description: 'refund.status: both ids under idTransaction' },
  {
    flags: '--webhook-style <language>',
    description: 'as java (default), php, python or javascript do',
    choices: WEBHOOK_STYLES,
    conflicts: { options: ['--body'] },
  },
  {
    flags: '--expect <status>',
    description: 'exit 0 if the answer has this status within 5 s, else 1',
    parse: readHttpStatus,
  },
  { flags: '--dry-run', description: 'print the exact signed request, and send nothing' },
  {
    flags: '--curl',
    description: 'with --dry-run: print it as a curl command',
    requires: {
      option: '--dry-run',
      message: () => t`\`--curl\` needs \`--dry-run\``,
      hint: () => t`Add \`--dry-run\`, which sends nothing`,
    },
  },
)

type SendOptions = OptionsOf<typeof OPTIONS>

export const webhookSend = defineCommand({
  arguments: [
    {
      name: '[event]',
      description: `${EVENT_NAMES.join(', ')} (the dashboard format)`,
      choices: EVENT_NAMES,
      completes: EVENT_NAMES,
    },
  ],
  options: OPTIONS,
  examples: [
    ['pixgate webhook send pix.received', 'to the listener that runs on this machine'],
    ['pixgate webhook send transfer.failed --to http://127.0.0.1:3000/webhooks', 'to your server'],
    ['pixgate webhook send pix.received --set data.amount=10.50', 'with your own value'],
    ['pixgate webhook send pix.received --times 3 --at-once', 'does your server count it once?'],
    ['pixgate webhook send pix.received --bad-signature --expect 401', 'does your server refuse it?'],
  ],
  acceptsCsv: true,
  run: send,
})

async function send(
  context: Context,
  { event: typedEvent, ...options }: SendOptions & { event: EventName | undefined },
): Promise<number> {
  const { times, to: typed, expect: expected = null, signatureEncoding: encoding } = options
  if (times === 1 && context.print.format === 'csv') throw csvNotSupported()
  const event = typedEvent ?? (options.body === undefined ? await chooseEvent(context) : undefined)
  const body = await readBody(context, event, options)
  const signer = await context.signer()
  const { url, why } = typed ?? (await defaultTarget(context, signer))
  await askToSign(context, forTarget(signer, url), [body], [[t`to`, withoutPassword(url.href)]])
  if (typed === undefined) context.terminal.note(t`To ${withoutPassword(url.href)}: ${why}`)
  const facts = readBodyFacts(body)
  const headers = headersOf(body, signer, options, encoding)
  if (options.dryRun) {
    const { showWebhook } = await import('../../steps/webhooks/webhookDryRun.ts')
    return showWebhook(context, { url, headers, body }, options.curl)
  }
  const about = { event: facts?.event ?? null, idTransaction: facts?.idTransaction ?? null }
  const isGenuine = !options.unsigned && !options.badSignature
  const webhook = { n: null, record: null, url, body, headers, ...about, isGenuine }
  const webhooks = Array.from({ length: times }, () => webhook)
  return sendWebhooks(context, webhooks, { atOnce: options.atOnce, isList: times > 1, expected })
}

async function readBody(context: Context, event: EventName | undefined, options: SendOptions): Promise<Buffer> {
  if (options.repeatedKey && (event !== 'refund.status' || options.body !== undefined)) {
    throw new UsageError(t`\`--repeated-key\` only applies to the sample of \`refund.status\``, {
      hint: t`Write \`pixgate webhook send refund.status --repeated-key\``,
    })
  }
  if (options.body === undefined) {
    if (event === undefined) throw noEvent()
    return sampleBody(context, event, options)
  }
  const given = await context.readInputBytes(options.body, 'webhookBody')
  const body = editBody(given, options.set, noteAdded(context))
  const own = readBodyFacts(body)?.event ?? null
  if (event === undefined || own === null || own === event) return body
  throw new UsageError(t`The body is a \`${own}\`, not a \`${event}\``, {
    hint: t`Omit \`${event}\`; with \`--body\`, the body determines the event`,
  })
}

/** Values are set before the key is repeated, while each id still has its own name. */
function sampleBody(context: Context, event: EventName, options: SendOptions): Buffer {
  const { webhookStyle: style = 'java', set: edits, repeatedKey } = options
  const status = edits.findLast(({ path }) => path.join('.') === 'data.status')?.value
  const sample = Buffer.from(
    eventBody(sampleEvent(event, { newId: context.newId, nowMs: context.now(), status }), style),
  )
  const body = editBody(sample, edits, noteAdded(context), stringsOfStyle(style))
  return repeatedKey ? Buffer.from(repeatIdKey(body.toString('utf8'))) : body
}

function headersOf(body: Buffer, signer: Signer, options: SendOptions, encoding: SignatureEncoding): Header[] {
  const headers: Header[] = [
    ['Content-Type', 'application/json'],
    ['User-Agent', 'pixgate'],
  ]
  if (options.unsigned) return headers
  const secret = signer.secret.reveal()
  // A wrong signature in the right form: that of another secret.
  const signature = signBody(body, options.badSignature ? `not ${secret}` : secret, encoding)
  return [...headers, [SIGNATURE_HEADER, signature]]
}

function chooseEvent({ terminal }: Context): Promise<EventName> {
  if (!terminal.canAsk) throw noEvent()
  return terminal.choose(
    t`Which event?`,
    EVENT_NAMES.map((each) => ({ value: each, name: each })),
  )
}

function noEvent(): UsageError {
  return new UsageError(t`\`pixgate webhook send\` needs an event, or a body of your own`, {
    hint: t`Use one of: ${EVENT_NAMES.join(', ')}; or give \`--body event.json\``,
  })
}

export const webhookSign = defineCommand({
  options: [{ flags: '--body <file>', description: 'the bytes, `-` for standard input' }, ENCODING_OPTION],
  examples: [
    ['pixgate webhook sign --body event.json', 'the header value alone'],
    ["printf '{}' | pixgate webhook sign --body - --signature-encoding base64", 'sign the output of another command'],
  ],
  run: sign,
})

async function sign(
  context: Context,
  { body: path, signatureEncoding: encoding }: { body?: string; signatureEncoding: SignatureEncoding },
): Promise<number> {
  if (path === undefined) {
    throw new UsageError(t`\`--body\` is missing`, {
      hint: t`Add \`--body event.json\`, or \`--body -\` for standard input`,
    })
  }
  const body = await context.readInputBytes(path, 'webhookBody')
  const signer = await context.signer()
  await askToSign(context, signer, [body], [[t`bytes`, String(body.length)]])
  const signature = signBody(body, signer.secret.reveal(), encoding)
  context.print.one<Printed<'webhook-sign'>>({ signature, encoding }, () => [signature])
  return 0
}
