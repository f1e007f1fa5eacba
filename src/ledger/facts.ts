import { AMOUNT_CENTS_MAX, plainAmount, reaisFromCents } from '../pix/amount.ts'
import { canonicalKey, destinationOf } from '../pix/destination.ts'
import { KEY_TYPES } from '../pix/pixKey.ts'
import {
  flag,
  line,
  object,
  oneOf,
  orNull,
  type ReadBy,
  type Reader,
  string,
  wholeNumber,
} from '../schemas/jsonReader.ts'
import { ANYTHING } from '../schemas/jsonSchema.ts'
import type { RefundBody, TransferBody } from '../schemas/moneyBodies.ts'
import { commandArgument, shellWord } from '../text/shellWord.ts'
import { isObject } from '../wire/answers.ts'
import type { EventFacts } from '../wire/eventFacts.ts'
import { REFUND_ID_FIELDS } from '../wire/requestFormat.ts'

const texts = orNull(string)
const cents = wholeNumber(1, AMOUNT_CENTS_MAX)

const QR = object({
  kind: oneOf(['qr']),
  requestNumber: string,
  amountCents: cents,
  /** All that was typed about the payer at creation; for search. */
  payer: texts,
  /** Their name in it, for people. */
  payerName: texts,
})
const TRANSFER = object({
  kind: oneOf(['transfer']),
  /** As it is sent. */
  key: line,
  keyType: oneOf(KEY_TYPES),
  amountCents: cents,
  /** The tax document that must own the key; null if that is not checked. */
  documentValidation: texts,
  callbackUrl: string,
  /** The name of the payee to whom it goes, and the name that people see; null if it was sent to a key. */
  payee: texts,
  payeeDisplayName: texts,
})
const REFUND = object({
  kind: oneOf(['refund']),
  originalTransactionId: line,
  /** Null if all is refunded and the amount of the original is not known. */
  amountCents: orNull(cents),
  /** True if the request names no amount: all of the original. */
  isWhole: flag,
  refundReason: string,
  callbackUrl: string,
  /** Which of the two fields for the original's id the request has. */
  idField: oneOf(REFUND_ID_FIELDS),
})

/** A charge: the QR code that a payer is asked to pay. */
export type QrPayment = ReadBy<typeof QR>
/** A transfer to a PIX key. */
export type TransferPayment = ReadBy<typeof TRANSFER>
/** A refund of a payment that was received. */
export type RefundPayment = ReadBy<typeof REFUND>

/** What a payment that moves money out of the account asks for, as records have it. */
export const MONEY = byKind<MoneyPayment>((kind) => (kind === 'refund' ? REFUND : TRANSFER))
/** What a payment asks for, of whichever kind it is. */
export const FACTS = byKind<PaymentFacts>((kind) => (kind === 'qr' ? QR : MONEY))

function byKind<Value>(readerOf: (kind: unknown) => Reader<Value>): Reader<Value> {
  return {
    schema: ANYTHING,
    read: (value, report) => readerOf(isObject(value) ? value.kind : undefined).read(value, report),
  }
}

export type MoneyPayment = TransferPayment | RefundPayment
export type PaymentFacts = QrPayment | MoneyPayment
export type PaymentKind = PaymentFacts['kind']
/** The kinds that move money out of the account, which are those of batches. */
export const MONEY_KINDS = ['transfer', 'refund'] as const satisfies readonly MoneyPayment['kind'][]
export const PAYMENT_KINDS = ['qr', ...MONEY_KINDS] as const satisfies readonly PaymentKind[]

/** What the ledger does with a fact that is asked of a payment. */
export interface FactRule {
  /** As what it is searched; null if it is not. A key is a word, and a tax document if it is of that type; so is that in a payment code, whose name is one. */
  search: 'name' | 'tax-document' | 'key' | 'word' | null
  /** True if another value makes another payment, see samePayment.ts. */
  distinguishes: boolean
}

/** The rules of all facts, so that a new one cannot be left out of the search or of what makes two payments the same by mistake. */
export const FACT_RULES: {
  readonly [Kind in PaymentKind]: {
    readonly [Fact in Exclude<keyof Extract<PaymentFacts, { kind: Kind }>, 'kind'>]: FactRule
  }
} = {
  qr: {
    requestNumber: { search: 'word', distinguishes: true },
    amountCents: { search: null, distinguishes: true },
    payer: { search: 'name', distinguishes: false },
    // It is part of `payer`.
    payerName: { search: null, distinguishes: false },
  },
  transfer: {
    documentValidation: { search: 'tax-document', distinguishes: true },
    key: { search: 'key', distinguishes: true },
    keyType: { search: null, distinguishes: false },
    amountCents: { search: null, distinguishes: true },
    callbackUrl: { search: null, distinguishes: false },
    payee: { search: 'name', distinguishes: false },
    payeeDisplayName: { search: 'name', distinguishes: false },
  },
  refund: {
    originalTransactionId: { search: 'word', distinguishes: true },
    amountCents: { search: null, distinguishes: true },
    isWhole: { search: null, distinguishes: true },
    refundReason: { search: 'word', distinguishes: false },
    callbackUrl: { search: null, distinguishes: false },
    idField: { search: null, distinguishes: false },
  },
}

/** As what the facts of an event are searched: for its payment, and among events, which are also found by what `isOwn` says of them. */
export const EVENT_FACT_RULES: {
  readonly [Fact in keyof EventFacts]: { search: FactRule['search']; isOwn: boolean }
} = {
  name: { search: 'name', isOwn: false },
  taxId: { search: 'tax-document', isOwn: false },
  idTransaction: { search: 'word', isOwn: false },
  originalTransactionId: { search: 'word', isOwn: false },
  externalId: { search: 'word', isOwn: false },
  errorCode: { search: 'word', isOwn: false },
  errorMessage: { search: 'word', isOwn: false },
  bank: { search: 'word', isOwn: false },
  event: { search: 'word', isOwn: true },
  status: { search: 'word', isOwn: true },
  subject: { search: null, isOwn: false },
  amountCents: { search: null, isOwn: false },
  happenedAt: { search: null, isOwn: false },
}

/** A CPF or CNPJ, which requests have without punctuation, among the words about a payer. */
const TAX_DOCUMENT = /^(?:\d{11}|[\dA-Z]{12}\d{2})$/i

/** The facts of a payment by their names, without its kind. */
export function factEntries(facts: PaymentFacts): [fact: string, value: unknown, rule: FactRule][] {
  const rules: Readonly<Record<string, FactRule>> = FACT_RULES[facts.kind]
  const values: Readonly<Record<string, unknown>> = facts
  return Object.entries(rules).map(([fact, rule]) => [fact, values[fact], rule])
}

/** The tax documents that a payment names: of a transfer the owner's, then the key if it is one; of a charge what was typed as the payer's. */
export function taxDocumentsOf(facts: PaymentFacts): string[] {
  if (facts.kind === 'qr') return (facts.payer ?? '').split(' ').filter((word) => TAX_DOCUMENT.test(word))
  return factEntries(facts).flatMap(([, value, { search }]) => {
    if (search === 'tax-document') return typeof value === 'string' ? [value] : []
    if (search !== 'key' || facts.kind !== 'transfer') return []
    const { key, keyType } = destinationOf(facts.key, facts.keyType)
    return keyType === 'document' ? [key] : []
  })
}

/** The name that people see of the payee to whom a transfer goes; null if it goes to a key. */
export function payeeNameOf(facts: PaymentFacts): string | null {
  return facts.kind === 'transfer' ? (facts.payeeDisplayName ?? facts.payee) : null
}

/** The name in the payment code to which a transfer goes; null without one. The author of the code chose it, so it proves nothing. */
export function tradeNameOf(facts: PaymentFacts): string | null {
  return facts.kind === 'transfer' ? destinationOf(facts.key, facts.keyType).tradeName : null
}

/** All members of a body. JSON has none that is undefined. */
type Complete<Body> = { [Name in keyof Required<Body>]: Body[Name] }

/** The exact JSON body of the request for a payment; `externalId` is null for a refund, which has none. Amounts are in reais. */
export function requestBody(facts: MoneyPayment, externalId: string | null): string {
  return JSON.stringify(facts.kind === 'transfer' ? transferBody(facts, externalId) : refundBody(facts))
}

/** The same payment, with its amount in its body: a whole refund names it in a plan, which somebody approves. */
export function withAmountNamed(facts: MoneyPayment): MoneyPayment {
  return facts.kind === 'refund' ? { ...facts, isWhole: false } : facts
}

function transferBody(facts: TransferPayment, externalId: string | null): Complete<TransferBody> {
  return {
    value: reaisFromCents(facts.amountCents),
    key: facts.key,
    typeKey: facts.keyType,
    callbackUrl: facts.callbackUrl,
    externalId: externalId ?? undefined,
    documentValidation: facts.documentValidation ?? undefined,
  }
}

/** What a transfer with this body, in which the amount was read as cents, asks for. The body says nothing of a payee. */
export function transferIn({ value, key, typeKey, callbackUrl, documentValidation }: TransferBody): TransferPayment {
  return {
    kind: 'transfer',
    key,
    keyType: typeKey,
    amountCents: value,
    documentValidation: documentValidation ?? null,
    callbackUrl,
    payee: null,
    payeeDisplayName: null,
  }
}

/** The service's documentation names the original's id in two ways. */
function refundBody(facts: RefundPayment): Complete<RefundBody> {
  const { originalTransactionId, refundReason, callbackUrl, amountCents, isWhole, idField } = facts
  return {
    originalTransactionId: idField === 'idTransaction' ? undefined : originalTransactionId,
    idTransaction: idField === 'originalTransactionId' ? undefined : originalTransactionId,
    refundReason,
    callbackUrl,
    amount: isWhole || amountCents === null ? undefined : reaisFromCents(amountCents),
  }
}

/** What a refund with this body, in which the amount was read as cents, asks for; undefined if it does not name one payment. */
export function refundIn(body: RefundBody): RefundPayment | undefined {
  const { originalTransactionId, idTransaction, refundReason, callbackUrl, amount } = body
  const id = originalTransactionId ?? idTransaction
  if (id === undefined || (idTransaction ?? id) !== id) return undefined
  const named = originalTransactionId === undefined ? 'idTransaction' : 'originalTransactionId'
  return {
    kind: 'refund',
    originalTransactionId: id,
    amountCents: amount ?? null,
    isWhole: amount === undefined,
    refundReason,
    callbackUrl,
    idField: originalTransactionId === idTransaction ? 'both' : named,
  }
}

/** What the id of a row is derived from, beside its reference. */
export type PaymentParts =
  | Pick<TransferPayment, 'kind' | 'key' | 'keyType' | 'amountCents' | 'documentValidation'>
  | Pick<RefundPayment, 'kind' | 'originalTransactionId' | 'amountCents'>

/** What makes two rows equal: the destination in one spelling, the amount, and who must own the key. */
export function paymentParts(facts: PaymentParts): (string | number | null)[] {
  if (facts.kind === 'refund') return [facts.originalTransactionId, facts.amountCents]
  return [canonicalKey(facts.key, facts.keyType), facts.amountCents, facts.documentValidation]
}

/** The command line that makes a plan of a payment. */
export function planCommand(facts: MoneyPayment, externalId: string | null): string {
  if (facts.kind === 'refund') {
    const { originalTransactionId, refundReason, amountCents } = facts
    const amount = amountCents === null ? '' : ` --amount ${plainAmount(amountCents)}`
    return `pixgate refund ${commandArgument(originalTransactionId)} --reason ${shellWord(refundReason)}${amount} --plan`
  }
  const { key, keyType, amountCents, documentValidation } = facts
  const options: Readonly<Record<keyof TransferBody, readonly string[]>> = {
    key: ['--key', shellWord(key)],
    typeKey: ['--key-type', keyType],
    value: ['--amount', plainAmount(amountCents)],
    externalId: externalId === null ? [] : ['--external-id', shellWord(externalId)],
    documentValidation: documentValidation === null ? [] : ['--owner', documentValidation],
    callbackUrl: [],
  }
  return ['pixgate', 'transfer', ...Object.values(options).flat(), '--plan'].join(' ')
}
