import { declared } from '../text/translate.ts'
import { keysOf } from '../wire/answers.ts'
import type { GENERAL_EVENT, PossibleEventName } from '../wire/eventFacts.ts'
import {
  constant,
  describe,
  enumOf,
  INSTANT,
  type JsonSchema,
  objectOf,
  orNull,
  PAYMENT_STATUS,
  REAIS,
  SETTLEMENT,
  TEXT,
  UUID,
  type ValueOf,
} from './jsonSchema.ts'

const TRANSFER = { idTransaction: UUID, typeTransaction: constant('PIX_CASHOUT') }

/** The webhook bodies of the service by their events; `payment` is the general notification of dashboards. */
export const EVENT_SCHEMAS = {
  'pix.received': objectOf({
    event: constant('pix.received'),
    data: objectOf({ idTransaction: UUID, status: PAYMENT_STATUS, amount: REAIS, paidAt: orNull(INSTANT) }),
  }),
  'refund.status': describe(
    'Some services repeat the key `idTransaction` in place of `originalTransactionId`: first the refund, then the original.',
    objectOf({
      event: constant('refund.status'),
      data: objectOf(
        { idTransaction: UUID, status: SETTLEMENT, amount: REAIS, timestamp: INSTANT },
        { originalTransactionId: UUID },
      ),
    }),
  ),
  'transfer.completed': objectOf({
    event: constant('transfer.completed'),
    data: objectOf({
      ...TRANSFER,
      statusTransaction: constant('PAID_OUT'),
      value: REAIS,
      destinationName: TEXT,
      destinationTaxId: TEXT,
      destinationBank: TEXT,
    }),
  }),
  'transfer.failed': objectOf({
    event: constant('transfer.failed'),
    data: objectOf({
      ...TRANSFER,
      statusTransaction: enumOf('ERROR', 'CANCELED', 'RETURNED'),
      value: REAIS,
      errorCode: TEXT,
      errorMessage: TEXT,
    }),
  }),
  payment: objectOf(
    {
      idTransaction: UUID,
      typeTransaction: constant('PIX'),
      statusTransaction: enumOf('PAID_OUT', 'CHARGEBACK'),
      value: REAIS,
    },
    {
      payerName: TEXT,
      payerTaxId: TEXT,
      paymentDate: describe('dd/MM/yyyy HH:mm:ss in São Paulo', {
        ...TEXT,
        pattern: '^\\d{2}/\\d{2}/\\d{4} \\d{2}:\\d{2}:\\d{2}$',
      }),
    },
  ),
} satisfies Partial<Record<PossibleEventName, JsonSchema>>

export type EventName = keyof typeof EVENT_SCHEMAS

/** The names of the service's events. */
export const EVENT_NAMES: readonly EventName[] = keysOf(EVENT_SCHEMAS)

/** When the service sends each event, for help. */
export const EVENT_OCCASIONS: Readonly<Record<Exclude<EventName, typeof GENERAL_EVENT>, string>> = {
  'pix.received': declared`the status of a QR code changed`,
  'refund.status': declared`the status of a refund changed`,
  'transfer.completed': declared`a transfer was paid`,
  'transfer.failed': declared`a transfer failed, or its receiver returned it`,
}

/** The body of a webhook. Amounts in reais, times RFC 3339 unless noted. */
export type WebhookBody<Name extends EventName = EventName> = ValueOf<(typeof EVENT_SCHEMAS)[Name]>

/** A status that an event of this kind can have. */
export type EventStatus<Name extends EventName = EventName> = StatusIn<WebhookBody<Name>>

type StatusIn<Body> = Body extends { data: infer Data }
  ? StatusIn<Data>
  : Body extends { status: infer Status } | { statusTransaction: infer Status }
    ? Status
    : never
