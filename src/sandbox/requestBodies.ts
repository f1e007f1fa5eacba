import { centsFromJson } from '../pix/amount.ts'
import { endOfSaoPauloDayMs, parseInstant, saoPauloDay } from '../pix/calendar.ts'
import { Malformed } from '../pix/malformed.ts'
import { assertPixKey, KEY_TYPES, type KeyType } from '../pix/pixKey.ts'
import { isTaxDocument } from '../pix/taxDocument.ts'
import { t } from '../text/translate.ts'
import { faultOfPaymentCode } from './brCodes.ts'
import { HttpError } from './httpError.ts'
import { unformattedTaxId } from './keyDirectory.ts'
import type { Payment } from './payment.ts'
import { Fields, isTransactionId, readJsonObject } from './requestFields.ts'

/** A cash-in request that keeps the rules. */
export interface CashIn {
  requestNumber: string
  amountCents: number
  shippingAmountCents: number | null
  usernameCheckout: string | null
  callbackUrl: string
  client: Payment['client']
  split: Payment['split']
  expiresAtMs: number
}

/** A refund request that keeps the rules of form; without an amount all that is left is meant. */
export interface RefundRequest {
  originalTransactionId: string
  refundReason: string
  callbackUrl: string
  amountCents: number | undefined
}

/** A cash-out request that keeps the rules of form. */
export interface CashOut {
  valueCents: number
  key: string
  typeKey: KeyType
  callbackUrl: string
  externalId: string | null
  documentValidation: string | null
}

/** Reads a cash-in request; throws HttpError 400 `INVALID_AMOUNT`, which the service uses for all its fields. */
export function readCashIn(bytes: Uint8Array, nowMs: number, partners: readonly string[] | undefined): CashIn {
  const fields = new Fields(readJsonObject(bytes, 'INVALID_AMOUNT'))
  const amountCents = fields.cents('amount')
  const request: CashIn = {
    requestNumber: fields.text('requestNumber'),
    expiresAtMs: readDueDate(fields, nowMs),
    amountCents,
    shippingAmountCents: fields.optionalCents('shippingAmount', { zeroAllowed: true }) ?? null,
    usernameCheckout: fields.optionalText('usernameCheckout') ?? null,
    callbackUrl: fields.url('callbackUrl'),
    client: readClient(fields),
    split: readSplit(fields, amountCents, partners),
  }
  fields.assertNoFaults('INVALID_AMOUNT')
  return request
}

/** Reads a refund request; the original's id may have either of its two names. Throws HttpError 400. */
export function readRefund(bytes: Uint8Array): RefundRequest {
  const fields = new Fields(readJsonObject(bytes, 'WRONG_DATA_FORMAT'))
  const originalTransactionId = readOriginalId(fields)
  const request: RefundRequest = {
    originalTransactionId,
    refundReason: fields.text('refundReason'),
    callbackUrl: fields.url('callbackUrl'),
    amountCents: fields.optionalCents('amount'),
  }
  fields.assertNoFaults('WRONG_DATA_FORMAT')
  return request
}

/** Reads a cash-out request. Throws HttpError 400 `WRONG_DATA_FORMAT`. */
export function readCashOut(bytes: Uint8Array): CashOut {
  const fields = new Fields(readJsonObject(bytes, 'WRONG_DATA_FORMAT'))
  const valueCents = fields.cents('value')
  const typeKey = readKeyType(fields)
  const key = fields.text('key')
  const callbackUrl = fields.url('callbackUrl')
  const externalId = fields.optionalText('externalId') ?? null
  const documentValidation = readDocument(fields, 'documentValidation') ?? null
  if (key !== '' && typeKey !== undefined) checkKeyOfType(fields, key, typeKey, valueCents)
  fields.assertNoFaults('WRONG_DATA_FORMAT')
  return { valueCents, key, typeKey: typeKey ?? 'randomKey', callbackUrl, externalId, documentValidation }
}

/** When the code expires: the instant that was given, or the end of the day in São Paulo. */
function readDueDate(fields: Fields, nowMs: number): number {
  const text = fields.text('dueDate')
  if (text === '') return 0
  const instantMs = parseInstant(text)
  if (instantMs !== undefined) {
    if (instantMs <= nowMs) fields.fault('dueDate', t`is in the past`)
    return instantMs
  }
  if (!isCalendarDay(text)) {
    fields.fault('dueDate', t`must be a date like 2026-11-21, or an RFC 3339 date-time`)
    return 0
  }
  if (text < saoPauloDay(nowMs)) fields.fault('dueDate', t`is in the past`)
  return endOfSaoPauloDayMs(text)
}

function isCalendarDay(text: string): boolean {
  return /^\d{4}-\d{2}-\d{2}$/.test(text) && parseInstant(`${text}T12:00:00Z`) !== undefined
}

function readClient(fields: Fields): Payment['client'] {
  const client = fields.group('client')
  if (client === undefined) return null
  const email = client.optionalText('email')
  if (email !== undefined && !/^[^\s@]+@[^\s@]+\.[^\s@]+$/.test(email))
    client.fault('email', t`must be an e-mail address`)
  return { name: client.optionalText('name'), taxId: readDocument(client, 'taxId'), email }
}

function readSplit(fields: Fields, amountCents: number, partners: readonly string[] | undefined): Payment['split'] {
  const split = fields.group('split')
  if (split === undefined) return null
  const username = split.text('username')
  if (username !== '' && partners !== undefined && !partners.includes(username)) {
    split.fault('username', t`must be a partner that exists and is active`)
  }
  const percentageSplit = split.value('percentageSplit')
  // A percentage with two decimals is a whole number of hundredths, like an amount.
  const hundredths = typeof percentageSplit === 'number' ? centsFromJson(percentageSplit) : undefined
  if (hundredths === undefined || hundredths === 0 || hundredths > 10_000) {
    split.fault('percentageSplit', t`must be a JSON number above 0, up to 100, with at most two decimals`)
    return null
  }
  // Big integers, because the product leaves the range in which a number is exact. Fractions of a cent stay here.
  const shareCents = Number((BigInt(amountCents) * BigInt(hundredths)) / 10_000n)
  return { username, percentageSplit: hundredths / 100, shareCents }
}

function readDocument(fields: Fields, name: string): string | undefined {
  const text = fields.optionalText(name)
  if (text !== undefined && !isTaxDocument(unformattedTaxId(text))) fields.fault(name, t`must be a CPF or CNPJ`)
  return text
}

function readOriginalId(fields: Fields): string {
  const original = fields.value('originalTransactionId')
  const alias = fields.value('idTransaction')
  const id = original ?? alias
  if (id === undefined) throw invalidId(t`\`originalTransactionId\` is required`)
  if (typeof id !== 'string' || !isTransactionId(id)) {
    throw invalidId(t`\`originalTransactionId\` must be the UUID of a transaction`)
  }
  if (alias !== undefined && alias !== id) {
    throw invalidId(t`\`originalTransactionId\` and \`idTransaction\` name different transactions`)
  }
  return id.toLowerCase()
}

function readKeyType(fields: Fields): KeyType | undefined {
  const text = fields.text('typeKey')
  const typeKey = KEY_TYPES.find((name) => name === text)
  if (text !== '' && typeKey === undefined) fields.fault('typeKey', t`must be one of ${KEY_TYPES.join(', ')}`)
  return typeKey
}

function checkKeyOfType(fields: Fields, key: string, typeKey: KeyType, valueCents: number): void {
  if (typeKey === 'paymentCode') {
    const fault = faultOfPaymentCode(key, valueCents)
    if (fault !== undefined) fields.fault(fault.field, fault.problem)
    return
  }
  try {
    assertPixKey(key, typeKey)
  } catch (error) {
    if (!(error instanceof Malformed)) throw error
    fields.fault('key', t`is not a valid ${typeKey}: ${error.message}`)
  }
}

function invalidId(details: string): HttpError {
  return new HttpError(400, 'INVALID_TRANSACTION_ID', details)
}
