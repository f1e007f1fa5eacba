import { AMOUNT_CENTS_MAX } from '../pix/amount.ts'
import { endOfSaoPauloDayMs, formatInstant, parseInstant, saoPauloDay } from '../pix/calendar.ts'
import { Malformed, valueOrError } from '../pix/expectedError.ts'
import { assertPixKey, type KeyType } from '../pix/pixKey.ts'
import {
  cents,
  centsOf,
  type Fault,
  type FaultKind,
  line,
  object,
  type Reader,
  type Report,
  reader,
  readJson,
  taxDocument,
  url,
  where,
} from '../schemas/jsonReader.ts'
import { either, type JsonSchema, REAIS, TEXT } from '../schemas/jsonSchema.ts'
import { REFUND_BODY, TRANSFER_BODY } from '../schemas/moneyBodies.ts'
import { english } from '../text/translate.ts'
import { isObject } from '../wire/answers.ts'
import { faultOfPaymentCode } from './brCodes.ts'
import type { ErrorCode } from './faultKinds.ts'
import { SandboxError } from './sandboxError.ts'
import { isTransactionId, type Payment } from './transactions.ts'

const TEXT_PROBLEM = english`must be a string that is not blank and holds no control characters`

/** What is wrong with a member, in words that follow its name. */
const PROBLEMS: Readonly<Record<FaultKind, (detail: string) => string>> = {
  missing: () => english`is required`,
  unknown: () => english`is unknown`,
  object: () => english`must be an object`,
  list: () => english`must be a list`,
  text: () => TEXT_PROBLEM,
  'control-character': () => TEXT_PROBLEM,
  boolean: () => english`must be true or false`,
  'whole-number': (range) => english`must be a whole number from ${range}`,
  choice: (words) => english`must be one of ${words}`,
  amount: () => english`must be a JSON number of reais above 0, up to 9999999999.99, with at most two decimals`,
  url: () => english`must be an http or https URL`,
  'tax-document': () => english`must be a CPF or CNPJ`,
  told: (problem) => problem,
}

function problemText({ kind, path, value, detail }: Fault): string {
  return english`\`${path.join('.')}\` ${value === null ? english`must not be null` : PROBLEMS[kind](detail)}`
}

/** Reads all that a body must hold. Throws SandboxError 400 with this code and everything that is wrong. */
export function readBody<Value>(body: Reader<Value>, values: object, code: ErrorCode): Value {
  const { value, faults } = readJson(body, values)
  if (value === undefined) throw new SandboxError(400, code, faults.map(problemText).join('; '))
  return value
}

/** The JSON object in these bytes. Throws SandboxError 400 with `code` for anything else, also for text that is not UTF-8. */
export function readJsonObject(bytes: Uint8Array, code: ErrorCode): Readonly<Record<string, unknown>> {
  let value: unknown
  try {
    value = JSON.parse(new TextDecoder('utf-8', { fatal: true }).decode(bytes))
  } catch {
    throw new SandboxError(400, code, english`The body is not JSON`)
  }
  if (!isObject(value)) throw new SandboxError(400, code, english`The body is not a JSON object`)
  return value
}

/** A cash-in request that keeps the rules. */
export type CashIn = ReturnType<typeof readCashIn>

/** A refund request that keeps the rules of form; without an amount all that is left is meant. */
export type RefundRequest = ReturnType<typeof readRefund>

/** A cash-out request that keeps the rules of form. */
export type CashOut = ReturnType<typeof readCashOut>

const email = where(
  { ...line, schema: { type: 'string', format: 'email' } },
  (text) => /^[^\s@]+@[^\s@]+\.[^\s@]+$/.test(text),
  'told',
  english`must be an e-mail address`,
)

/** An amount in reais that may be 0, read as cents. */
const centsOrZero = reader(
  { ...REAIS, minimum: 0, maximum: AMOUNT_CENTS_MAX / 100 },
  centsOf,
  'told',
  english`must be a JSON number of reais from 0 to 9999999999.99 with at most two decimals`,
)

/** A percentage above 0, read as hundredths of a percent, of which it is a whole number like an amount of cents. */
const percentage = reader(
  { type: 'number', exclusiveMinimum: 0, maximum: 100 },
  (value) => {
    const hundredths = centsOf(value) || undefined
    return hundredths === undefined || hundredths > 10_000 ? undefined : hundredths
  },
  'told',
  english`must be a JSON number above 0, up to 100, with at most two decimals`,
)

/** The body of a cash-in request at this time; without a list of partners, each one exists. */
function cashInBody(nowMs: number, partners?: readonly string[]) {
  const partner = where(
    line,
    (username) => partners === undefined || partners.includes(username),
    'told',
    english`must be a partner that exists and is active`,
  )
  return object(
    { requestNumber: line, dueDate: dueDateAfter(nowMs), amount: cents, callbackUrl: url },
    {
      shippingAmount: centsOrZero,
      usernameCheckout: line,
      client: object({}, { name: line, taxId: taxDocument, email }),
      split: object({ username: partner, percentageSplit: percentage }),
    },
  )
}

const REFUND = object(...REFUND_BODY)
const CASH_OUT = object(...TRANSFER_BODY, judgeKey)

/** A refund request that has this name of the original's id, and may have the other. */
function refundSchema(name: string): JsonSchema {
  return { ...REFUND.schema, required: [name, 'refundReason', 'callbackUrl'] }
}

/** The schemas of the bodies, by the names that the OpenAPI document gives them. */
export const ENDPOINT_REQUESTS = {
  QrCodeRequest: cashInBody(0).schema,
  RefundRequest: either(refundSchema('originalTransactionId'), refundSchema('idTransaction')),
  TransferRequest: CASH_OUT.schema,
}

/** Reads a cash-in request; throws SandboxError 400 `INVALID_AMOUNT`, which the service uses for all its fields. */
export function readCashIn(bytes: Uint8Array, nowMs: number, partners: readonly string[] | undefined) {
  const values = readJsonObject(bytes, 'INVALID_AMOUNT')
  const { amount, split, ...body } = readBody(cashInBody(nowMs, partners), values, 'INVALID_AMOUNT')
  return {
    requestNumber: body.requestNumber,
    amountCents: amount,
    shippingAmountCents: body.shippingAmount ?? null,
    usernameCheckout: body.usernameCheckout ?? null,
    callbackUrl: body.callbackUrl,
    client: body.client ?? null,
    split: split === undefined ? null : shareOf(amount, split.username, split.percentageSplit),
    expiresAtMs: body.dueDate,
  }
}

/** Reads a refund request; the original's id may have either of its two names. Throws SandboxError 400. */
export function readRefund(bytes: Uint8Array) {
  const values = readJsonObject(bytes, 'WRONG_DATA_FORMAT')
  const originalTransactionId = originalIdIn(values)
  const body = readBody(REFUND, values, 'WRONG_DATA_FORMAT')
  const { refundReason, callbackUrl, amount: amountCents } = body
  return { originalTransactionId, refundReason, callbackUrl, amountCents }
}

/** Reads a cash-out request. Throws SandboxError 400 `WRONG_DATA_FORMAT`. */
export function readCashOut(bytes: Uint8Array) {
  const values = readJsonObject(bytes, 'WRONG_DATA_FORMAT')
  const {
    value: valueCents,
    externalId = null,
    documentValidation = null,
    ...body
  } = readBody(CASH_OUT, values, 'WRONG_DATA_FORMAT')
  return { ...body, valueCents, externalId, documentValidation }
}

/** When the code expires, read in ms: the instant that was given, or the end of the day in São Paulo. */
function dueDateAfter(nowMs: number): Reader<number> {
  const problem = english`must be a date like 2026-11-21, or an RFC 3339 date-time`
  const date = where(line, (text) => isCalendarDay(text) || parseInstant(text) !== undefined, 'told', problem)
  return {
    schema: { ...TEXT, description: 'A date (YYYY-MM-DD) or an ISO 8601 date-time' },
    read(value, report) {
      const given = date.read(value, report)
      if (given === undefined) return undefined
      const instantMs = parseInstant(given)
      const isPast = instantMs === undefined ? given < saoPauloDay(nowMs) : instantMs <= nowMs
      if (!isPast) return instantMs ?? endOfSaoPauloDayMs(given)
      const detail = english`is in the past: the sandbox's clock is at ${formatInstant(nowMs)}`
      return report({ kind: 'told', path: [], value, detail })
    },
  }
}

function isCalendarDay(text: string): boolean {
  return /^\d{4}-\d{2}-\d{2}$/.test(text) && parseInstant(`${text}T12:00:00Z`) !== undefined
}

function shareOf(amountCents: number, username: string, hundredths: number): Payment['split'] {
  // Big integers, because the product leaves the range in which a number is exact. Fractions of a cent stay here.
  const shareCents = Number((BigInt(amountCents) * BigInt(hundredths)) / 10_000n)
  return { username, percentageSplit: hundredths / 100, shareCents }
}

function originalIdIn({ originalTransactionId, idTransaction }: Readonly<Record<string, unknown>>): string {
  const id = originalTransactionId === undefined ? idTransaction : originalTransactionId
  if (id === undefined) throw invalidId(english`\`originalTransactionId\` is required`)
  if (typeof id !== 'string' || !isTransactionId(id)) {
    throw invalidId(english`\`originalTransactionId\` must be the UUID of a transaction`)
  }
  if (idTransaction !== undefined && idTransaction !== id) {
    throw invalidId(english`\`originalTransactionId\` and \`idTransaction\` name different transactions`)
  }
  return id.toLowerCase()
}

function judgeKey(
  { key, typeKey, value = 0 }: { key?: string; typeKey?: KeyType; value?: number },
  report: Report,
): void {
  if (key === undefined || typeKey === undefined) return
  const fault = typeKey === 'paymentCode' ? faultOfPaymentCode(key, value) : faultOfKey(key, typeKey)
  if (fault !== undefined) report({ kind: 'told', path: [fault.field], value: key, detail: fault.problem })
}

function faultOfKey(key: string, typeKey: KeyType): ReturnType<typeof faultOfPaymentCode> {
  const fault = valueOrError(Malformed, () => assertPixKey(key, typeKey))
  if (!(fault instanceof Malformed)) return undefined
  return { field: 'key', problem: english`is not a valid ${typeKey}: ${fault.message}` }
}

function invalidId(details: string): SandboxError {
  return new SandboxError(400, 'INVALID_TRANSACTION_ID', details)
}
