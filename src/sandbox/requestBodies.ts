import { AMOUNT_CENTS_MAX, centsFromJson } from '../pix/amount.ts'
import { endOfSaoPauloDayMs, parseInstant, saoPauloDay } from '../pix/calendar.ts'
import { Malformed } from '../pix/malformed.ts'
import { assertPixKey, KEY_TYPES, type KeyType } from '../pix/pixKey.ts'
import { isTaxDocument } from '../pix/taxDocument.ts'
import {
  ADDRESS,
  BOOLEAN,
  describe,
  either,
  enumOf,
  type JsonSchema,
  objectOf,
  REAIS,
  TEXT,
  UUID,
} from '../schemas/jsonSchema.ts'
import { hasControlCharacter } from '../text/safeText.ts'
import { english } from '../text/translate.ts'
import { isObject } from '../wire/answers.ts'
import { faultOfPaymentCode } from './brCodes.ts'
import type { ErrorCode } from './faultKinds.ts'
import { HttpError } from './httpError.ts'
import { unformattedTaxId } from './keyDirectory.ts'
import { isTransactionId, type Payment } from './transactions.ts'

/** What is wrong with a request, so that an answer can name all faulty fields at once. */
class Problems {
  readonly all: string[]
  readonly #path: string

  constructor(path = '', all: string[] = []) {
    this.#path = path
    this.all = all
  }

  /** Adds what is wrong with the field that these are about, in words that follow its name. */
  add(problem: string): undefined {
    this.all.push(english`\`${this.#path}\` ${problem}`)
  }

  /** Those of a member of this object. */
  of(name: string): Problems {
    return new Problems(this.#path === '' ? name : `${this.#path}.${name}`, this.all)
  }
}

/** A field of a request: what its documentation says, and how it is read. */
export interface Field<Value> {
  readonly schema: JsonSchema
  /** Reads a value that is present and not null. Returns undefined if it adds a problem. */
  readonly read: (value: unknown, problems: Problems) => Value | undefined
}

/** A field whose value is an object, with the fields of its members. */
export interface ObjectField<Value> extends Field<Value> {
  readonly members: Fields
}

/** Fields by their names. */
export type Fields = Readonly<Record<string, Field<unknown>>>

type ReadBy<Each> = Each extends Field<infer Value> ? Value : never

/** The values of an object with these fields. */
export type Members<Required extends Fields, Optional extends Fields> = {
  [Name in keyof Required]: ReadBy<Required[Name]>
} & { [Name in keyof Optional]?: ReadBy<Optional[Name]> }

export const text: Field<string> = {
  schema: TEXT,
  read: (value, problems) =>
    typeof value === 'string' && value.trim() !== '' && !hasControlCharacter(value)
      ? value
      : problems.add(english`must be a string that is not blank and holds no control characters`),
}

export const flag: Field<boolean> = {
  schema: BOOLEAN,
  read: (value, problems) => (typeof value === 'boolean' ? value : problems.add(english`must be true or false`)),
}

const url = textThat(isAbsoluteHttpUrl, english`must be an http or https URL`, ADDRESS)

/** An amount in reais above 0, read as cents. A string is not an amount. */
const cents: Field<number> = {
  schema: { ...REAIS, exclusiveMinimum: 0, maximum: AMOUNT_CENTS_MAX / 100 },
  read: (value, problems) =>
    centsOf(value) ||
    problems.add(english`must be a JSON number of reais above 0, up to 9999999999.99, with at most two decimals`),
}

/** An amount in reais that may be 0, read as cents. */
const centsOrZero: Field<number> = {
  schema: { ...REAIS, minimum: 0, maximum: AMOUNT_CENTS_MAX / 100 },
  read: (value, problems) =>
    centsOf(value) ??
    problems.add(english`must be a JSON number of reais from 0 to 9999999999.99 with at most two decimals`),
}

export function wholeNumber(least: number, most: number): Field<number> {
  return {
    schema: { type: 'integer', minimum: least, maximum: most },
    read: (value, problems) =>
      typeof value === 'number' && Number.isInteger(value) && value >= least && value <= most
        ? value
        : problems.add(english`must be a whole number from ${least} to ${most}`),
  }
}

/** A text that `isRight` accepts; `problem` follows the name of the field if not. */
export function textThat(isRight: (text: string) => boolean, problem: string, schema = TEXT): Field<string> {
  const read: Field<string>['read'] = (value, problems) => {
    const given = text.read(value, problems)
    return given === undefined || isRight(given) ? given : problems.add(problem)
  }
  return { schema, read }
}

/** The same field with a description for people. */
export function about<Value>(description: string, field: Field<Value>): Field<Value> {
  return { ...field, schema: describe(description, field.schema) }
}

/**
 * An object with these fields. Members without a field are ignored. `judge` compares fields
 * together and gets those that could be read.
 */
export function object<Required extends Fields, Optional extends Fields = Record<never, never>>(
  required: Required,
  optional?: Optional,
  judge?: (values: Partial<Members<Required, Optional>>, problems: Problems) => void,
): ObjectField<Members<Required, Optional>> {
  type Values = Members<Required, Optional>
  const members: Fields = { ...required, ...optional }
  return {
    schema: objectOf(schemasOf(required), schemasOf(optional)),
    members,
    read(value, problems) {
      if (!isObject(value)) return problems.add(english`must be an object`)
      const before = problems.all.length
      const values: Record<string, unknown> = {}
      for (const [name, field] of Object.entries(members)) {
        const given = Object.hasOwn(value, name) ? value[name] : undefined
        if (given === null) problems.of(name).add(english`must not be null`)
        else if (given !== undefined) values[name] = field.read(given, problems.of(name))
        else if (Object.hasOwn(required, name)) problems.of(name).add(english`is required`)
      }
      // Each value was read by its own field, so that it has the type of that field.
      const read = values as Values
      judge?.(read, problems)
      return problems.all.length === before ? read : undefined
    },
  }
}

function schemasOf(fields: Fields = {}): Record<string, JsonSchema> {
  return Object.fromEntries(Object.entries(fields).map(([name, { schema }]) => [name, schema]))
}

/** Reads all that a body must hold. Throws HttpError 400 with this code and everything that is wrong. */
export function readBody<Value>(body: Field<Value>, values: object, code: ErrorCode): Value {
  const problems = new Problems()
  const read = body.read(values, problems)
  if (read === undefined) throw new HttpError(400, code, problems.all.join('; '))
  return read
}

/** The JSON object in these bytes. Throws HttpError 400 with `code` for anything else, also for text that is not UTF-8. */
export function readJsonObject(bytes: Uint8Array, code: ErrorCode): Readonly<Record<string, unknown>> {
  let value: unknown
  try {
    value = JSON.parse(new TextDecoder('utf-8', { fatal: true }).decode(bytes))
  } catch {
    throw new HttpError(400, code, english`The body is not JSON`)
  }
  if (!isObject(value)) throw new HttpError(400, code, english`The body is not a JSON object`)
  return value
}

/** True for an absolute http or https URL. */
export function isAbsoluteHttpUrl(text: string): boolean {
  if (!/^https?:\/\//i.test(text) || /\s/.test(text)) return false
  return URL.canParse(text)
}

/** An amount in reais as cents, up to the greatest one; undefined for anything else. */
function centsOf(value: unknown): number | undefined {
  const amountCents = typeof value === 'number' ? centsFromJson(value) : undefined
  return amountCents === undefined || amountCents > AMOUNT_CENTS_MAX ? undefined : amountCents
}

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
  judgeKey,
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

function judgeKey(
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
