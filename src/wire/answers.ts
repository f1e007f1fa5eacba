import { centsFromJson } from '../pix/amount.ts'
import { parseInstant } from '../pix/calendar.ts'

/** An answer's JSON object as it came, unknown fields included. */
export type AnswerFields = Record<string, unknown>

/** The error body of every endpoint; `message` is the error code. */
export interface ErrorBody {
  statusCode: number
  error: string
  message: string
  details: string
}

/** What a status query says. `status` is as it came, upper case or not, null where none stands in the answer. */
export interface PaymentState {
  status: string | null
  amountCents: number | null
  paidAtMs: number | null
}

/** What an answer that is no success says: the gateway's own code and words, null where it gave none. */
export interface Complaint {
  code: string | null
  description: string | null
}

/** Payment statuses after which nothing more is waited for. */
export const FINAL_PAYMENT_STATUSES: readonly string[] = ['PAID', 'EXPIRED', 'CANCELLED', 'REFUNDED']

const DEPTH_MAX = 100
const ERROR_CODE = /^[A-Z][A-Z0-9]*(?:_[A-Z0-9]+)+$/
/** The service's codes, and those of its kind that occur beside them. */
const KNOWN_CODES: ReadonlySet<string> = new Set([
  'INVALID_AMOUNT',
  'INVALID_TRANSACTION_ID',
  'INVALID_CREDENTIALS',
  'TRANSACTION_NOT_FOUND',
  'REFUND_NOT_ALLOWED',
  'NO_FUNDS',
  'PIX_KEY_NOT_FOUND',
  'DOCUMENT_VALIDATE',
  'DUPLICATE_EXTERNAL_ID',
  'UNAUTHORIZED_IP',
  'ACCOUNT_DOCUMENTS_NOT_VALIDATED',
  'OPERATION_EXCEEDS_LIMIT',
  'WRONG_DATA_FORMAT',
])
const CODE_PLACES = ['message', 'response', 'error', 'errorCode', 'code'] as const

/** The body as a JSON object; undefined where it is empty, no JSON, JSON of another kind, or nested too deeply to print. */
export function readObject(body: string): AnswerFields | undefined {
  try {
    const value: unknown = JSON.parse(body.startsWith('\uFEFF') ? body.slice(1) : body)
    if (!isObject(value)) return undefined
    // Each level has two brackets.
    return body.length < 2 * DEPTH_MAX || isWithinDepth(value) ? value : undefined
  } catch {
    return undefined
  }
}

function isWithinDepth(value: AnswerFields): boolean {
  let level: unknown[] = [value]
  for (let depth = 0; depth < DEPTH_MAX; depth++) {
    const below: unknown[] = []
    for (const each of level) {
      if (typeof each !== 'object' || each === null) continue
      for (const member of Object.values(each)) below.push(member)
    }
    if (below.length === 0) return true
    level = below
  }
  return false
}

/** True for a JSON object, false for null, arrays and everything else. */
export function isObject(value: unknown): value is AnswerFields {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}

/** The text under a name, null where it is missing, empty or of another kind. */
export function textField(fields: AnswerFields, name: string): string | null {
  const value = fields[name]
  return typeof value === 'string' && value !== '' ? value : null
}

/** The id of the transaction that an answer is about. */
export function transactionIdOf(fields: AnswerFields): string | null {
  const id = textField(fields, 'idTransaction')
  return id === null || id.trim() === '' ? null : id
}

/** The status under either of its two names; `status` counts first. */
export function statusOf(fields: AnswerFields): string | null {
  return textField(fields, 'status') ?? textField(fields, 'statusTransaction')
}

/** Reads the answer to a status query, tolerant of missing and null fields. */
export function readPaymentState(fields: AnswerFields): PaymentState {
  const paidAt = textField(fields, 'paidAt')
  return {
    status: statusOf(fields),
    amountCents: centsFromJson(fields.amount) ?? null,
    paidAtMs: (paidAt === null ? undefined : parseInstant(paidAt)) ?? null,
  }
}

/** An error code of the shape `NO_FUNDS`, wherever in the answer it stands; null where there is none. */
function errorCodeOf(fields: AnswerFields): string | null {
  for (const place of CODE_PLACES) {
    const text = textField(fields, place)?.trim()
    if (text !== undefined && ERROR_CODE.test(text)) return text
  }
  return null
}

/**
 * The error code for which an answer counts as refused although its HTTP status says success: any under `error` or
 * `errorCode`, elsewhere a known one. Unknown capitals (`PIX_SENT`) beside an id may be a success in the peer's own words,
 * and a success taken for a refusal would be paid a second time.
 */
export function refusalCodeOf(fields: AnswerFields): string | null {
  const code = errorCodeOf(fields)
  if (code === null || KNOWN_CODES.has(code) || transactionIdOf(fields) === null) return code
  return errorCodeOf({ error: fields.error, errorCode: fields.errorCode })
}

/** What an answer complains of, from the specification's error body or what peers send instead. */
export function readComplaint(fields: AnswerFields | undefined): Complaint {
  if (fields === undefined) return { code: null, description: null }
  const code = errorCodeOf(fields)
  const words = [textField(fields, 'details'), textField(fields, 'errorMessage'), textField(fields, 'message')]
  return { code, description: words.find((word) => word !== null && word !== code) ?? null }
}
