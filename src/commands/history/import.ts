import { defineCommand } from '../../commandDefinition.ts'
import type { Context } from '../../context.ts'
import { noteVerifiedHere, type ReceivedEvent, type StoredEvent, storeEvent } from '../../ledger/events.ts'
import { BODY_BYTES_MAX } from '../../listener/listenerServer.ts'
import { readText } from '../../optionParsers.ts'
import { parseInstant } from '../../pix/calendar.ts'
import { Malformed, valueOrError } from '../../pix/expectedError.ts'
import { type Signer, secretsOf } from '../../profiles/signer.ts'
import { labelledLines } from '../../terminal/terminal.ts'
import { declared, t, translated } from '../../text/translate.ts'
import type { Printed } from '../../views/outputSchemas.ts'
import { type AnswerFields, isObject, textField } from '../../wire/answers.ts'
import { UsageError } from '../../wire/errors.ts'
import { type EventFacts, readEventFacts } from '../../wire/eventFacts.ts'
import { parseJson } from '../../wire/jsonTree.ts'
import { deliveryOf, type RawRequest, readRawRequest, valuesOf } from '../../wire/rawRequest.ts'
import { judgeSignature, SIGNATURE_HEADER, type SignatureVerdict } from '../../wire/signature.ts'

type Reason = NonNullable<SignatureVerdict['reason']> | 'not-json' | 'too-large'

type Judged =
  | { webhook: ImportedWebhook; facts: EventFacts; reason: null }
  | { webhook: ImportedWebhook; facts: EventFacts | undefined; reason: Reason }

/** A transaction keeps other programs waiting, so a large file is stored in groups. */
const GROUP = 500

export const historyImport = defineCommand({
  arguments: [
    {
      name: '<file>',
      description: 'a raw HTTP request, lines of `webhook listen -o json`, or bodies with signatures; - for stdin',
      parse: readText,
    },
  ],
  examples: [
    ['pixgate history import events.jsonl', 'records each genuine event once; exit 1 if one is not genuine'],
    ['pixgate history import - < events.jsonl', 'from another program'],
  ],
  run: importEvents,
})

async function importEvents(context: Context, { file: path }: { file: string }): Promise<number> {
  const webhooks = await readFile(context, path)
  const signer = await context.signer()
  const judged = webhooks.map((webhook) => judge(webhook, signer))
  const stored = await storeAll(context, judged, signer)
  const duplicates = stored.filter(({ duplicate }) => duplicate).length
  const rejected = judged.flatMap(({ webhook, reason }) => (reason === null ? [] : [{ line: webhook.line, reason }]))
  const { out } = context.terminal
  const imported = stored.length - duplicates
  context.print.one<Printed<'history-import'>>({ imported, duplicates, refused: rejected }, () => [
    ...labelledLines(
      [
        [t`imported`, String(imported)],
        [t`duplicates`, String(duplicates)],
        [t`not imported`, String(rejected.length), rejected.length > 0 ? out.red : undefined],
      ],
      out,
    ),
    ...rejected.map(({ line, reason }) => `  ${t`line ${line}: ${translated(REASONS[reason])}`}`),
  ])
  if (rejected.length > 0) {
    context.terminal.next(t`Run \`pixgate webhook verify --request request.txt\` to find out why a signature is wrong`)
  }
  return rejected.length > 0 ? 1 : 0
}

/** All webhooks of a file. Throws UsageError that lists everything that is not a webhook; then nothing is recorded. */
async function readFile(context: Context, path: string): Promise<ImportedWebhook[]> {
  const { webhooks, faults } = readImportFile(await context.readInputBytes(path, 'storedWebhooks'))
  if (faults.length > 0) {
    throw new UsageError(t`\`${path}\` has entries that are not webhooks; nothing was imported`, {
      faults,
      hint: t`Give one raw HTTP request with its head, lines of \`pixgate webhook listen -o json\`, or lines like {"body": "…", "signature": "…"}`,
    })
  }
  if (webhooks.length > 0) return webhooks
  throw new UsageError(t`\`${path}\` contains no webhooks`, {
    hint: t`Give raw requests, or bodies with their signatures; \`pixgate history import --help\` has examples`,
  })
}

function judge(webhook: ImportedWebhook, signer: Signer): Judged {
  const { body, signatures } = webhook
  if (body.length > BODY_BYTES_MAX) return { webhook, facts: undefined, reason: 'too-large' }
  const verdicts = secretsOf(signer).map(({ secret }) => judgeSignature(body, signatures, secret.reveal()))
  const facts = readEventFacts(body.toString('utf8'))
  if (!verdicts.some(({ valid }) => valid)) return { webhook, facts, reason: verdicts[0]?.reason ?? 'mismatch' }
  return facts === undefined ? { webhook, facts, reason: 'not-json' } : { webhook, facts, reason: null }
}

async function storeAll(
  context: Context,
  judged: readonly Judged[],
  { profile, environment, baseUrl, clientId }: Signer,
): Promise<StoredEvent[]> {
  const owner = { profile, environment, baseUrl, clientId }
  const genuine = judged.flatMap(({ webhook, facts, reason }) => (reason === null ? [{ webhook, facts }] : []))
  const ledger = await context.ledger()
  const stored: StoredEvent[] = []
  for (let at = 0; at < genuine.length; at += GROUP) {
    const group = genuine.slice(at, at + GROUP)
    const nowMs = ledger.environment.now()
    const events = group.map(({ webhook: { body, target, headers, receivedAtMs }, facts }): ReceivedEvent => {
      // A sender whose clock is ahead must not make an event newer than everything that happens from now on.
      const atMs = Math.min(receivedAtMs ?? nowMs, nowMs)
      return { facts, body, target, headers, owner, isSigned: true, via: 'import', receivedAtMs: atMs }
    })
    await noteVerifiedHere(ledger, events)
    const results = await ledger.write((writer) =>
      events.map((event) => storeEvent(writer, event, context.runtime.secrets)),
    )
    stored.push(...results)
  }
  return stored
}

const REASONS: Readonly<Record<Reason, string>> = {
  missing: declared`it has no \`X-Signature\``,
  malformed: declared`its \`X-Signature\` is not a signature`,
  mismatch: declared`its signature does not match these bytes and this secret`,
  'not-json': declared`it is genuine, but not JSON`,
  'too-large': declared`it is larger than 1 MiB`,
}

interface ImportedWebhook {
  /** Its line in the file; in an array, its place from 1. */
  line: number
  body: Buffer
  /** All values of `X-Signature`. */
  signatures: string[]
  headers: RawRequest['headers']
  target: string
  /** Null if it is not known. */
  receivedAtMs: number | null
}

interface ImportFile {
  webhooks: ImportedWebhook[]
  faults: { line: number; column: string; message: string }[]
}

const BEGINS_AS_JSON = /^\uFEFF?\s*[{[]/
const REQUEST_LINE = /^[A-Z]+ (\S+) HTTP\/[\d.]+\r?\n/

/**
 * Reads the webhooks that a receiver stored: one raw HTTP request, or JSON, an object a line or an array of them, each an
 * event as `listen` writes it or a body with its signature.
 */
function readImportFile(bytes: Buffer): ImportFile {
  const text = bytes.toString('utf8')
  const found: ImportFile = { webhooks: [], faults: [] }
  if (!BEGINS_AS_JSON.test(text)) {
    if (text.trim() !== '') addWebhookOrFault(found, 1, () => rawWebhook(bytes))
    return found
  }
  for (const { line, value } of documentsIn(text.replace(/^\uFEFF/, ''))) {
    if (!isBetweenEvents(value)) addWebhookOrFault(found, line, () => webhookIn(value))
  }
  return found
}

function addWebhookOrFault(found: ImportFile, line: number, read: () => Omit<ImportedWebhook, 'line'>): void {
  const webhook = valueOrError(Malformed, read)
  if (webhook instanceof Malformed) found.faults.push({ line, column: 'event', message: webhook.message })
  else found.webhooks.push({ line, ...webhook })
}

function rawWebhook(bytes: Buffer): Omit<ImportedWebhook, 'line'> {
  const target = REQUEST_LINE.exec(bytes.toString('latin1'))?.[1] ?? '/'
  return { ...importedParts(readRawRequest(bytes)), target, receivedAtMs: null }
}

/** A value that is not JSON is undefined. */
function documentsIn(text: string): { line: number; value: unknown }[] {
  const all = parseJson(text)
  if (all !== undefined) return (Array.isArray(all) ? all : [all]).map((value, index) => ({ line: index + 1, value }))
  return text
    .split('\n')
    .map((json, index) => ({ line: index + 1, json }))
    .filter(({ json }) => json.trim() !== '')
    .map(({ line, json }) => ({ line, value: parseJson(json) }))
}

/** `listen` writes other lines between the events, some with the body of an answer, but none with a signature. */
function isBetweenEvents(value: unknown): boolean {
  if (!isObject(value) || ['bodyBase64', 'signature', 'headers'].some((name) => name in value)) return false
  return textField(value, 'type') !== null && value.type !== 'event'
}

function webhookIn(value: unknown): Omit<ImportedWebhook, 'line'> {
  if (!isObject(value))
    throw new Malformed(value === undefined ? t`This is not JSON` : t`This is not a JSON object`, oneLine())
  const { receivedAt, path } = value
  const receivedAtMs = typeof receivedAt === 'string' ? parseInstant(receivedAt) : null
  if (receivedAtMs === undefined)
    throw new Malformed(t`\`receivedAt\` is not a date-time such as 2026-11-21T12:00:00Z`, oneLine())
  return {
    ...importedParts(deliveryOf({ bodyBase64: base64In(value), headers: headersIn(value) })),
    target: typeof path === 'string' ? path : '/',
    receivedAtMs,
  }
}

function base64In({ body, bodyBase64 }: AnswerFields): unknown {
  if (bodyBase64 !== undefined) return bodyBase64
  if (typeof body === 'string') return Buffer.from(body).toString('base64')
  if (body === undefined) throw new Malformed(t`It has neither \`bodyBase64\` nor \`body\``, oneLine())
  throw new Malformed(t`\`body\` is not a string: only the exact bytes can be verified`, oneLine())
}

function headersIn({ headers, signature }: AnswerFields): unknown {
  if (signature === undefined || signature === null) return headers ?? {}
  if (typeof signature === 'string') return { [SIGNATURE_HEADER]: signature }
  throw new Malformed(t`\`signature\` is not a string`, oneLine())
}

function importedParts({ headers, body }: RawRequest): Pick<ImportedWebhook, 'headers' | 'body' | 'signatures'> {
  return { headers, body, signatures: valuesOf(headers, SIGNATURE_HEADER) }
}

function oneLine(): string {
  return t`Give lines of \`pixgate webhook listen -o json\`, or {"body": "…", "signature": "…"}`
}
