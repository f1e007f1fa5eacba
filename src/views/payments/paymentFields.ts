import type { ChalkInstance } from 'chalk'
import { type AttemptSummary, amountCentsOf, reasonOf } from '../../ledger/derivePayment.ts'
import { eventNumber } from '../../ledger/events.ts'
import { PAYMENT_KINDS, type PaymentKind } from '../../ledger/facts.ts'
import { FINDINGS, SHOWN_STATES, type ShownState, shownStateOf } from '../../ledger/paymentState.ts'
import { type Payment, type RefundSums, shownStateOfPayment } from '../../ledger/payments.ts'
import type { EventRecord, LedgerRecord, PaymentRecord, RunPlace } from '../../ledger/records.ts'
import { stateText } from '../../ledger/stateWords.ts'
import { isContradiction, knownBy, payeeOf } from '../../payments/explanation.ts'
import { reaisOrNull } from '../../pix/amount.ts'
import { destinationOf } from '../../pix/destination.ts'
import { isKeyType } from '../../pix/pixKey.ts'
import { formatTaxDocument, maskTaxDocument } from '../../pix/taxDocument.ts'
import { ENVIRONMENTS } from '../../profiles/settings.ts'
import { directionOf, signedCents } from '../../reconcile/tableFile.ts'
import {
  ADDRESS,
  BOOLEAN,
  COUNT,
  enumOf,
  INSTANT,
  list,
  OBJECT,
  objectOf,
  orNull,
  REAIS,
  shapedBy,
  TEXT,
  type ValueOf,
} from '../../schemas/jsonSchema.ts'
import {
  columnOf,
  type DocumentOf,
  documentOf,
  type Field,
  fieldsOf,
  listColumns,
  maskedDocument,
} from '../../terminal/fields.ts'
import type { Column } from '../../terminal/printer.ts'
import { t, translated } from '../../text/translate.ts'
import { failureSentence } from '../../wire/errorCodes.ts'
import { OUTCOMES } from '../../wire/errors.ts'
import { amountText, instantText, maskKey, maskText, shortInstantText, statusColour } from '../valueText.ts'
import { atMsOf, dayMsOf, keyText, partyText, referenceText, signedAmountText, stateColour } from './paymentCells.ts'

interface WithDocument {
  document: PaymentDocument
}

/** What a cell about a payment is made from: its JSON, masked or not, and its amount, which is never read from the JSON. */
export interface PaymentItem extends WithDocument {
  amountCents: number | null
}

// The cells of the table are functions with types of their own, because the type of a document follows from the table.

function paidAtText({ document }: PaymentItem): string {
  return instantText(atMsOf(document.paidAt))
}

function recordedText({ document }: PaymentItem): string {
  return instantText(atMsOf(document.pixgate?.at))
}

function ownerText({ document }: PaymentItem): string {
  return formatTaxDocument(document.pixgate?.owner ?? '')
}

function nameText({ document }: PaymentItem): string {
  return document.pixgate?.name ?? ''
}

function transactionText({ document }: PaymentItem): string {
  return document.idTransaction ?? ''
}

/** The status of a payment; of an id that could not be looked up the code of its error. */
function statusText({ document: { status, error } }: PaymentItem): string {
  return (status ?? error?.code) || '—'
}

/** The colour of a status; an id that could not be looked up is red. */
function colourOfStatus({ document }: PaymentItem, style: ChalkInstance): ChalkInstance {
  return 'error' in document ? style.red : statusColour(document.status ?? null, style)
}

function stateCell({ document }: PaymentItem): string {
  return stateText(document.pixgate?.state ?? '')
}

function colourOfState({ document }: PaymentItem, style: ChalkInstance): ChalkInstance | undefined {
  return stateColour(document.pixgate?.state ?? '', style)
}

function reasonText({ document: { pixgate } }: PaymentItem): string {
  return failureSentence(pixgate?.errorCode ?? null, pixgate?.errorMessage ?? null) ?? ''
}

function verdictText({ document }: PaymentItem): string {
  return translated(document.pixgate?.verdict ?? '')
}

/** The colour of a verdict: what differs or is missing is red and bold. */
function verdictColour({ document }: PaymentItem, style: ChalkInstance): ChalkInstance | undefined {
  const verdict = document.pixgate?.verdict ?? ''
  if (verdict === 'match' || verdict === 'agrees') return style.green
  if (verdict === '' || verdict === 'open') return undefined
  return verdict === 'late' ? style.yellow : style.red.bold
}

function differencesText({ document }: PaymentItem): string {
  return document.pixgate?.differences?.join(', ') ?? ''
}

/** The payee; the id of a refunded payment is in the column `name` already. */
function payeeText({ document }: WithDocument): string {
  const payee = document.pixgate?.payee ?? ''
  return payee === '' || payee === document.originalTransactionId ? '—' : payee
}

function keyCell({ document }: WithDocument): string {
  return keyText(document)
}

function partyCell({ document }: WithDocument): string {
  return partyText(document)
}

function referenceCell({ document }: WithDocument): string {
  return referenceText(document)
}

/** A payee masked: a key, which is also in the JSON, and a tax document in the name of a sole trader. */
function maskedPayee(payee: string, { key, typeKey }: Readonly<Record<string, unknown>>): string {
  const isKey = typeof key === 'string' && isKeyType(typeKey) && destinationOf(key, typeKey).key === payee
  return isKey ? maskKey(key, typeKey) : maskText(payee)
}

/** The id by which commands take a payment: the gateway's, before there is one pixgate's own. */
function idText({ document }: WithDocument): string {
  return document.idTransaction || (document.pixgate?.id ?? '')
}

/** A payment in a list that compares it with what another program has. */
export interface ComparedItem extends PaymentItem {
  /** What the other program has, with its sign if it has one; null if it has no amount. */
  otherCents: number | null
}

/** The column of the amount that another program has for a payment. */
export function otherAmountColumn(path: string, header: string): Column<ComparedItem> {
  return { path, header, align: 'right', text: ({ otherCents }) => amountText(otherCents) }
}

/** The amount of the payment that it is compared with; with the sign of its direction if the other one has a sign. */
export function ownAmountText({ document, amountCents }: PaymentItem, isSigned: boolean): string {
  const direction = isSigned ? directionOf(document.pixgate?.kind ?? 'qr') : null
  return amountText(amountCents === null ? null : signedCents(amountCents, direction))
}

/** Who is sending a payment, and until when its request may be on its way, if they do so on another machine or have ended; times in RFC 3339, UTC. */
const BEING_SENT = objectOf({ user: TEXT, machine: TEXT, since: INSTANT, until: orNull(INSTANT) })

/** What a list shows: a payment, or one of its attempts. */
export interface ListedPayment {
  payment: Payment
  /** Null in a list of payments. */
  attempt: AttemptSummary | null
}

/** The attempt that is told about: of a payment the one that its state comes from. */
export function shownAttempt({ payment, attempt }: ListedPayment): AttemptSummary {
  return attempt ?? payment.summary.deciding
}

/** The state that people see of it: an attempt is being sent as long as its answer is not recorded. */
export function shownState({ payment: { summary, sentBy }, attempt }: ListedPayment): ShownState {
  return shownStateOf((attempt ?? summary).state, sentBy !== undefined && attempt?.sender !== null)
}

/** The record that tells when and by whom: of a payment that of its first attempt. */
function shownRecord({ payment, attempt }: ListedPayment): Payment['first'] {
  return attempt?.record ?? payment.first
}

/** The name by which people know it; that of an attempt is its own externalId. */
function nameOf({ payment, attempt }: ListedPayment): string {
  return attempt?.record.externalId ?? payment.givenId
}

function instantOrNull(ms: number | null): string | null {
  return ms === null ? null : new Date(ms).toISOString()
}

/** The status in the wire's words; null if there is none. An attempt that does not decide has only what was said of it. */
function statusOf({ payment, attempt }: ListedPayment): string | null {
  const { deciding, status } = payment.summary
  if (attempt === null || attempt === deciding) return status
  return attempt.event?.status ?? attempt.answer?.status ?? null
}

/** The place of a payment in the file of a batch, with nulls if it is in none; undefined for a charge. */
function placeOf({
  payment: { facts, first },
}: ListedPayment):
  | Pick<RunPlace, 'run' | 'line' | 'reference'>
  | { run: null; line: null; reference: null }
  | undefined {
  return facts.kind === 'qr' ? undefined : (first.place ?? { run: null, line: null, reference: null })
}

/** The properties in which a payment can differ from what was expected. */
const DIFFERENCES = ['amount', 'sign', 'status']

/** How a payment compares with what the gateway answers. */
export const GATEWAY_VERDICTS = [
  'agrees',
  'open',
  'late',
  'unknown',
  'differs',
  'paid-there',
  'not-paid-there',
  'not-there',
] as const

const VERDICTS = ['match', 'missing', 'only-here', 'only-there', 'duplicate', ...GATEWAY_VERDICTS]

/** A refund as the payment that it returns lists it. */
const REFUND = objectOf({
  id: TEXT,
  idTransaction: orNull(TEXT),
  amount: orNull(REAIS),
  reason: orNull(TEXT),
  state: enumOf(...SHOWN_STATES),
  status: orNull(TEXT),
  at: INSTANT,
  user: TEXT,
  machine: TEXT,
})

/** A field of a payment: in the JSON of a payment or an attempt, and in lists. */
const field = fieldsOf<Field<ListedPayment, PaymentItem>>('')
const own = fieldsOf<Field<ListedPayment, PaymentItem>, 'pixgate'>('pixgate')

/** What single commands add to the JSON of a payment. */
const ADDED_FIELDS = [
  own('nameInFile', orNull(TEXT), undefined, {
    mask: maskText,
  })`in \`history show\`: the name in the file of the batch`,
  own('nameInEvent', orNull(TEXT), undefined, {
    mask: maskText,
  })`the name that an event of the payment has`,
  own(
    'namesDiffer',
    orNull(BOOLEAN),
  )`these names differ: compared without case, accents, punctuation and company suffixes such as \`LTDA\`; empty unless both are known`,
  own('refundedAmount', orNull(REAIS), undefined, {
    column: null,
  })`what was refunded`,
  own('refunds', list(REFUND), undefined, {
    memberMasks: { reason: maskText },
    column: null,
  })`the refunds`,
  own('verdict', enumOf(...VERDICTS), undefined, {
    column: { text: verdictText, colour: verdictColour },
  })`how it compares with what was expected, or with what the statement or the gateway says`,
  field('in', list(enumOf(...DIFFERENCES)), undefined, {
    path: 'pixgate.differences',
    column: { drop: 1, text: differencesText },
  })`what differs`,
  own(
    'matchedBy',
    orNull(enumOf('id', 'by-amount')),
  )`how a line of a statement was matched: by our id, or by amount, day and name; empty if it was not`,
  own('ambiguous', BOOLEAN)`several payments or lines of a statement agree, and it is not known which belong together`,
  field('possibleEvents', list(orNull(COUNT)), undefined, {
    column: null,
  })`in \`history show\`: the numbers of events that may be about it`,
  field('attemptDetails', list(OBJECT), undefined, {
    path: 'attempts',
    memberMasks: { errorMessage: maskText, 'finding.because': maskText },
    column: null,
  })`in \`history show\`: each attempt`,
  field('answers', list(OBJECT), undefined, {
    memberMasks: { message: maskText },
    column: null,
  })`in \`history show\`: what the gateway answered to each request`,
  field('events', list(OBJECT), undefined, {
    memberMasks: { errorMessage: maskText },
    column: null,
  })`in \`history show\`: the events of the payment`,
  field('findings', list(OBJECT), undefined, {
    memberMasks: { because: maskText },
    column: null,
  })`in \`history show\`: what people found out`,
  field('timeline', list(OBJECT), undefined, {
    memberMasks: { message: maskText, errorMessage: maskText, because: maskText },
    column: null,
  })`in \`history show\`: all records, in the order in which they were written`,
]

const REQUEST_FIELDS = [
  field(
    'paidAt',
    orNull(INSTANT),
    ({ payment: { facts, summary } }) => (facts.kind === 'qr' ? instantOrNull(summary.paidAtMs) : undefined),
    { column: { drop: 2, text: paidAtText } },
  )`when a charge was paid, as its event or the gateway says`,
  field('date', INSTANT, (listed) => shownRecord(listed).at, {
    path: 'pixgate.at',
    column: { text: recordedText },
  })`when the payment was recorded; text lists show when a charge was paid, once it is, and are in that order`,
  own('user', TEXT, (listed) => shownRecord(listed).user)`who created it`,
  own('machine', TEXT, (listed) => shownRecord(listed).machine)`on which machine`,
  own(
    'storedBy',
    TEXT,
    (listed) => shownRecord(listed).login,
  )`whose login stored it in the ledger: another one only if a shared ledger took it over from another ledger`,
  own(
    'owner',
    orNull(TEXT),
    ({ payment: { facts } }) => (facts.kind === 'transfer' ? facts.documentValidation : undefined),
    {
      mask: maskTaxDocument,
      column: { text: ownerText },
      label: () => t`owner`,
    },
  )`the CPF or CNPJ that must own the key of a transfer`,
  own('payeeName', orNull(TEXT), ({ payment: { facts } }) =>
    facts.kind === 'transfer' ? facts.payee : undefined,
  )`the name of the payee to whom a transfer went, see \`pixgate payee\`; null if it was sent to a key`,
  field('refundReason', TEXT, ({ payment: { facts } }) => (facts.kind === 'refund' ? facts.refundReason : undefined), {
    path: 'pixgate.reason',
    mask: maskText,
  })`why a refund was requested`,
  own('run', orNull(TEXT), (listed) => placeOf(listed)?.run)`the run of a batch that sent it`,
  own('line', orNull(COUNT), (listed) => placeOf(listed)?.line, {
    column: { align: 'right' },
  })`the line of the batch's file`,
  own('reference', orNull(TEXT), (listed) => placeOf(listed)?.reference)`of the batch`,
]

const FINDING = objectOf({ as: enumOf(...FINDINGS), because: TEXT, at: INSTANT, user: TEXT, machine: TEXT })

const EVENT = objectOf({
  n: orNull(COUNT),
  event: orNull(TEXT),
  status: orNull(TEXT),
  amount: orNull(REAIS),
  at: INSTANT,
})

/** What decided the state of a payment, and which attempt is told about: the end of its JSON. */
const EVIDENCE_FIELDS = [
  own('beingSent', orNull(BEING_SENT), ({ payment: { sentBy } }) =>
    sentBy === undefined ? null : shapedBy(BEING_SENT, sentBy),
  )`who is sending it at this moment, and \`until\` when its request may be on its way, if that is another machine or the process has ended; after that time its outcome is unknown`,
  own('finding', orNull(FINDING), (listed) => findingJson(shownAttempt(listed)), {
    memberMasks: { because: maskText },
  })`what a person found out`,
  own('event', orNull(EVENT), (listed) => eventJson(shownAttempt(listed).event))`the event that tells the state`,
  own('verified', orNull(BOOLEAN), (listed) =>
    verifiedOf(listed),
  )`false if this machine cannot verify what tells the state, an event or the word of a login that did not send it: it frees nothing; null without an event`,
  own('warnings', list(TEXT), () => [])`what to beware of`,
  own('attempt', COUNT, ({ attempt }) => attempt?.record.number, {
    column: { align: 'right', drop: 3 },
  })`with \`--attempts\`: number of this attempt`,
  own('attemptId', TEXT, ({ attempt }) => attempt?.record.id)`with \`--attempts\`: its id`,
]

function verifiedOf(listed: ListedPayment): boolean | null {
  const { event } = shownAttempt(listed)
  if (event !== null) return event.isVerified === true
  return listed.attempt === null && !listed.payment.summary.isVerified ? false : null
}

function findingJson({ finding }: Pick<AttemptSummary, 'finding'>): ValueOf<typeof FINDING> | null {
  return finding && shapedBy(FINDING, finding)
}

/** An event as the JSON of its payment has it; the amount in reais. */
function eventJson(record: LedgerRecord<EventRecord> | null): ValueOf<typeof EVENT> | null {
  return record && shapedBy(EVENT, { ...record, n: eventNumber(record), amount: reaisOrNull(record.amountCents) })
}

/** What is shown of a payment, in the order of its JSON. A new field is a row here. */
export const PAYMENT_FIELDS = [
  field('idTransaction', orNull(TEXT), ({ payment, attempt }) => (attempt ?? payment.summary).idTransaction, {
    column: { id: transactionText, shortHeader: 'id' },
  })`the gateway's id`,
  field('requestNumber', TEXT, (listed) =>
    listed.payment.facts.kind === 'qr' ? listed.payment.givenId : undefined,
  )`the number of a charge`,
  field('externalId', orNull(TEXT), (listed) =>
    listed.payment.facts.kind === 'transfer' ? nameOf(listed) : undefined,
  )`external id of a transfer`,
  field('originalTransactionId', TEXT, ({ payment: { facts } }) =>
    facts.kind === 'refund' ? facts.originalTransactionId : undefined,
  )`the payment that a refund returns`,
  field('status', orNull(TEXT), statusOf, {
    column: { isProse: true, text: statusText, colour: colourOfStatus },
  })`the gateway's status, such as \`PAID_OUT\`, or that which corresponds to a person's word; text lists of \`status\` have the word of the state beside it, and the error code there if the lookup failed`,
  field(
    'amount',
    orNull(REAIS),
    ({ payment, attempt }) => reaisOrNull(attempt === null ? payment.amountCents : amountCentsOf(attempt)),
    { column: { align: 'right', text: ({ amountCents }) => amountText(amountCents) } },
  )`in reais`,
  field('key', TEXT, ({ payment: { facts } }) => (facts.kind === 'transfer' ? facts.key : undefined), {
    mask: (key, { typeKey }) => maskKey(key, String(typeKey)),
    column: { text: keyCell },
  })`PIX key of a transfer`,
  field('typeKey', TEXT, ({ payment: { facts } }) =>
    facts.kind === 'transfer' ? facts.keyType : undefined,
  )`type of that key`,
  own('id', TEXT, ({ payment }) => payment.id)`pixgate's own id, accepted by every command that takes a payment`,
  own('profile', orNull(TEXT), ({ payment }) => payment.owner.profile)`the profile it was created with`,
  own(
    'environment',
    enumOf(...ENVIRONMENTS),
    ({ payment }) => payment.owner.environment,
  )`\`production\` or \`sandbox\``,
  field('account', ADDRESS, ({ payment }) => payment.owner.baseUrl, {
    path: 'pixgate.baseUrl',
    column: { drop: 6 },
  })`the gateway's address`,
  own('kind', enumOf(...PAYMENT_KINDS), ({ payment }) => payment.facts.kind, {
    column: { drop: 2, outlastsProse: true, short: shortKind },
  })`\`qr\` (a charge), \`transfer\` or \`refund\``,
  own('name', orNull(TEXT), nameOf, {
    column: { id: nameText },
  })`how people refer to it: external id, request number, or id of the refunded payment`,
  own('payee', orNull(TEXT), ({ payment }) => payeeOf(payment), {
    mask: maskedPayee,
    column: { isProse: true, text: payeeText },
  })`who receives the money, or pays a charge: the name in an event, else of the payee, else the key, also that in a payment code, or the id of the refunded payment`,
  own('party', orNull(TEXT), ({ payment }) => payment.partyName, {
    mask: maskText,
    column: { isProse: true, text: partyCell },
  })`the name of the other party: who pays a charge, receives a transfer, or paid what a refund returns; that in an event, else in the file of the batch, else that of the payee, else in the payment code, else as typed when the charge was created. Text lists show the key of a transfer without a name`,
  field('ref', orNull(TEXT), ({ payment }) => payment.ownReference, {
    path: 'pixgate.ownReference',
    column: { isProse: true, text: referenceCell, id: referenceCell },
  })`your own reference: the request number of a charge and of the charge that a refund returns; of a transfer the number in the file (invoice, order), else its external id, else the reference of the file. Text lists show the id of the refunded payment without one`,
  own(
    'outcome',
    enumOf(...OUTCOMES),
    (listed) => shownAttempt(listed).outcome,
  )`what became of the request: \`accepted\`, \`refused\`, \`unknown\`, …`,
  own('state', enumOf(...SHOWN_STATES), shownState, {
    column: { text: stateCell, colour: colourOfState },
  })`what is known of the payment: see [the states](#states)`,
  own('attempts', COUNT, ({ payment }) => payment.summary.attempts.length, {
    column: { align: 'right' },
  })`how many attempts there are`,
  own('errorCode', orNull(TEXT), (listed) => reasonOf(shownAttempt(listed)).errorCode, {
    column: { drop: 5 },
  })`why it failed, as a code`,
  field('reason', orNull(TEXT), (listed) => reasonOf(shownAttempt(listed)).errorMessage, {
    path: 'pixgate.errorMessage',
    mask: maskText,
    column: { isProse: true, drop: 4, text: reasonText },
  })`why it failed, in words`,
  own('knownBy', enumOf('gateway', 'event', 'person', 'ledger'), (listed) =>
    knownBy(shownAttempt(listed)),
  )`what tells the state: the \`gateway\`, an \`event\`, a \`person\`, or only the \`ledger\``,
  own('requestedBy', orNull(TEXT), (listed) => shownAttempt(listed).record.requestedBy ?? null, {
    label: () => t`requested by`,
  })`who made the plan that a second person approved`,
  own('approvedBy', orNull(TEXT), (listed) => shownAttempt(listed).record.approvedBy ?? null, {
    label: () => t`approved by`,
  })`who approved that plan`,
  ...REQUEST_FIELDS,
  ...EVIDENCE_FIELDS,
  ...ADDED_FIELDS,
]

/** The fields that a CSV of payments has besides those of the list. */
export const PAYMENT_CSV = [
  ...['status', 'key', 'errorCode', 'reason', 'reference', 'run', 'line', 'profile', 'environment', 'account'],
  ...['user', 'machine', 'attempts', 'id', 'party', 'ref', 'paidAt'],
]

/** The JSON of a payment, of one that only the gateway knows, of an id that could not be looked up, or of a run that is listed with payments. */
export type PaymentDocument = Omit<PaymentFields, 'pixgate'> & {
  error?: { code: string }
  pixgate?: Omit<NonNullable<PaymentFields['pixgate']>, 'kind'> & { kind?: PaymentKind | 'run' }
}
type PaymentFields = DocumentOf<typeof PAYMENT_FIELDS>

/** A payment as `status` and `history` show it in JSON; amounts in reais. */
export function paymentDocument(payment: Payment): PaymentDocument {
  return listedDocument({ payment, attempt: null })
}

/** A payment or one of its attempts as a list has it in JSON; amounts in reais. */
export function listedDocument(listed: ListedPayment): PaymentDocument {
  return documentOf(PAYMENT_FIELDS, listed)
}

/** Some fields of a payment in JSON, by their names. */
export function partialDocument(payment: Payment, names: readonly string[]): PaymentDocument {
  return documentOf(
    PAYMENT_FIELDS.filter(({ name }) => names.includes(name)),
    { payment, attempt: null },
  )
}

/** A payment with all its attempts and records, oldest first. */
export function fullPaymentDocument(payment: Payment) {
  const documentsOf = (type: PaymentRecord['type'] | null) =>
    payment.records.flatMap((record) => (type === null || record.type === type ? recordDocument(record, payment) : []))
  return {
    ...paymentDocument(payment),
    attempts: payment.summary.attempts.map(attemptDocument),
    answers: documentsOf('answer'),
    events: documentsOf('event'),
    findings: documentsOf('finding'),
    timeline: documentsOf(null),
  }
}

function refundDocument(refund: Payment): ValueOf<typeof REFUND> {
  const { facts, summary, amountCents } = refund
  const reason = facts.kind === 'refund' ? facts.refundReason : null
  const state = shownStateOfPayment(refund)
  return shapedBy(REFUND, {
    ...refund.first,
    ...summary,
    state,
    id: refund.id,
    amount: reaisOrNull(amountCents),
    reason,
  })
}

/** The refunds of a payment as its JSON has them under `pixgate`; nothing if there are none. Amounts in reais. */
export function refundsDocument({ refunds, refundedCents }: RefundSums) {
  if (refunds.length === 0) return {}
  return {
    refundedAmount: reaisOrNull(refundedCents),
    refunds: refunds.map(refundDocument),
  }
}

function attemptDocument(attempt: AttemptSummary) {
  const { record, outcome, state, idTransaction, answer, event } = attempt
  return {
    id: record.id,
    number: record.number,
    externalId: record.externalId,
    idTransaction,
    outcome,
    state,
    ...reasonOf(attempt),
    httpStatus: answer?.httpStatus ?? null,
    at: record.at,
    answeredAt: answer?.at ?? null,
    user: record.user,
    machine: record.machine,
    storedBy: record.login,
    sending: attempt.sender !== null,
    finding: findingJson(attempt),
    event: eventJson(event),
  }
}

function recordDocument(record: PaymentRecord, payment: Payment) {
  const { id, at, user, machine, login, type } = record
  const stamp = { at, type, user, machine, storedBy: login, id }
  switch (record.type) {
    case 'attempt': {
      const { number, externalId, owner } = record
      return { ...stamp, kind: record.facts.kind, number, externalId, address: owner.baseUrl }
    }
    case 'resend':
      return { ...stamp, attempt: record.attempt }
    case 'answer': {
      const { attempt, outcome, status, code, message, httpStatus, idTransaction, isPending } = record
      return {
        ...stamp,
        attempt,
        outcome,
        status,
        code,
        message,
        httpStatus,
        idTransaction,
        pending: isPending === true,
      }
    }
    case 'finding':
      return { ...stamp, as: record.as, because: record.because }
    case 'query': {
      const { idTransaction, status, amountCents, paidAtMs } = record
      return { ...stamp, idTransaction, status, amount: reaisOrNull(amountCents), paidAt: instantOrNull(paidAtMs) }
    }
    case 'event': {
      const { idTransaction, errorCode, errorMessage, via, isPending } = record
      const pending = isPending === true
      const contradicts = isContradiction(record, payment.facts, payment.summary.state)
      return { ...stamp, ...eventJson(record), idTransaction, errorCode, errorMessage, via, contradicts, pending }
    }
  }
}

/** What all lists of payments have in common: what `--fields` may name besides their columns. */
export const PAYMENT_LIST = {
  more: listColumns(PAYMENT_FIELDS),
  documentOf: ({ document }: PaymentItem) => document,
}

/** The column of a field of payments. */
export function paymentColumn(name: (typeof PAYMENT_FIELDS)[number]['name']): Column<PaymentItem> {
  return columnOf(PAYMENT_FIELDS, name)
}

/** JSON of a payment as lists show it in every format: keys and tax documents masked unless `unmask`. */
export function shownDocument<Shown extends PaymentDocument>(document: Shown, unmask: boolean): Shown {
  return unmask ? document : maskedDocument(PAYMENT_FIELDS, document)
}

/** The amount with the sign of money that leaves. */
export const SIGNED_AMOUNT: Column<PaymentItem> = {
  ...paymentColumn('amount'),
  text: ({ document, amountCents }) => signedAmountText(amountCents, document),
}

/** The column of the id by which commands take a payment, for people; `idTransaction` is the gateway's alone. */
export const ID_COLUMN: Column<PaymentItem> = {
  ...paymentColumn('idTransaction'),
  header: 'id',
  text: idText,
  id: idText,
}

/** A shorter word for a transfer in a language whose word for it takes more room than an amount. */
function shortKind({ document: { pixgate } }: PaymentItem): string | undefined {
  return pixgate?.kind === 'transfer' && translated('transfer').length > 10 ? t`transf.` : undefined
}

/** The column of the time to which a payment belongs, for people: when a charge was paid, else when the payment was recorded. */
export function dateColumn<Item extends PaymentItem>(
  nowMs: number,
  dayOf: (item: Item) => number | null = ({ document }) => dayMsOf(document),
): Column<Item> {
  return {
    ...paymentColumn('date'),
    text: (item) => instantText(dayOf(item)),
    short: (item) => shortInstantText(dayOf(item), nowMs),
  }
}
