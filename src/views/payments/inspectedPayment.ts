import type { PaymentLine } from '../../inspector/pageData.ts'
import type { Payment } from '../../ledger/payments.ts'
import { parseInstant } from '../../pix/calendar.ts'
import { cellText, valueAt } from '../../terminal/documentFields.ts'
import { safeText } from '../../text/safeText.ts'
import { amountText, instantText } from '../valueText.ts'
import { partyText, referenceText, stateTone } from './paymentCells.ts'
import { paymentDocument } from './paymentDocument.ts'
import { shownDocument } from './paymentLists.ts'

/** The line of a payment in a list of the page, personal data masked unless `unmask`. */
export function paymentLine(payment: Payment, unmask: boolean): PaymentLine {
  const document = paymentDocument(payment)
  const shown = shownDocument(document, unmask)
  const { state } = payment.summary
  const at = (path: string) => safeText(cellText(valueAt(shown, path)))
  return {
    id: payment.id,
    at: instantText(parseInstant(payment.first.at) ?? null),
    kind: at('pixgate.kind'),
    state,
    tone: stateTone(state),
    amount: amountText(payment.amountCents),
    payee: safeText(partyText({ document: shown })),
    name: safeText(referenceText({ document: shown })),
    environment: at('pixgate.environment'),
  }
}
