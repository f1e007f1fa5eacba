import { amountCentsOf } from '../../ledger/derivePayment.ts'
import { eventNumber } from '../../ledger/events.ts'
import { PAYMENT_KINDS } from '../../ledger/facts.ts'
import { PAYMENT_STATES } from '../../ledger/paymentState.ts'
import { type EventRecord, FINDINGS, type FindingRecord, type LedgerRecord } from '../../ledger/records.ts'
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
  orNull,
  REAIS,
  TEXT,
} from '../../schemas/jsonSchema.ts'
import { type Field, type Members, schemaOfMembers } from '../../terminal/fields.ts'
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
  {
    name: 'paidAt',
    path: 'paidAt',
    schema: orNull(INSTANT),
    mask: 'public',
    column: { drop: 2, text: (item) => timeText(item, 'paidAt') },
    meaning: 'when a charge was paid, as the gateway answered',
  },
  {
    name: 'nameInFile',
    path: 'pixgate.nameInFile',
    schema: orNull(TEXT),
    mask: maskText,
    meaning: 'in `history show`: the name in the file of the batch',
  },
  {
    name: 'nameInEvent',
    path: 'pixgate.nameInEvent',
    schema: orNull(TEXT),
    mask: maskText,
    meaning: 'the name that an event of the payment has',
  },
  {
    name: 'namesDiffer',
    path: 'pixgate.namesDiffer',
    schema: orNull(BOOLEAN),
    mask: 'public',
    meaning:
      'these names differ: compared without case, accents, punctuation and company suffixes such as `LTDA`; empty unless both are known',
  },
  {
    name: 'refundedAmount',
    path: 'pixgate.refundedAmount',
    schema: orNull(REAIS),
    mask: 'public',
    column: null,
    meaning: 'what was refunded',
  },
  {
    name: 'refunds',
    path: 'pixgate.refunds',
    schema: list(schemaOfMembers(REFUND_MEMBERS)),
    mask: 'public',
    members: REFUND_MEMBERS,
    column: null,
    meaning: 'the refunds',
  },
  {
    name: 'verdict',
    path: 'pixgate.verdict',
    schema: enumOf(...VERDICTS),
    mask: 'public',
    column: { colour: verdictColour },
    meaning: 'how it compares with what was expected, or with what the statement or the gateway says',
  },
  {
    name: 'in',
    path: 'pixgate.differences',
    schema: list(enumOf(...DIFFERENCES)),
    mask: 'public',
    column: { drop: 1, text: differencesText },
    meaning: 'what differs',
  },
  {
    name: 'matchedBy',
    path: 'pixgate.matchedBy',
    schema: orNull(enumOf('id', 'by-amount')),
    mask: 'public',
    meaning: 'how a line of a statement was matched: by our id, or by amount, day and name; empty if it was not',
  },
  {
    name: 'ambiguous',
    path: 'pixgate.ambiguous',
    schema: BOOLEAN,
    mask: 'public',
    meaning: 'several payments or lines of a statement agree, and it is not known which belong together',
  },
  {
    name: 'possibleEvents',
    path: 'possibleEvents',
    schema: list(orNull(COUNT)),
    mask: 'public',
    column: null,
    meaning: 'in `history show`: the numbers of events that may be about it',
  },
  {
    name: 'attemptDetails',
    path: 'attempts',
    schema: list(OBJECT),
    mask: 'public',
    members: { errorMessage: PROSE, 'finding.because': PROSE },
    column: null,
    meaning: 'in `history show`: each attempt',
  },
  {
    name: 'answers',
    path: 'answers',
    schema: list(OBJECT),
    mask: 'public',
    members: { message: PROSE },
    column: null,
    meaning: 'in `history show`: what the gateway answered to each request',
  },
  {
    name: 'events',
    path: 'events',
    schema: list(OBJECT),
    mask: 'public',
    members: { errorMessage: PROSE },
    column: null,
    meaning: 'in `history show`: the events of the payment',
  },
  {
    name: 'findings',
    path: 'findings',
    schema: list(OBJECT),
    mask: 'public',
    members: { because: PROSE },
    column: null,
    meaning: 'in `history show`: what people found out',
  },
  {
    name: 'timeline',
    path: 'timeline',
    schema: list(OBJECT),
    mask: 'public',
    members: { message: PROSE, errorMessage: PROSE, because: PROSE },
    column: null,
    meaning: 'in `history show`: all records, in the order in which they were written',
  },
] as const satisfies readonly Field<never, PaymentItem>[]

/** How a payment was requested: when, by whom, and from which file. */
const REQUEST_FIELDS = [
  {
    name: 'date',
    path: 'pixgate.at',
    json: (listed) => shownRecord(listed).at,
    schema: INSTANT,
    mask: 'public',
    column: { text: (item) => timeText(item, 'pixgate.at') },
    meaning: 'when the payment was recorded',
  },
  {
    name: 'user',
    path: 'pixgate.user',
    json: (listed) => shownRecord(listed).user,
    schema: TEXT,
    mask: 'public',
    csv: 11,
    meaning: 'who created it',
  },
  {
    name: 'machine',
    path: 'pixgate.machine',
    json: (listed) => shownRecord(listed).machine,
    schema: TEXT,
    mask: 'public',
    csv: 12,
    meaning: 'on which machine',
  },
  {
    name: 'storedBy',
    path: 'pixgate.storedBy',
    json: (listed) => shownRecord(listed).login,
    schema: TEXT,
    mask: 'public',
    meaning:
      'whose login stored it in the ledger: another one only if a shared ledger took it over from another ledger',
  },
  {
    name: 'owner',
    path: 'pixgate.owner',
    json: ({ payment: { facts } }) => (facts.kind === 'transfer' ? facts.documentValidation : undefined),
    schema: orNull(TEXT),
    mask: maskTaxDocument,
    column: { text: ({ document }) => formatTaxDocument(cellText(valueAt(document, 'pixgate.owner'))) },
    label: () => t`owner`,
    meaning: 'the CPF or CNPJ that must own the key of a transfer',
  },
  {
    name: 'payeeName',
    path: 'pixgate.payeeName',
    json: ({ payment: { facts } }) => (facts.kind === 'transfer' ? facts.payee : undefined),
    schema: orNull(TEXT),
    mask: 'public',
    meaning: 'the name of the payee to whom a transfer went, see `pixgate payee`; null if it was sent to a key',
  },
  {
    name: 'refundReason',
    path: 'pixgate.reason',
    json: ({ payment: { facts } }) => (facts.kind === 'refund' ? facts.refundReason : undefined),
    schema: TEXT,
    mask: maskText,
    meaning: 'why a refund was requested',
  },
  {
    name: 'run',
    path: 'pixgate.run',
    json: (listed) => placeOf(listed)?.run,
    schema: orNull(TEXT),
    mask: 'public',
    csv: 6,
    meaning: 'the run of a batch that sent it',
  },
  {
    name: 'line',
    path: 'pixgate.line',
    json: (listed) => placeOf(listed)?.line,
    schema: orNull(COUNT),
    mask: 'public',
    column: { align: 'right' },
    csv: 7,
    meaning: "the line of the batch's file",
  },
  {
    name: 'reference',
    path: 'pixgate.reference',
    json: (listed) => placeOf(listed)?.reference,
    schema: orNull(TEXT),
    mask: 'public',
    csv: 5,
    meaning: 'of the batch',
  },
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
  {
    name: 'beingSent',
    path: 'pixgate.beingSent',
    json: ({ payment }) => beingSentOf(payment),
    schema: orNull(schemaOfMembers(BEING_SENT_MEMBERS)),
    mask: 'public',
    members: BEING_SENT_MEMBERS,
    meaning:
      'with a shared ledger: who is sending a request whose answer is not recorded yet, and `until` when it may leave; after that time its outcome is unknown',
  },
  {
    name: 'finding',
    path: 'pixgate.finding',
    json: (listed) => findingJson(shownAttempt(listed).finding),
    schema: orNull(schemaOfMembers(FINDING_MEMBERS)),
    mask: 'public',
    members: FINDING_MEMBERS,
    meaning: 'what a person found out',
  },
  {
    name: 'event',
    path: 'pixgate.event',
    json: (listed) => eventJson(shownAttempt(listed).event),
    schema: orNull(schemaOfMembers(EVENT_MEMBERS)),
    mask: 'public',
    members: EVENT_MEMBERS,
    meaning: 'the event that tells the state',
  },
  {
    name: 'warnings',
    path: 'pixgate.warnings',
    json: () => [],
    schema: list(TEXT),
    mask: 'public',
    meaning: 'what to beware of',
  },
  {
    name: 'attempt',
    path: 'pixgate.attempt',
    json: ({ attempt }) => attempt?.record.number,
    schema: COUNT,
    mask: 'public',
    column: { align: 'right', drop: 3 },
    meaning: 'with `--attempts`: number of this attempt',
  },
  {
    name: 'attemptId',
    path: 'pixgate.attemptId',
    json: ({ attempt }) => attempt?.record.id,
    schema: TEXT,
    mask: 'public',
    meaning: 'with `--attempts`: its id',
  },
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
  {
    name: 'idTransaction',
    path: 'idTransaction',
    json: ({ payment, attempt }) => (attempt ?? payment.summary).idTransaction,
    schema: orNull(TEXT),
    mask: 'public',
    column: { id: ({ document }) => cellText(document.idTransaction), shortHeader: 'id' },
    meaning: "the gateway's id",
  },
  {
    name: 'requestNumber',
    path: 'requestNumber',
    json: (listed) => (listed.payment.facts.kind === 'qr' ? listed.payment.givenId : undefined),
    schema: TEXT,
    mask: 'public',
    meaning: 'the number of a charge',
  },
  {
    name: 'externalId',
    path: 'externalId',
    json: (listed) => (listed.payment.facts.kind === 'transfer' ? nameOf(listed) : undefined),
    schema: orNull(TEXT),
    mask: 'public',
    meaning: 'external id of a transfer',
  },
  {
    name: 'originalTransactionId',
    path: 'originalTransactionId',
    json: ({ payment: { facts } }) => (facts.kind === 'refund' ? facts.originalTransactionId : undefined),
    schema: TEXT,
    mask: 'public',
    meaning: 'the payment that a refund returns',
  },
  {
    name: 'status',
    path: 'status',
    json: statusOf,
    schema: orNull(TEXT),
    mask: 'public',
    column: { isProse: true, text: statusText, colour: colourOfStatus },
    csv: 1,
    meaning:
      "the gateway's status, such as `PAID_OUT`; text lists of `status` show the state if there is none, and the error code if the lookup failed",
  },
  {
    name: 'amount',
    path: 'amount',
    json: ({ payment, attempt }) => reaisOrNull(attempt === null ? payment.amountCents : amountCentsOf(attempt)),
    schema: orNull(REAIS),
    mask: 'public',
    column: { align: 'right', text: ({ amountCents }) => amountText(amountCents) },
    meaning: 'in reais',
  },
  {
    name: 'key',
    path: 'key',
    json: ({ payment: { facts } }) => (facts.kind === 'transfer' ? facts.key : undefined),
    schema: TEXT,
    mask: (key, { typeKey }) => maskKey(key, String(typeKey)),
    column: { text: keyText },
    csv: 2,
    meaning: 'PIX key of a transfer',
  },
  {
    name: 'typeKey',
    path: 'typeKey',
    json: ({ payment: { facts } }) => (facts.kind === 'transfer' ? facts.keyType : undefined),
    schema: TEXT,
    mask: 'public',
    meaning: 'type of that key',
  },
  {
    name: 'id',
    path: 'pixgate.id',
    json: ({ payment }) => payment.id,
    schema: TEXT,
    mask: 'public',
    csv: 14,
    meaning: "pixgate's own id, accepted by every command that takes a payment",
  },
  {
    name: 'profile',
    path: 'pixgate.profile',
    json: ({ payment }) => payment.owner.profile,
    schema: orNull(TEXT),
    mask: 'public',
    csv: 8,
    meaning: 'the profile it was created with',
  },
  {
    name: 'environment',
    path: 'pixgate.environment',
    json: ({ payment }) => payment.owner.environment,
    schema: enumOf(...ENVIRONMENTS),
    mask: 'public',
    csv: 9,
    meaning: '`production` or `sandbox`',
  },
  {
    name: 'account',
    path: 'pixgate.baseUrl',
    json: ({ payment }) => payment.owner.baseUrl,
    schema: ADDRESS,
    mask: 'public',
    column: { drop: 6 },
    csv: 10,
    meaning: "the gateway's address",
  },
  {
    name: 'kind',
    path: 'pixgate.kind',
    json: ({ payment }) => payment.facts.kind,
    schema: enumOf(...PAYMENT_KINDS),
    mask: 'public',
    column: { drop: 2 },
    meaning: '`qr` (a charge), `transfer` or `refund`',
  },
  {
    name: 'name',
    path: 'pixgate.name',
    json: nameOf,
    schema: orNull(TEXT),
    mask: 'public',
    column: { id: ({ document }) => cellText(valueAt(document, 'pixgate.name')) },
    meaning: 'how people refer to it: external id, request number, or id of the refunded payment',
  },
  {
    name: 'payee',
    path: 'pixgate.payee',
    json: ({ payment }) => payeeOf(payment),
    schema: orNull(TEXT),
    mask: maskedPayee,
    column: { isProse: true, text: payeeText },
    meaning:
      'who receives the money, or pays a charge: the name in an event, else of the payee, else the key or the id of the refunded payment',
  },
  {
    name: 'party',
    path: 'pixgate.party',
    json: ({ payment }) => payment.partyName,
    schema: orNull(TEXT),
    mask: maskText,
    column: { isProse: true, text: partyText },
    csv: 15,
    meaning:
      'the name of the other party: who pays a charge, receives a transfer, or paid what a refund returns; that in an event, else in the file of the batch, else that of the payee, else as typed when the charge was created. Text lists show the key of a transfer without a name',
  },
  {
    name: 'ref',
    path: 'pixgate.ownReference',
    json: ({ payment }) => payment.ownReference,
    schema: orNull(TEXT),
    mask: 'public',
    column: { isProse: true, text: referenceText, id: referenceText },
    csv: 16,
    meaning:
      'your own reference: the request number of a charge and of the charge that a refund returns; of a transfer the number in the file (invoice, order), else its external id, else the reference of the file. Text lists show the id of the refunded payment without one',
  },
  {
    name: 'outcome',
    path: 'pixgate.outcome',
    json: (listed) => shownAttempt(listed).outcome,
    schema: enumOf(...OUTCOMES),
    mask: 'public',
    meaning: 'what became of the request: `accepted`, `refused`, `unknown`, …',
  },
  {
    name: 'state',
    path: 'pixgate.state',
    json: ({ payment, attempt }) => (attempt ?? payment.summary).state,
    schema: enumOf(...PAYMENT_STATES),
    mask: 'public',
    column: { colour: colourOfState },
    meaning: 'what is known of the payment: see [the states](ledger.md)',
  },
  {
    name: 'attempts',
    path: 'pixgate.attempts',
    json: ({ payment }) => payment.summary.attempts.length,
    schema: COUNT,
    mask: 'public',
    column: { align: 'right' },
    csv: 13,
    meaning: 'how many attempts there are',
  },
  {
    name: 'errorCode',
    path: 'pixgate.errorCode',
    json: (listed) => reasonOf(shownAttempt(listed)).errorCode,
    schema: orNull(TEXT),
    mask: 'public',
    column: { drop: 5 },
    csv: 3,
    meaning: 'why it failed, as a code',
  },
  {
    name: 'reason',
    path: 'pixgate.errorMessage',
    json: (listed) => reasonOf(shownAttempt(listed)).errorMessage,
    schema: orNull(TEXT),
    mask: maskText,
    column: { isProse: true, drop: 4 },
    csv: 4,
    meaning: 'why it failed, in words',
  },
  {
    name: 'knownBy',
    path: 'pixgate.knownBy',
    json: (listed) => knownBy(shownAttempt(listed)),
    schema: enumOf('gateway', 'event', 'person', 'ledger'),
    mask: 'public',
    meaning: 'what tells the state: the `gateway`, an `event`, a `person`, or only the `ledger`',
  },
  {
    name: 'requestedBy',
    path: 'pixgate.requestedBy',
    json: (listed) => shownAttempt(listed).record.requestedBy ?? null,
    schema: orNull(TEXT),
    mask: 'public',
    label: () => t`requested by`,
    meaning: 'who made the plan that a second person approved',
  },
  {
    name: 'approvedBy',
    path: 'pixgate.approvedBy',
    json: (listed) => shownAttempt(listed).record.approvedBy ?? null,
    schema: orNull(TEXT),
    mask: 'public',
    label: () => t`approved by`,
    meaning: 'who approved that plan',
  },
  ...REQUEST_FIELDS,
  ...EVIDENCE_FIELDS,
  ...ADDED_FIELDS,
] as const satisfies readonly PaymentField[]
