import { constant, enumOf, INSTANT, type JsonSchema, orNull, REAIS, record, TEXT, UUID } from './jsonSchema.ts'

const TRANSFER = { idTransaction: UUID, typeTransaction: constant('PIX_CASHOUT') }

/** The webhook bodies of the service by their events; `payment` is the general notification of dashboards. */
export const EVENT_SCHEMAS: Readonly<Record<string, JsonSchema>> = {
  'pix.received': envelope('pix.received', {
    idTransaction: UUID,
    status: TEXT,
    amount: REAIS,
    paidAt: orNull(INSTANT),
  }),
  'refund.status': {
    ...envelope(
      'refund.status',
      { idTransaction: UUID, status: TEXT, amount: REAIS, timestamp: INSTANT },
      { originalTransactionId: UUID },
    ),
    description:
      'Some services repeat the key `idTransaction` in place of `originalTransactionId`: first the refund, then the original.',
  },
  'transfer.completed': envelope('transfer.completed', {
    ...TRANSFER,
    statusTransaction: constant('PAID_OUT'),
    value: REAIS,
    destinationName: TEXT,
    destinationTaxId: TEXT,
    destinationBank: TEXT,
  }),
  'transfer.failed': envelope('transfer.failed', {
    ...TRANSFER,
    statusTransaction: enumOf('ERROR', 'CANCELED', 'RETURNED'),
    value: REAIS,
    errorCode: TEXT,
    errorMessage: TEXT,
  }),
  payment: record(
    {
      idTransaction: UUID,
      typeTransaction: constant('PIX'),
      statusTransaction: enumOf('PAID_OUT', 'CHARGEBACK'),
      value: REAIS,
    },
    {
      payerName: TEXT,
      payerTaxId: TEXT,
      paymentDate: {
        type: 'string',
        pattern: '^\\d{2}/\\d{2}/\\d{4} \\d{2}:\\d{2}:\\d{2}$',
        description: 'dd/MM/yyyy HH:mm:ss in São Paulo',
      },
    },
  ),
}

function envelope(
  event: string,
  required: Readonly<Record<string, JsonSchema>>,
  optional: Readonly<Record<string, JsonSchema>> = {},
): JsonSchema {
  return record({ event: constant(event), data: record(required, optional) })
}
