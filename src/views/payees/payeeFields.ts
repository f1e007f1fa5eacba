import { type KnownPayee, PAYEE_STATES } from '../../ledger/payees.ts'
import { parseInstant } from '../../pix/calendar.ts'
import { formatKey, KEY_TYPES } from '../../pix/pixKey.ts'
import { formatTaxDocument, maskTaxDocument } from '../../pix/taxDocument.ts'
import { enumOf, INSTANT, orNull, TEXT } from '../../schemas/jsonSchema.ts'
import type { Field } from '../../terminal/fields.ts'
import { maskedDocument } from '../../terminal/fields.ts'
import type { Document } from '../../terminal/printer.ts'
import { maskKey } from '../personalData.ts'
import { instantText } from '../valueText.ts'

/** A payee, and its document as it is shown: masked or whole. */
export interface ListedPayee {
  payee: KnownPayee
  document: Document
}

/** What is shown of a payee, in the order of its JSON. A new field is a row here. */
export const PAYEE_FIELDS = [
  {
    name: 'name',
    path: 'name',
    json: ({ name }) => name,
    schema: TEXT,
    mask: 'public',
    csv: 1,
    meaning: 'by which `transfer --to` and the column `payee` of a file take it, in any case',
  },
  {
    name: 'displayName',
    path: 'displayName',
    json: ({ displayName }) => displayName,
    schema: orNull(TEXT),
    mask: 'public',
    column: { isProse: true, drop: 3 },
    csv: 2,
    meaning: 'the name that people see in lists and receipts',
  },
  {
    name: 'key',
    path: 'key',
    json: ({ key }) => key,
    schema: TEXT,
    mask: (key, { keyType }) => maskKey(key, String(keyType)),
    column: {
      text: ({ document: { key }, payee }) => (key === payee.key ? formatKey(payee.key, payee.keyType) : String(key)),
    },
    csv: 3,
    meaning: 'PIX key',
  },
  {
    name: 'keyType',
    path: 'keyType',
    json: ({ keyType }) => keyType,
    schema: enumOf(...KEY_TYPES),
    mask: 'public',
    column: { drop: 5 },
    csv: 4,
    meaning: 'type of that key',
  },
  {
    name: 'owner',
    path: 'owner',
    json: ({ documentValidation }) => documentValidation,
    schema: orNull(TEXT),
    mask: maskTaxDocument,
    column: {
      text: ({ document: { owner } }) => (typeof owner === 'string' ? formatTaxDocument(owner) : '—'),
      drop: 4,
    },
    csv: 5,
    meaning: 'the CPF or CNPJ that must own the key, which is always sent',
  },
  {
    name: 'state',
    path: 'state',
    json: ({ state }) => state,
    schema: enumOf(...PAYEE_STATES),
    mask: 'public',
    column: { colour: ({ payee }, style) => (payee.state === 'confirmed' ? style : style.yellow) },
    csv: 6,
    meaning: '`new` or `changed` until an event confirms a payment to its key, then `confirmed`',
  },
  {
    name: 'changedAt',
    path: 'changedAt',
    json: ({ changedAt }) => changedAt,
    schema: INSTANT,
    mask: 'public',
    column: { text: ({ payee }) => instantText(parseInstant(payee.changedAt) ?? null), drop: 2 },
    csv: 7,
    meaning: 'when its key or owner was set last',
  },
  {
    name: 'changedBy',
    path: 'changedBy',
    json: ({ changedBy }) => changedBy,
    schema: TEXT,
    mask: 'public',
    column: { drop: 1 },
    csv: 8,
    meaning: 'by whom',
  },
] as const satisfies readonly Field<KnownPayee, ListedPayee>[]

/** A document of a payee with its key and its owner masked. */
export function maskedPayee(document: Document): Document {
  return maskedDocument(PAYEE_FIELDS, document)
}
