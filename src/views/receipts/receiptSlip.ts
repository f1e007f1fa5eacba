import { plannedBy } from '../../ledger/plans.ts'
import { amountInWords } from '../../pix/amountWords.ts'
import { formatPaymentDate } from '../../pix/calendar.ts'
import { formatKey } from '../../pix/pixKey.ts'
import { formatTaxDocument } from '../../pix/taxDocument.ts'
import type { Company } from '../../profiles/company.ts'
import { t } from '../../text/translate.ts'
import { amountText } from '../valueText.ts'
import type { Receipt } from './receipt.ts'
import type { Slip, SlipRow } from './slip.ts'

/** The slip of a receipt, a blank row before each new part. Nothing is masked. */
export function receiptSlip(receipt: Receipt, payer: Company): Slip {
  const { payment, name, taxId, bank, paidAtMs, endToEndId } = receipt
  const { facts, owner, summary, amountCents } = payment
  const planned = plannedBy(summary.attempts.at(-1)?.record)
  const optional = (label: string, value: string | null): SlipRow[] => (value === null ? [] : [[label, value]])
  const rows: SlipRow[] = [
    [t`amount`, amountText(amountCents)],
    ...optional('', amountCents === null ? null : amountInWords(amountCents)),
    [t`date`, paidAtMs === null ? '—' : t`${formatPaymentDate(paidAtMs)} (São Paulo)`],
    ['', ''],
    [t`payer`, payer.name ?? owner.profile ?? owner.clientId],
    ...optional(t`CPF/CNPJ`, payer.taxDocument === null ? null : formatTaxDocument(payer.taxDocument)),
    ['', ''],
    ...optional(t`receiver`, name),
    ...(facts.kind === 'transfer' ? optional(t`PIX key`, formatKey(facts.key, facts.keyType)) : []),
    ...optional(t`CPF/CNPJ`, taxId === null ? null : formatTaxDocument(taxId)),
    ...optional(t`bank`, bank),
    ...(facts.kind === 'refund'
      ? [...optional(t`refund of`, facts.originalTransactionId), ...optional(t`reason`, facts.refundReason)]
      : []),
    ['', ''],
    ...optional(t`end-to-end id`, endToEndId),
    [t`transaction id`, summary.idTransaction ?? '—'],
    ...(facts.kind === 'transfer' ? optional(t`external id`, payment.givenId) : []),
    ...optional(t`requested by`, planned?.requestedBy ?? null),
    ...optional(t`approved by`, planned?.approvedBy ?? null),
  ]
  return { title: titleOf(receipt), rows }
}

/** The title of a receipt: one from a sandbox must not be mistaken for real money. */
function titleOf({ payment: { facts, owner } }: Receipt): string {
  if (owner.environment === 'sandbox') {
    return facts.kind === 'refund' ? t`PIX REFUND - SANDBOX, NO REAL MONEY` : t`PIX TRANSFER - SANDBOX, NO REAL MONEY`
  }
  return facts.kind === 'refund' ? t`PIX REFUND - RECEIPT` : t`PIX TRANSFER - RECEIPT`
}
