import { amountCentsOf } from '../../ledger/derivePayment.ts'
import { PAYMENT_KINDS } from '../../ledger/facts.ts'
import { PAYMENT_STATES } from '../../ledger/paymentState.ts'
import { knownBy, payeeOf, reasonOf } from '../../payments/explanation.ts'
import { reaisOrNull } from '../../pix/amount.ts'
import { ENVIRONMENTS } from '../../profiles/profile.ts'
import { ADDRESS, COUNT, enumOf, orNull, REAIS, TEXT } from '../../schemas/jsonSchema.ts'
import { cellText, valueAt } from '../../terminal/documentFields.ts'
import type { Field } from '../../terminal/fields.ts'
import { t } from '../../text/translate.ts'
import { OUTCOMES } from '../../wire/errors.ts'
import { maskKey, maskText } from '../personalData.ts'
import { amountText } from '../valueText.ts'
import { ADDED_FIELDS } from './addedFields.ts'
import { EVIDENCE_FIELDS } from './evidenceFields.ts'
import { type ListedPayment, nameOf, shownAttempt, statusOf } from './listedPayment.ts'
import {
  colourOfState,
  colourOfStatus,
  keyText,
  maskedPayee,
  type PaymentItem,
  partyText,
  payeeText,
  referenceText,
  statusText,
} from './paymentCells.ts'
import { REQUEST_FIELDS } from './requestFields.ts'

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
