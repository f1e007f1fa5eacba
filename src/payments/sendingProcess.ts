import { loadPayment, type Payment } from '../ledger/payments.ts'
import { type ProcessHolder, type SenderProcess, sendingProcess } from '../ledger/processes.ts'
import type { Writer } from '../ledger/writer.ts'
import type { PaymentContext } from './paymentContext.ts'
import type { Conflict } from './paymentRules.ts'

/** The conflict with a payment that another process is sending at this moment. */
export interface BeingSent {
  why: 'being-sent'
  payment: Payment
  holder: ProcessHolder
}

/**
 * Tells a payment whose outcome is unknown from one that another process is sending right now, whose answer it is about to record. To be
 * called in a write transaction.
 */
export function sendingConflict(
  writer: Pick<Writer, 'database' | 'nowMs'>,
  { open, id: own }: Pick<SenderProcess, 'open' | 'id'>,
  folder: string,
  conflict: Extract<Conflict, { why: 'unknown' }>,
): Conflict | BeingSent {
  const payment = loadPayment(writer.database, conflict.earlier.id)
  for (const { sender } of payment.summary.attempts) {
    const holder =
      sender === null || sender === own ? undefined : sendingProcess(writer, open, folder, payment.id, sender)
    if (holder !== undefined) return { why: 'being-sent', payment, holder }
  }
  return conflict
}

/** {@link sendingConflict} for a conflict that was found before a question. Other conflicts are returned as they are. */
export async function withSendingProcess(
  { ledger }: PaymentContext,
  conflict: Conflict,
): Promise<Conflict | BeingSent> {
  if (conflict.why !== 'unknown') return conflict
  const sender = await ledger.sender()
  return ledger.writeHere((writer) => sendingConflict(writer, sender, ledger.environment.folder, conflict))
}
