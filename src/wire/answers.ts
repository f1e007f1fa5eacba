import { centsFromJson } from '../pix/amount.ts'
import { parseInstant } from '../pix/calendar.ts'
import { isSettlementCode, isSpecifiedCode } from './errorCodes.ts'
import { noteLiterals } from './jsonTree.ts'

/** The JSON object of an answer, unchanged, including unknown fields. */
export type AnswerFields = Record<string, unknown>

/** The result of a status query. `status` is unchanged, in any case; null if the answer has none. */
export interface PaymentStatus {
  status: string | null
  amountCents: number | null
  paidAtMs: number | null
}

/** The error in an answer: the gateway's own code and text, null if it sent none. */
export interface AnswerError {
  code: string | null
  description: string | null
}

/** The statuses of a payment, as a query and events report them, and whether they end a wait for it. */
const ENDS_WAIT = { PENDING: false, PAID: true, EXPIRED: true, CANCELLED: true, REFUNDED: true }

export const PAYMENT_STATUSES = keysOf(ENDS_WAIT)
export const FINAL_PAYMENT_STATUSES: readonly string[] = PAYMENT_STATUSES.filter((status) => ENDS_WAIT[status])

const DEPTH_MAX = 100
const CODE_FORM = /^[A-Z][A-Z0-9]*(?:_[A-Z0-9]+)+$/
const CODE_PLACES = ['message', 'response', 'error', 'errorCode', 'code'] as const

/** Parses a body as a JSON object whose numbers are printed as they came; undefined if it is not one or is nested too deeply to print. */
export function readObject(body: string): AnswerFields | undefined {
  try {
    const text = body.startsWith('\uFEFF') ? body.slice(1) : body
    const value: unknown = JSON.parse(text)
    if (!isObject(value)) return undefined
    // Each level takes at least two brackets, so a short body cannot be too deep.
    if (body.length >= 2 * DEPTH_MAX && !isWithinDepth(value)) return undefined
    noteLiterals(value, text)
    return value
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

/** The objects in a list of JSON; none for anything else. */
export function objectsIn(list: unknown): AnswerFields[] {
  return Array.isArray(list) ? list.filter(isObject) : []
}

/** The keys of a table, in its order. */
export function keysOf<Key extends string>(table: Readonly<Record<Key, unknown>>): Key[] {
  return Object.keys(table).filter((key): key is Key => key in table)
}

/** True for a JSON object, false for null, arrays and everything else. */
export function isObject(value: unknown): value is AnswerFields {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}

/** A text field; null if it is missing, empty or not a string. */
export function textField(fields: AnswerFields, name: string): string | null {
  const value = fields[name]
  return typeof value === 'string' && value !== '' ? value : null
}

/** The id of the transaction in an answer; null if it is missing or blank. */
export function transactionIdOf(fields: AnswerFields): string | null {
  const id = textField(fields, 'idTransaction')
  return id === null || id.trim() === '' ? null : id
}

/** The status, under the name `status` or, if missing, `statusTransaction`. */
export function statusOf(fields: AnswerFields): string | null {
  return textField(fields, 'status') ?? textField(fields, 'statusTransaction')
}

/** Parses the answer to a status query. Missing and null fields are allowed. */
export function readPaymentStatus(fields: AnswerFields): PaymentStatus {
  const paidAt = textField(fields, 'paidAt')
  return {
    status: statusOf(fields),
    amountCents: centsFromJson(fields.amount) ?? null,
    paidAtMs: (paidAt === null ? undefined : parseInstant(paidAt)) ?? null,
  }
}

/** The first text in a field that may hold a code, for which the test is true; null if there is none. */
function codeIn(fields: AnswerFields, isCode: (text: string) => boolean): string | null {
  const texts = CODE_PLACES.map((place) => textField(fields, place))
  return texts.find((text) => text !== null && isCode(text)) ?? null
}

/**
 * The error code that makes an answer with a success status a refusal: one of the specification. Any other word may report a
 * success (`PIX_SENT`), and treating a success as refused could lead to a second payment.
 */
export function refusedCodeOf(fields: AnswerFields): string | null {
  return codeIn(fields, isSpecifiedCode)
}

/** What an answer says beside its status, as it came; undefined if nothing, or `OK`. */
export function wordsOf(fields: AnswerFields): string | undefined {
  const texts = [...CODE_PLACES, 'errorMessage', 'details'].map((place) => textField(fields, place))
  const words = new Set(texts.filter((text) => text !== null && text !== 'OK'))
  return words.size === 0 ? undefined : [...words].join(', ')
}

/**
 * Reads the error from an answer, in the specified error body or in the variants that occur in practice. A code says why a request failed, but not
 * that it did.
 */
export function readAnswerError(fields: AnswerFields | undefined): AnswerError {
  if (fields === undefined) return { code: null, description: null }
  const code =
    refusedCodeOf(fields) ?? codeIn(fields, (text) => CODE_FORM.test(text)) ?? codeIn(fields, isSettlementCode)
  const words = [textField(fields, 'details'), textField(fields, 'errorMessage'), textField(fields, 'message')]
  return { code, description: words.find((word) => word !== null && word !== code) ?? null }
}
