import { formatPaymentDate } from '../pix/calendar.ts'
import type { EventName, EventStatus, WebhookBody } from '../schemas/webhookBodies.ts'

/** The statuses of each event with which `webhook check` asks a receiver. */
export const PROBED_STATUSES: { readonly [Name in EventName]: readonly EventStatus<Name>[] } = {
  'pix.received': ['PAID', 'EXPIRED', 'CANCELLED', 'REFUNDED'],
  'refund.status': ['COMPLETED', 'PROCESSING', 'FAILED'],
  'transfer.completed': ['PAID_OUT'],
  'transfer.failed': ['ERROR', 'CANCELED', 'RETURNED'],
  payment: ['PAID_OUT', 'CHARGEBACK'],
}

/** The statuses of a charge that has been paid. */
const EVER_PAID: readonly string[] = ['PAID', 'REFUNDED']

interface SampleSource {
  newId(): string
  /** In ms since the epoch. */
  nowMs: number
  /** Of a charge; it decides whether the charge was paid. */
  status?: string | undefined
}

/** Of no real person: examples of the tax authority and of libraries use these numbers. */
const PEOPLE = [
  { name: 'Maria Aparecida dos Santos', taxId: '52998224725' },
  { name: 'João Pedro de Oliveira', taxId: '11144477735' },
  { name: 'Ana Beatriz Souza Lima', taxId: '39053344705' },
  { name: 'Antônio Carlos Ferreira', taxId: '86288366757' },
] as const
const BANKS = ['Banco do Brasil S.A.', 'Nu Pagamentos S.A.', 'Itaú Unibanco S.A.', 'Caixa Econômica Federal'] as const

/** The body of an event of this kind as the service writes it: fresh ids, the time now. */
export function sampleEvent(name: EventName, { newId, nowMs, status = 'PAID' }: SampleSource): WebhookBody {
  const idTransaction = newId()
  const at = new Date(nowMs).toISOString()
  const choice = Number.parseInt(idTransaction.slice(0, 4), 16) || 0
  const person = PEOPLE[choice % PEOPLE.length] ?? PEOPLE[0]
  switch (name) {
    case 'pix.received':
      return {
        event: name,
        data: { idTransaction, status: 'PAID', amount: 149.9, paidAt: EVER_PAID.includes(status) ? at : null },
      }
    case 'refund.status':
      return {
        event: name,
        data: { idTransaction, originalTransactionId: newId(), status: 'COMPLETED', amount: 149.9, timestamp: at },
      }
    case 'transfer.completed':
      return {
        event: name,
        data: {
          idTransaction,
          typeTransaction: 'PIX_CASHOUT',
          statusTransaction: 'PAID_OUT',
          value: 1234.5,
          destinationName: person.name,
          destinationTaxId: person.taxId,
          destinationBank: BANKS[choice % BANKS.length] ?? BANKS[0],
        },
      }
    case 'transfer.failed':
      return {
        event: name,
        data: {
          idTransaction,
          typeTransaction: 'PIX_CASHOUT',
          statusTransaction: 'ERROR',
          value: 1234.5,
          errorCode: 'PIX_KEY_NOT_FOUND',
          errorMessage: 'PIX key not found',
        },
      }
    case 'payment':
      return {
        idTransaction,
        typeTransaction: 'PIX',
        statusTransaction: 'PAID_OUT',
        value: 149.9,
        payerName: person.name,
        payerTaxId: person.taxId,
        paymentDate: formatPaymentDate(nowMs),
      }
  }
}
