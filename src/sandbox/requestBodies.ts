import { centsFromJson } from '../pix/amount.ts'
import { endOfSaoPauloDayMs, parseInstant, saoPauloDay } from '../pix/calendar.ts'
import { Malformed } from '../pix/malformed.ts'
import { assertPixKey, KEY_TYPES, type KeyType } from '../pix/pixKey.ts'
import { isTaxDocument } from '../pix/taxDocument.ts'
import { either, enumOf, type JsonSchema, TEXT, UUID } from '../schemas/jsonSchema.ts'
import { english } from '../text/translate.ts'
import { faultOfPaymentCode } from './brCodes.ts'
import { HttpError } from './httpError.ts'
import { unformattedTaxId } from './keyDirectory.ts'
import type { Payment } from './payment.ts'
import {
  about,
  cents,
  centsOrZero,
  type Field,
  object,
  type Problems,
  readBody,
  readJsonObject,
  text,
  textThat,
  url,
} from './requestFields.ts'
import { isTransactionId } from './transactionIds.ts'

/** A cash-in request that keeps the rules. */
export type CashIn = ReturnType<typeof readCashIn>

/** A refund request that keeps the rules of form; without an amount all that is left is meant. */
export type RefundRequest = ReturnType<typeof readRefund>

/** A cash-out request that keeps the rules of form. */
export type CashOut = ReturnType<typeof readCashOut>

const taxDocument = textThat((text) => isTaxDocument(unformattedTaxId(text)), english`must be a CPF or CNPJ`)

const email = textThat((text) => /^[^\s@]+@[^\s@]+\.[^\s@]+$/.test(text), english`must be an e-mail address`, {
  type: 'string',
  format: 'email',
})

/** A percentage above 0, read as hundredths of a percent, of which it is a whole number like an amount of cents. */
const percentage: Field<number> = {
  schema: { type: 'number', exclusiveMinimum: 0, maximum: 100 },
  read: (value, problems) => {
    const hundredths = typeof value === 'number' ? centsFromJson(value) : undefined
    if (hundredths !== undefined && hundredths > 0 && hundredths <= 10_000) return hundredths
    return problems.add(english`must be a JSON number above 0, up to 100, with at most two decimals`)
  },
}

const keyType: Field<KeyType> = {
  schema: enumOf(...KEY_TYPES),
  read: (value, problems) =>
    KEY_TYPES.find((name) => name === value) ?? problems.add(english`must be one of ${KEY_TYPES.join(', ')}`),
}

/** The body of a cash-in request at this time; without a list of partners, each one exists. */
function cashInBody(nowMs: number, partners?: readonly string[]) {
  const partner = textThat(
    (username) => partners === undefined || partners.includes(username),
    english`must be a partner that exists and is active`,
  )
  return object(
    { requestNumber: text, dueDate: dueDateAfter(nowMs), amount: cents, callbackUrl: url },
    {
      shippingAmount: centsOrZero,
      usernameCheckout: text,
      client: object({}, { name: text, taxId: taxDocument, email }),
      split: object({ username: partner, percentageSplit: percentage }),
    },
  )
}

const uuid = { ...text, schema: UUID }
const REFUND_BODY = object(
  { refundReason: text, callbackUrl: url },
  {
    originalTransactionId: about('The payment to refund; it may be named `idTransaction`', uuid),
    idTransaction: uuid,
    amount: about('Omit it to refund all that is left', cents),
  },
)

const CASH_OUT_BODY = object(
  { value: cents, key: text, typeKey: keyType, callbackUrl: url },
  { externalId: text, documentValidation: about('The CPF or CNPJ that must own the key', taxDocument) },
  checkKey,
)

/** A refund request that has this name of the original's id, and may have the other. */
function refundSchema(name: string): JsonSchema {
  return { ...REFUND_BODY.schema, required: [name, 'refundReason', 'callbackUrl'] }
}

/** The schemas of the bodies, by the names that the OpenAPI document gives them. */
export const ENDPOINT_REQUESTS = {
  QrCodeRequest: cashInBody(0).schema,
  RefundRequest: either(refundSchema('originalTransactionId'), refundSchema('idTransaction')),
  TransferRequest: CASH_OUT_BODY.schema,
}

/** Reads a cash-in request; throws HttpError 400 `INVALID_AMOUNT`, which the service uses for all its fields. */
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

/** Reads a refund request; the original's id may have either of its two names. Throws HttpError 400. */
export function readRefund(bytes: Uint8Array) {
  const values = readJsonObject(bytes, 'WRONG_DATA_FORMAT')
  const originalTransactionId = originalIdIn(values)
  const body = readBody(REFUND_BODY, values, 'WRONG_DATA_FORMAT')
  const { refundReason, callbackUrl, amount: amountCents } = body
  return { originalTransactionId, refundReason, callbackUrl, amountCents }
}

/** Reads a cash-out request. Throws HttpError 400 `WRONG_DATA_FORMAT`. */
export function readCashOut(bytes: Uint8Array) {
  const values = readJsonObject(bytes, 'WRONG_DATA_FORMAT')
  const { value: valueCents, ...body } = readBody(CASH_OUT_BODY, values, 'WRONG_DATA_FORMAT')
  const { key, typeKey, callbackUrl, externalId = null, documentValidation = null } = body
  return { valueCents, key, typeKey, callbackUrl, externalId, documentValidation }
}

/** When the code expires, read in ms: the instant that was given, or the end of the day in São Paulo. */
function dueDateAfter(nowMs: number): Field<number> {
  return {
    schema: { ...TEXT, description: 'A date (YYYY-MM-DD) or an ISO 8601 date-time' },
    read: (value, problems) => {
      const given = text.read(value, problems)
      if (given === undefined) return undefined
      const instantMs = parseInstant(given)
      if (instantMs === undefined && !isCalendarDay(given)) {
        return problems.add(english`must be a date like 2026-11-21, or an RFC 3339 date-time`)
      }
      const isPast = instantMs === undefined ? given < saoPauloDay(nowMs) : instantMs <= nowMs
      return isPast ? problems.add(english`is in the past`) : (instantMs ?? endOfSaoPauloDayMs(given))
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

function checkKey(
  { key, typeKey, value = 0 }: { key?: string; typeKey?: KeyType; value?: number },
  problems: Problems,
): void {
  if (key === undefined || typeKey === undefined) return
  if (typeKey === 'paymentCode') {
    const fault = faultOfPaymentCode(key, value)
    if (fault !== undefined) problems.of(fault.field).add(fault.problem)
    return
  }
  try {
    assertPixKey(key, typeKey)
  } catch (error) {
    if (!(error instanceof Malformed)) throw error
    problems.of('key').add(english`is not a valid ${typeKey}: ${error.message}`)
  }
}

function invalidId(details: string): HttpError {
  return new HttpError(400, 'INVALID_TRANSACTION_ID', details)
}
