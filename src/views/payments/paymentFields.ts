import { type AttemptSummary, amountCentsOf } from '../../ledger/derivePayment.ts'
import { eventNumber } from '../../ledger/events.ts'
import { PAYMENT_KINDS } from '../../ledger/facts.ts'
import { PAYMENT_STATES } from '../../ledger/paymentState.ts'
import { type EventRecord, FINDINGS, type LedgerRecord } from '../../ledger/records.ts'
import { knownBy, payeeOf, reasonOf } from '../../payments/explanation.ts'
import { reaisOrNull } from '../../pix/amount.ts'
import { formatTaxDocument, maskTaxDocument } from '../../pix/taxDocument.ts'
import { ENVIRONMENTS } from '../../profiles/profile.ts'
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
import { type Field, fieldsOf } from '../../terminal/fields.ts'
import { cellText, valueAt } from '../../terminal/printer.ts'
import { t } from '../../text/translate.ts'
import { OUTCOMES } from '../../wire/errors.ts'
import { amountText, maskKey, maskText } from '../valueText.ts'
import {
  BEING_SENT,
  beingSentOf,
  colourOfState,
  colourOfStatus,
  differencesText,
  keyText,
  type ListedPayment,
  maskedPayee,
  nameOf,
  type PaymentItem,
  partyText,
  payeeText,
  placeOf,
  referenceText,
  shownAttempt,
  shownRecord,
  statusOf,
  statusText,
  timeText,
  verdictColour,
} from './paymentCells.ts'

/** The properties in which a payment can differ from what was expected. */
const DIFFERENCES = ['amount', 'sign', 'status']

const VERDICTS = [
  'match',
  'differs',
  'missing',
  'only-here',
  'only-there',
  'duplicate',
  'agrees',
  'open',
  'late',
  'unknown',
]

/** A refund as the payment that it returns lists it. */
export const REFUND = objectOf({
  id: TEXT,
  idTransaction: orNull(TEXT),
  amount: orNull(REAIS),
  reason: orNull(TEXT),
  state: enumOf(...PAYMENT_STATES),
  status: orNull(TEXT),
  at: INSTANT,
  user: TEXT,
  machine: TEXT,
})

/** A field of a payment: in the JSON of a payment or an attempt, and in lists. */
const field = fieldsOf<Field<ListedPayment, PaymentItem>>('')
/** A field below `pixgate`. */
const own = fieldsOf<Field<ListedPayment, PaymentItem>, 'pixgate'>('pixgate')

/** What single commands add to the JSON of a payment. */
const ADDED_FIELDS = [
  field('paidAt', orNull(INSTANT), undefined, {
    column: { drop: 2, text: (item) => timeText(item, 'paidAt') },
  })`when a charge was paid, as the gateway answered`,
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
    column: { colour: verdictColour },
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

/** How a payment was requested: when, by whom, and from which file. */
const REQUEST_FIELDS = [
  field('date', INSTANT, (listed) => shownRecord(listed).at, {
    path: 'pixgate.at',
    column: { text: (item) => timeText(item, 'pixgate.at') },
  })`when the payment was recorded`,
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
      column: { text: ({ document }) => formatTaxDocument(cellText(valueAt(document, 'pixgate.owner'))) },
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

/** What a person found out. */
const FINDING = objectOf({ as: enumOf(...FINDINGS), because: TEXT, at: INSTANT, user: TEXT, machine: TEXT })

/** An event as its payment has it. */
const EVENT = objectOf({
  n: orNull(COUNT),
  event: orNull(TEXT),
  status: orNull(TEXT),
  amount: orNull(REAIS),
  at: INSTANT,
})

/** What decided the state of a payment, and which attempt is told about: the end of its JSON. */
const EVIDENCE_FIELDS = [
  own('beingSent', orNull(BEING_SENT), ({ payment }) =>
    beingSentOf(payment),
  )`with a shared ledger: who is sending a request whose answer is not recorded yet, and \`until\` when it may leave; after that time its outcome is unknown`,
  own('finding', orNull(FINDING), (listed) => findingJson(shownAttempt(listed)), {
    memberMasks: { because: maskText },
  })`what a person found out`,
  own('event', orNull(EVENT), (listed) => eventJson(shownAttempt(listed).event))`the event that tells the state`,
  own('warnings', list(TEXT), () => [])`what to beware of`,
  own('attempt', COUNT, ({ attempt }) => attempt?.record.number, {
    column: { align: 'right', drop: 3 },
  })`with \`--attempts\`: number of this attempt`,
  own('attemptId', TEXT, ({ attempt }) => attempt?.record.id)`with \`--attempts\`: its id`,
]

/** What a person found out about an attempt, as JSON. */
export function findingJson({ finding }: Pick<AttemptSummary, 'finding'>): ValueOf<typeof FINDING> | null {
  return finding && shapedBy(FINDING, finding)
}

/** An event as the JSON of its payment has it; the amount in reais. */
export function eventJson(record: LedgerRecord<EventRecord> | null): ValueOf<typeof EVENT> | null {
  return record && shapedBy(EVENT, { ...record, n: eventNumber(record), amount: reaisOrNull(record.amountCents) })
}

/** What is shown of a payment, in the order of its JSON. A new field is a row here. */
export const PAYMENT_FIELDS = [
  field('idTransaction', orNull(TEXT), ({ payment, attempt }) => (attempt ?? payment.summary).idTransaction, {
    column: { id: ({ document }) => cellText(document.idTransaction), shortHeader: 'id' },
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
  })`the gateway's status, such as \`PAID_OUT\`; text lists of \`status\` show the state if there is none, and the error code if the lookup failed`,
  field(
    'amount',
    orNull(REAIS),
    ({ payment, attempt }) => reaisOrNull(attempt === null ? payment.amountCents : amountCentsOf(attempt)),
    { column: { align: 'right', text: ({ amountCents }) => amountText(amountCents) } },
  )`in reais`,
  field('key', TEXT, ({ payment: { facts } }) => (facts.kind === 'transfer' ? facts.key : undefined), {
    mask: (key, { typeKey }) => maskKey(key, String(typeKey)),
    column: { text: keyText },
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
    column: { drop: 2 },
  })`\`qr\` (a charge), \`transfer\` or \`refund\``,
  own('name', orNull(TEXT), nameOf, {
    column: { id: ({ document }) => cellText(valueAt(document, 'pixgate.name')) },
  })`how people refer to it: external id, request number, or id of the refunded payment`,
  own('payee', orNull(TEXT), ({ payment }) => payeeOf(payment), {
    mask: maskedPayee,
    column: { isProse: true, text: payeeText },
  })`who receives the money, or pays a charge: the name in an event, else of the payee, else the key or the id of the refunded payment`,
  own('party', orNull(TEXT), ({ payment }) => payment.partyName, {
    mask: maskText,
    column: { isProse: true, text: partyText },
  })`the name of the other party: who pays a charge, receives a transfer, or paid what a refund returns; that in an event, else in the file of the batch, else that of the payee, else as typed when the charge was created. Text lists show the key of a transfer without a name`,
  field('ref', orNull(TEXT), ({ payment }) => payment.ownReference, {
    path: 'pixgate.ownReference',
    column: { isProse: true, text: referenceText, id: referenceText },
  })`your own reference: the request number of a charge and of the charge that a refund returns; of a transfer the number in the file (invoice, order), else its external id, else the reference of the file. Text lists show the id of the refunded payment without one`,
  own(
    'outcome',
    enumOf(...OUTCOMES),
    (listed) => shownAttempt(listed).outcome,
  )`what became of the request: \`accepted\`, \`refused\`, \`unknown\`, …`,
  own('state', enumOf(...PAYMENT_STATES), ({ payment, attempt }) => (attempt ?? payment.summary).state, {
    column: { colour: colourOfState },
  })`what is known of the payment: see [the states](ledger.md)`,
  own('attempts', COUNT, ({ payment }) => payment.summary.attempts.length, {
    column: { align: 'right' },
  })`how many attempts there are`,
  own('errorCode', orNull(TEXT), (listed) => reasonOf(shownAttempt(listed)).errorCode, {
    column: { drop: 5 },
  })`why it failed, as a code`,
  field('reason', orNull(TEXT), (listed) => reasonOf(shownAttempt(listed)).errorMessage, {
    path: 'pixgate.errorMessage',
    mask: maskText,
    column: { isProse: true, drop: 4 },
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
  ...['user', 'machine', 'attempts', 'id', 'party', 'ref'],
]
