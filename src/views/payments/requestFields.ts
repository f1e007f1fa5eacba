import { formatTaxDocument, maskTaxDocument } from '../../pix/taxDocument.ts'
import { COUNT, INSTANT, orNull, TEXT } from '../../schemas/jsonSchema.ts'
import { cellText, valueAt } from '../../terminal/documentFields.ts'
import type { Field } from '../../terminal/fields.ts'
import { t } from '../../text/translate.ts'
import { maskText } from '../personalData.ts'
import { type ListedPayment, placeOf, shownRecord } from './listedPayment.ts'
import { type PaymentItem, timeText } from './paymentCells.ts'

/** How a payment was requested: when, by whom, and from which file. */
export const REQUEST_FIELDS = [
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
