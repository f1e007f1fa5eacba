import type { Context } from '../../context.ts'
import { type BodyEdit, editBody, readBodyEdit } from '../../listener/bodyEdits.ts'
import { SAMPLE_NAMES, type SampleName, sampleEvent } from '../../listener/samples.ts'
import type { Header } from '../../listener/webhookPost.ts'
import { readChoice, wholeNumber } from '../../optionParsers.ts'
import type { Signer } from '../../profiles/signer.ts'
import { csvNotSupported } from '../../terminal/printer.ts'
import { t } from '../../text/translate.ts'
import { isLoopbackHost, withoutPassword } from '../../wire/address.ts'
import { UsageError } from '../../wire/errors.ts'
import { eventBody, repeatIdKey, WEBHOOK_STYLES } from '../../wire/eventBody.ts'
import { EVENT_NAMES } from '../../wire/eventFacts.ts'
import { signBody } from '../../wire/signature.ts'
import { SIGNATURE_HEADER, type SignatureEncoding } from '../../wire/signatureHeader.ts'
import { defineCommand } from '../command.ts'
import { sendWebhooks } from './sendWebhooks.ts'
import { askToSign, ENCODING_OPTION, parseEncoding, readBodyFacts } from './signing.ts'
import { defaultTarget, parseTarget } from './targetUrl.ts'

interface SendOptions {
  to?: string
  set?: string[]
  body?: string
  times: string
  atOnce?: boolean
  unsigned?: boolean
  badSignature?: boolean
  signatureEncoding: string
  repeatedKey?: boolean
  webhookStyle?: string
  expect?: string
  dryRun?: boolean
  curl?: boolean
}

/** At once, each needs a connection, and systems allow about a thousand. */
const TIMES_MAX = 500

export const webhookSend = defineCommand({
  description: 'Send a webhook as the gateway does: a fresh sample of an event, or your own body, signed',
  arguments: [
    { name: '[event]', description: `${SAMPLE_NAMES.join(', ')} (the dashboard format)`, completes: EVENT_NAMES },
  ],
  options: [
    { flags: '--to <url>', description: 'target URL (default: the running listener, else the callback URL)' },
    { flags: '--set <path=value>', description: 'set a value in the body, repeatable', repeatable: true },
    { flags: '--body <file>', description: 'send these bytes, `-` for standard input' },
    { flags: '--times <n>', description: 'send the same bytes this many times', default: '1' },
    { flags: '--at-once', description: 'send them concurrently, not one after the other' },
    { flags: '--unsigned', description: 'without a signature' },
    { flags: '--bad-signature', description: 'with a wrong signature' },
    ENCODING_OPTION,
    { flags: '--repeated-key', description: 'for refund.status: use the key idTransaction for both ids' },
    {
      flags: '--webhook-style <language>',
      description: 'write the sample as a service in java, php, python or javascript does (default: java)',
      completes: WEBHOOK_STYLES,
    },
    { flags: '--expect <status>', description: 'exit 0 if the answer has this status, 1 if it differs' },
    { flags: '--dry-run', description: 'print the exact request with its signature, and send nothing' },
    { flags: '--curl', description: 'with --dry-run: print it as a curl command' },
  ],
  examples: [
    ['pixgate webhook send pix.received', 'to the listener that runs on this machine'],
    ['pixgate webhook send transfer.failed --to http://127.0.0.1:3000/webhooks', 'to your server'],
    ['pixgate webhook send pix.received --set data.amount=10.50', 'with your own value'],
    ['pixgate webhook send pix.received --times 3 --at-once', 'does your server count it once?'],
    ['pixgate webhook send pix.received --bad-signature --expect 401', 'does your server refuse it?'],
    ['pixgate webhook send pix.received --to http://127.0.0.1:3000/webhooks --dry-run --curl', 'as a curl command'],
  ],
  acceptsCsv: true,
  run: send,
})

async function send(
  context: Context,
  { event: typedEvent, ...options }: SendOptions & { event: string | undefined },
): Promise<number> {
  const times = wholeNumber(1, TIMES_MAX)(options.times, '--times')
  if (times === 1 && context.print.format === 'csv') throw csvNotSupported()
  const encoding = parseEncoding(options.signatureEncoding)
  if (options.unsigned === true && options.badSignature === true) {
    throw new UsageError(t`\`--unsigned\` and \`--bad-signature\` cannot be combined`, {
      hint: t`Give one of them`,
    })
  }
  const expected = options.expect === undefined ? null : wholeNumber(100, 599)(options.expect, '--expect')
  if (options.curl === true && options.dryRun !== true) {
    throw new UsageError(t`\`--curl\` needs \`--dry-run\``, { hint: t`Add \`--dry-run\`, which sends nothing` })
  }
  const typed = parseTarget(options.to)
  const body = await readBody(context, typedEvent, options)
  const signer = await context.signer()
  const { url, why } = typed ?? (await defaultTarget(context, signer))
  await askToSign(context, forTarget(signer, url), [body], [[t`to`, withoutPassword(url.href)]])
  if (typed === undefined) context.terminal.note(t`To ${withoutPassword(url.href)}: ${why}`)
  const facts = readBodyFacts(body)
  const headers = headersOf(body, signer, options, encoding)
  if (options.dryRun === true) {
    const { showWebhook } = await import('./webhookDryRun.ts')
    return showWebhook(context, { url, headers, body }, options.curl === true)
  }
  const about = { event: facts?.event ?? null, idTransaction: facts?.idTransaction ?? null }
  const isGenuine = options.unsigned !== true && options.badSignature !== true
  const webhook = { n: null, url, body, headers, ...about, isGenuine }
  const webhooks = Array.from({ length: times }, () => webhook)
  return sendWebhooks(context, webhooks, { atOnce: options.atOnce === true, isList: times > 1, expected })
}

/** A secret alone does not tell its environment; what is signed with it for another machine counts as production. */
function forTarget(signer: Signer, { hostname }: URL): Signer {
  return signer.baseUrl !== null || isLoopbackHost(hostname) ? signer : { ...signer, environment: 'production' }
}

async function readBody(context: Context, typedEvent: string | undefined, options: SendOptions): Promise<Buffer> {
  const edits = (options.set ?? []).map(readBodyEdit)
  const event = typedEvent === undefined ? undefined : readChoice(SAMPLE_NAMES, typedEvent, '<event>')
  if (options.repeatedKey === true && (event !== 'refund.status' || options.body !== undefined)) {
    throw new UsageError(t`\`--repeated-key\` only applies to the sample of \`refund.status\``, {
      hint: t`Write \`pixgate webhook send refund.status --repeated-key\``,
    })
  }
  if (options.webhookStyle !== undefined && options.body !== undefined) {
    throw new UsageError(t`\`--webhook-style\` and \`--body\` cannot be combined: your own body is sent unchanged`, {
      hint: t`Give one of them`,
    })
  }
  if (options.body === undefined) {
    if (event === undefined) throw noEvent()
    return sampleBody(context, event, edits, options)
  }
  const body = editBody(await context.readInputBytes(options.body, 'webhookBody'), edits)
  const own = readBodyFacts(body)?.event ?? null
  if (event === undefined || own === null || own === event) return body
  throw new UsageError(t`The body is a \`${own}\`, not a \`${event}\``, {
    hint: t`Omit \`${event}\`; with \`--body\`, the body determines the event`,
  })
}

/** Values are set before the key is repeated, while each id still has its own name. */
function sampleBody(context: Context, event: SampleName, edits: readonly BodyEdit[], options: SendOptions): Buffer {
  const style = readChoice(WEBHOOK_STYLES, options.webhookStyle ?? 'java', '--webhook-style')
  const sample = sampleEvent(event, { newId: context.newId, nowMs: context.now() })
  const body = editBody(Buffer.from(eventBody(sample, style)), edits)
  return options.repeatedKey === true ? Buffer.from(repeatIdKey(body.toString('utf8'))) : body
}

function headersOf(body: Buffer, signer: Signer, options: SendOptions, encoding: SignatureEncoding): Header[] {
  const headers: Header[] = [
    ['Content-Type', 'application/json'],
    ['User-Agent', 'pixgate'],
  ]
  if (options.unsigned === true) return headers
  const secret = signer.secret.reveal()
  // A wrong signature in the right form: that of another secret.
  const signature = signBody(body, options.badSignature === true ? `not ${secret}` : secret, encoding)
  return [...headers, [SIGNATURE_HEADER, signature]]
}

function noEvent(): UsageError {
  return new UsageError(t`\`pixgate webhook send\` needs an event, or a body of your own`, {
    hint: t`Use one of: ${SAMPLE_NAMES.join(', ')}; or give \`--body event.json\``,
  })
}
