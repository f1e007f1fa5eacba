import { amountCentsOf } from '../../ledger/derivePayment.ts'
import { eventNumber } from '../../ledger/events.ts'
import { PAYMENT_KINDS } from '../../ledger/facts.ts'
import { PAYMENT_STATES } from '../../ledger/paymentState.ts'
import { type EventRecord, FINDINGS, type FindingRecord, type LedgerRecord } from '../../ledger/records.ts'
import { knownBy, payeeOf, reasonOf } from '../../payments/explanation.ts'
import { reaisOrNull } from '../../pix/amount.ts'
import { formatTaxDocument, maskTaxDocument } from '../../pix/taxDocument.ts'
import { ENVIRONMENTS } from '../../profiles/settings.ts'
import {
  ADDRESS,
  BOOLEAN,
  COUNT,
  enumOf,
  INSTANT,
  list,
  OBJECT,
  orNull,
  REAIS,
  TEXT,
} from '../../schemas/jsonSchema.ts'
import { addedField, type Field, field, type Members, schemaOfMembers } from '../../terminal/fields.ts'
import { cellText, valueAt } from '../../terminal/printer.ts'
import { t } from '../../text/translate.ts'
import { OUTCOMES } from '../../wire/errors.ts'
import { amountText, maskKey, maskText } from '../valueText.ts'
import {
  BEING_SENT_MEMBERS,
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

const REFUND_MEMBERS = {
  id: { schema: TEXT, mask: 'public' },
  idTransaction: { schema: orNull(TEXT), mask: 'public' },
  amount: { schema: orNull(REAIS), mask: 'public' },
  reason: { schema: orNull(TEXT), mask: maskText },
  state: { schema: enumOf(...PAYMENT_STATES), mask: 'public' },
  status: { schema: orNull(TEXT), mask: 'public' },
  at: { schema: INSTANT, mask: 'public' },
  user: { schema: TEXT, mask: 'public' },
  machine: { schema: TEXT, mask: 'public' },
} satisfies Members

const PROSE = { schema: TEXT, mask: maskText }

/** What single commands add to the JSON of a payment. */
const ADDED_FIELDS = [
  addedField('paidAt', 'when a charge was paid, as the gateway answered', orNull(INSTANT), {
    column: { drop: 2, text: (item) => timeText(item, 'paidAt') },
  }),
  addedField('nameInFile', 'in `history show`: the name in the file of the batch', orNull(TEXT), {
    path: 'pixgate.nameInFile',
    mask: maskText,
  }),
  addedField('nameInEvent', 'the name that an event of the payment has', orNull(TEXT), {
    path: 'pixgate.nameInEvent',
    mask: maskText,
  }),
  addedField(
    'namesDiffer',
    'these names differ: compared without case, accents, punctuation and company suffixes such as `LTDA`; empty unless both are known',
    orNull(BOOLEAN),
    { path: 'pixgate.namesDiffer' },
  ),
  addedField('refundedAmount', 'what was refunded', orNull(REAIS), { path: 'pixgate.refundedAmount', column: null }),
  addedField('refunds', 'the refunds', list(schemaOfMembers(REFUND_MEMBERS)), {
    path: 'pixgate.refunds',
    members: REFUND_MEMBERS,
    column: null,
  }),
  addedField(
    'verdict',
    'how it compares with what was expected, or with what the statement or the gateway says',
    enumOf(...VERDICTS),
    { path: 'pixgate.verdict', column: { colour: verdictColour } },
  ),
  addedField('in', 'what differs', list(enumOf(...DIFFERENCES)), {
    path: 'pixgate.differences',
    column: { drop: 1, text: differencesText },
  }),
  addedField(
    'matchedBy',
    'how a line of a statement was matched: by our id, or by amount, day and name; empty if it was not',
    orNull(enumOf('id', 'by-amount')),
    { path: 'pixgate.matchedBy' },
  ),
  addedField(
    'ambiguous',
    'several payments or lines of a statement agree, and it is not known which belong together',
    BOOLEAN,
    { path: 'pixgate.ambiguous' },
  ),
  addedField('possibleEvents', 'in `history show`: the numbers of events that may be about it', list(orNull(COUNT)), {
    column: null,
  }),
  addedField('attemptDetails', 'in `history show`: each attempt', list(OBJECT), {
    path: 'attempts',
    members: { errorMessage: PROSE, 'finding.because': PROSE },
    column: null,
  }),
  addedField('answers', 'in `history show`: what the gateway answered to each request', list(OBJECT), {
    members: { message: PROSE },
    column: null,
  }),
  addedField('events', 'in `history show`: the events of the payment', list(OBJECT), {
    members: { errorMessage: PROSE },
    column: null,
  }),
  addedField('findings', 'in `history show`: what people found out', list(OBJECT), {
    members: { because: PROSE },
    column: null,
  }),
  addedField('timeline', 'in `history show`: all records, in the order in which they were written', list(OBJECT), {
    members: { message: PROSE, errorMessage: PROSE, because: PROSE },
    column: null,
  }),
] as const satisfies readonly Field<never, PaymentItem>[]

/** How a payment was requested: when, by whom, and from which file. */
const REQUEST_FIELDS = [
  field('date', 'when the payment was recorded', INSTANT, (listed) => shownRecord(listed).at, {
    path: 'pixgate.at',
    column: { text: (item) => timeText(item, 'pixgate.at') },
  }),
  field('user', 'who created it', TEXT, (listed) => shownRecord(listed).user, { path: 'pixgate.user', csv: 11 }),
  field('machine', 'on which machine', TEXT, (listed) => shownRecord(listed).machine, {
    path: 'pixgate.machine',
    csv: 12,
  }),
  field(
    'storedBy',
    'whose login stored it in the ledger: another one only if a shared ledger took it over from another ledger',
    TEXT,
    (listed) => shownRecord(listed).login,
    { path: 'pixgate.storedBy' },
  ),
  field(
    'owner',
    'the CPF or CNPJ that must own the key of a transfer',
    orNull(TEXT),
    ({ payment: { facts } }) => (facts.kind === 'transfer' ? facts.documentValidation : undefined),
    {
      path: 'pixgate.owner',
      mask: maskTaxDocument,
      column: { text: ({ document }) => formatTaxDocument(cellText(valueAt(document, 'pixgate.owner'))) },
      label: () => t`owner`,
    },
  ),
  field(
    'payeeName',
    'the name of the payee to whom a transfer went, see `pixgate payee`; null if it was sent to a key',
    orNull(TEXT),
    ({ payment: { facts } }) => (facts.kind === 'transfer' ? facts.payee : undefined),
    { path: 'pixgate.payeeName' },
  ),
  field(
    'refundReason',
    'why a refund was requested',
    TEXT,
    ({ payment: { facts } }) => (facts.kind === 'refund' ? facts.refundReason : undefined),
    { path: 'pixgate.reason', mask: maskText },
  ),
  field('run', 'the run of a batch that sent it', orNull(TEXT), (listed) => placeOf(listed)?.run, {
    path: 'pixgate.run',
    csv: 6,
  }),
  field('line', "the line of the batch's file", orNull(COUNT), (listed) => placeOf(listed)?.line, {
    path: 'pixgate.line',
    column: { align: 'right' },
    csv: 7,
  }),
  field('reference', 'of the batch', orNull(TEXT), (listed) => placeOf(listed)?.reference, {
    path: 'pixgate.reference',
    csv: 5,
  }),
] as const satisfies readonly Field<ListedPayment, PaymentItem>[]

type EvidenceField = Field<ListedPayment, PaymentItem>

const FINDING_MEMBERS = {
  as: { schema: enumOf(...FINDINGS), mask: 'public' },
  because: { schema: TEXT, mask: maskText },
  at: { schema: INSTANT, mask: 'public' },
  user: { schema: TEXT, mask: 'public' },
  machine: { schema: TEXT, mask: 'public' },
} satisfies Members

const EVENT_MEMBERS = {
  n: { schema: orNull(COUNT), mask: 'public' },
  event: { schema: orNull(TEXT), mask: 'public' },
  status: { schema: orNull(TEXT), mask: 'public' },
  amount: { schema: orNull(REAIS), mask: 'public' },
  at: { schema: INSTANT, mask: 'public' },
} satisfies Members

/** What decided the state of a payment, and which attempt is told about: the end of its JSON. */
const EVIDENCE_FIELDS = [
  field(
    'beingSent',
    'with a shared ledger: who is sending a request whose answer is not recorded yet, and `until` when it may leave; after that time its outcome is unknown',
    orNull(schemaOfMembers(BEING_SENT_MEMBERS)),
    ({ payment }) => beingSentOf(payment),
    { path: 'pixgate.beingSent', members: BEING_SENT_MEMBERS },
  ),
  field(
    'finding',
    'what a person found out',
    orNull(schemaOfMembers(FINDING_MEMBERS)),
    (listed) => findingJson(shownAttempt(listed).finding),
    { path: 'pixgate.finding', members: FINDING_MEMBERS },
  ),
  field(
    'event',
    'the event that tells the state',
    orNull(schemaOfMembers(EVENT_MEMBERS)),
    (listed) => eventJson(shownAttempt(listed).event),
    { path: 'pixgate.event', members: EVENT_MEMBERS },
  ),
  field('warnings', 'what to beware of', list(TEXT), () => [], { path: 'pixgate.warnings' }),
  field('attempt', 'with `--attempts`: number of this attempt', COUNT, ({ attempt }) => attempt?.record.number, {
    path: 'pixgate.attempt',
    column: { align: 'right', drop: 3 },
  }),
  field('attemptId', 'with `--attempts`: its id', TEXT, ({ attempt }) => attempt?.record.id, {
    path: 'pixgate.attemptId',
  }),
] as const satisfies readonly EvidenceField[]

/** What a person found out, as JSON. */
export function findingJson(finding: LedgerRecord<FindingRecord> | null) {
  if (finding === null) return null
  const { as, because, at, user, machine } = finding
  return { as, because, at, user, machine }
}

/** An event as the JSON of its payment has it; the amount in reais. */
export function eventJson(record: LedgerRecord<EventRecord> | null) {
  if (record === null) return null
  const { event, status, amountCents, at } = record
  return { n: eventNumber(record), event, status, amount: reaisOrNull(amountCents), at }
}

/** A field of a payment: in the JSON of a payment or an attempt, and in lists. */
type PaymentField = Field<ListedPayment, PaymentItem>

/** What is shown of a payment, in the order of its JSON. A new field is a row here. */
export const PAYMENT_FIELDS = [
  field(
    'idTransaction',
    "the gateway's id",
    orNull(TEXT),
    ({ payment, attempt }) => (attempt ?? payment.summary).idTransaction,
    { column: { id: ({ document }) => cellText(document.idTransaction), shortHeader: 'id' } },
  ),
  field('requestNumber', 'the number of a charge', TEXT, (listed) =>
    listed.payment.facts.kind === 'qr' ? listed.payment.givenId : undefined,
  ),
  field('externalId', 'external id of a transfer', orNull(TEXT), (listed) =>
    listed.payment.facts.kind === 'transfer' ? nameOf(listed) : undefined,
  ),
  field('originalTransactionId', 'the payment that a refund returns', TEXT, ({ payment: { facts } }) =>
    facts.kind === 'refund' ? facts.originalTransactionId : undefined,
  ),
  field(
    'status',
    "the gateway's status, such as `PAID_OUT`; text lists of `status` show the state if there is none, and the error code if the lookup failed",
    orNull(TEXT),
    statusOf,
    { column: { isProse: true, text: statusText, colour: colourOfStatus }, csv: 1 },
  ),
  field(
    'amount',
    'in reais',
    orNull(REAIS),
    ({ payment, attempt }) => reaisOrNull(attempt === null ? payment.amountCents : amountCentsOf(attempt)),
    { column: { align: 'right', text: ({ amountCents }) => amountText(amountCents) } },
  ),
  field(
    'key',
    'PIX key of a transfer',
    TEXT,
    ({ payment: { facts } }) => (facts.kind === 'transfer' ? facts.key : undefined),
    { mask: (key, { typeKey }) => maskKey(key, String(typeKey)), column: { text: keyText }, csv: 2 },
  ),
  field('typeKey', 'type of that key', TEXT, ({ payment: { facts } }) =>
    facts.kind === 'transfer' ? facts.keyType : undefined,
  ),
  field('id', "pixgate's own id, accepted by every command that takes a payment", TEXT, ({ payment }) => payment.id, {
    path: 'pixgate.id',
    csv: 14,
  }),
  field('profile', 'the profile it was created with', orNull(TEXT), ({ payment }) => payment.owner.profile, {
    path: 'pixgate.profile',
    csv: 8,
  }),
  field(
    'environment',
    '`production` or `sandbox`',
    enumOf(...ENVIRONMENTS),
    ({ payment }) => payment.owner.environment,
    { path: 'pixgate.environment', csv: 9 },
  ),
  field('account', "the gateway's address", ADDRESS, ({ payment }) => payment.owner.baseUrl, {
    path: 'pixgate.baseUrl',
    column: { drop: 6 },
    csv: 10,
  }),
  field(
    'kind',
    '`qr` (a charge), `transfer` or `refund`',
    enumOf(...PAYMENT_KINDS),
    ({ payment }) => payment.facts.kind,
    { path: 'pixgate.kind', column: { drop: 2 } },
  ),
  field(
    'name',
    'how people refer to it: external id, request number, or id of the refunded payment',
    orNull(TEXT),
    nameOf,
    { path: 'pixgate.name', column: { id: ({ document }) => cellText(valueAt(document, 'pixgate.name')) } },
  ),
  field(
    'payee',
    'who receives the money, or pays a charge: the name in an event, else of the payee, else the key or the id of the refunded payment',
    orNull(TEXT),
    ({ payment }) => payeeOf(payment),
    { path: 'pixgate.payee', mask: maskedPayee, column: { isProse: true, text: payeeText } },
  ),
  field(
    'party',
    'the name of the other party: who pays a charge, receives a transfer, or paid what a refund returns; that in an event, else in the file of the batch, else that of the payee, else as typed when the charge was created. Text lists show the key of a transfer without a name',
    orNull(TEXT),
    ({ payment }) => payment.partyName,
    { path: 'pixgate.party', mask: maskText, column: { isProse: true, text: partyText }, csv: 15 },
  ),
  field(
    'ref',
    'your own reference: the request number of a charge and of the charge that a refund returns; of a transfer the number in the file (invoice, order), else its external id, else the reference of the file. Text lists show the id of the refunded payment without one',
    orNull(TEXT),
    ({ payment }) => payment.ownReference,
    { path: 'pixgate.ownReference', column: { isProse: true, text: referenceText, id: referenceText }, csv: 16 },
  ),
  field(
    'outcome',
    'what became of the request: `accepted`, `refused`, `unknown`, …',
    enumOf(...OUTCOMES),
    (listed) => shownAttempt(listed).outcome,
    { path: 'pixgate.outcome' },
  ),
  field(
    'state',
    'what is known of the payment: see [the states](ledger.md)',
    enumOf(...PAYMENT_STATES),
    ({ payment, attempt }) => (attempt ?? payment.summary).state,
    { path: 'pixgate.state', column: { colour: colourOfState } },
  ),
  field('attempts', 'how many attempts there are', COUNT, ({ payment }) => payment.summary.attempts.length, {
    path: 'pixgate.attempts',
    column: { align: 'right' },
    csv: 13,
  }),
  field('errorCode', 'why it failed, as a code', orNull(TEXT), (listed) => reasonOf(shownAttempt(listed)).errorCode, {
    path: 'pixgate.errorCode',
    column: { drop: 5 },
    csv: 3,
  }),
  field('reason', 'why it failed, in words', orNull(TEXT), (listed) => reasonOf(shownAttempt(listed)).errorMessage, {
    path: 'pixgate.errorMessage',
    mask: maskText,
    column: { isProse: true, drop: 4 },
    csv: 4,
  }),
  field(
    'knownBy',
    'what tells the state: the `gateway`, an `event`, a `person`, or only the `ledger`',
    enumOf('gateway', 'event', 'person', 'ledger'),
    (listed) => knownBy(shownAttempt(listed)),
    { path: 'pixgate.knownBy' },
  ),
  field(
    'requestedBy',
    'who made the plan that a second person approved',
    orNull(TEXT),
    (listed) => shownAttempt(listed).record.requestedBy ?? null,
    { path: 'pixgate.requestedBy', label: () => t`requested by` },
  ),
  field(
    'approvedBy',
    'who approved that plan',
    orNull(TEXT),
    (listed) => shownAttempt(listed).record.approvedBy ?? null,
    { path: 'pixgate.approvedBy', label: () => t`approved by` },
  ),
  ...REQUEST_FIELDS,
  ...EVIDENCE_FIELDS,
  ...ADDED_FIELDS,
] as const satisfies readonly PaymentField[]
