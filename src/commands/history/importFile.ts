import { parseInstant } from '../../pix/calendar.ts'
import { Malformed } from '../../pix/malformed.ts'
import { t } from '../../text/translate.ts'
import { type AnswerFields, isObject, textField } from '../../wire/answers.ts'
import { parseJson } from '../../wire/jsonTree.ts'
import { deliveryOf, type RawRequest, readRawRequest, valuesOf } from '../../wire/rawRequest.ts'
import { SIGNATURE_HEADER } from '../../wire/signatureHeader.ts'

export interface ImportedWebhook {
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

/** The webhooks of a file, and the entries that are not webhooks. */
export interface ImportFile {
  webhooks: ImportedWebhook[]
  faults: { line: number; column: string; message: string }[]
}

const BEGINS_AS_JSON = /^\uFEFF?\s*[{[]/
const REQUEST_LINE = /^[A-Z]+ (\S+) HTTP\/[\d.]+\r?\n/

/**
 * Reads the webhooks that a receiver stored: one raw HTTP request, or JSON, an object a line or an array of them, each an
 * event as `listen` writes it or a body with its signature.
 */
export function readImportFile(bytes: Buffer): ImportFile {
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
  try {
    found.webhooks.push({ line, ...read() })
  } catch (error) {
    if (!(error instanceof Malformed)) throw error
    found.faults.push({ line, column: 'event', message: error.message })
  }
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
