import { amountInWords } from '../../pix/amountWords.ts'
import { formatPaymentDate } from '../../pix/calendar.ts'
import { formatKey } from '../../pix/pixKey.ts'
import { formatTaxDocument } from '../../pix/taxDocument.ts'
import type { Company } from '../../profiles/company.ts'
import { amountText } from '../valueText.ts'
import type { Receipt } from './receipt.ts'
import type { Slip, SlipRow } from './slip.ts'

/** The languages of a receipt. */
export const RECEIPT_LANGUAGES = ['pt', 'en'] as const

export type ReceiptLanguage = (typeof RECEIPT_LANGUAGES)[number]

const ENGLISH = {
  transfer: 'PIX TRANSFER - RECEIPT',
  refund: 'PIX REFUND - RECEIPT',
  sandboxTransfer: 'PIX TRANSFER - SANDBOX, NO REAL MONEY',
  sandboxRefund: 'PIX REFUND - SANDBOX, NO REAL MONEY',
  amount: 'amount',
  date: 'date',
  timeZone: '(São Paulo)',
  to: 'to',
  key: 'PIX key',
  document: 'CPF/CNPJ',
  bank: 'bank',
  refundOf: 'refund of',
  reason: 'reason',
  from: 'from',
  endToEndId: 'end-to-end id',
  id: 'transaction id',
  externalId: 'external id',
}

const PORTUGUESE: typeof ENGLISH = {
  transfer: 'COMPROVANTE DE TRANSFERÊNCIA PIX',
  refund: 'COMPROVANTE DE DEVOLUÇÃO PIX',
  sandboxTransfer: 'TRANSFERÊNCIA PIX - SANDBOX, SEM DINHEIRO REAL',
  sandboxRefund: 'DEVOLUÇÃO PIX - SANDBOX, SEM DINHEIRO REAL',
  amount: 'valor',
  date: 'data',
  timeZone: '(horário de Brasília)',
  to: 'recebedor',
  key: 'chave PIX',
  document: 'CPF/CNPJ',
  bank: 'instituição',
  refundOf: 'devolução de',
  reason: 'motivo',
  from: 'pagador',
  endToEndId: 'ID ponta a ponta',
  id: 'ID da transação',
  externalId: 'identificador',
}

/** The words of a receipt in each language. */
const LABELS: Readonly<Record<ReceiptLanguage, typeof ENGLISH>> = { pt: PORTUGUESE, en: ENGLISH }

/** The slip of a receipt, a blank row before each new part. Nothing is masked. */
export function receiptSlip(
  receipt: Receipt,
  { language, payer }: { language: ReceiptLanguage; payer: Company },
): Slip {
  const { payment, name, taxId, bank, paidAtMs, endToEndId } = receipt
  const { facts, owner, summary, amountCents } = payment
  const labels = LABELS[language]
  const optional = (label: string, value: string | null): SlipRow[] => (value === null ? [] : [[label, value]])
  const rows: SlipRow[] = [
    [labels.amount, amountText(amountCents)],
    ...optional('', amountCents === null ? null : amountInWords(amountCents)),
    [labels.date, paidAtMs === null ? '—' : `${formatPaymentDate(paidAtMs)} ${labels.timeZone}`],
    ['', ''],
    [labels.from, payer.name ?? owner.profile ?? owner.clientId],
    ...optional(labels.document, payer.taxDocument === null ? null : formatTaxDocument(payer.taxDocument)),
    ['', ''],
    ...optional(labels.to, name),
    ...(facts.kind === 'transfer' ? optional(labels.key, formatKey(facts.key, facts.keyType)) : []),
    ...optional(labels.document, taxId === null ? null : formatTaxDocument(taxId)),
    ...optional(labels.bank, bank),
    ...(facts.kind === 'refund'
      ? [...optional(labels.refundOf, facts.originalTransactionId), ...optional(labels.reason, facts.refundReason)]
      : []),
    ['', ''],
    ...optional(labels.endToEndId, endToEndId),
    [labels.id, summary.idTransaction ?? '—'],
    ...(facts.kind === 'transfer' ? optional(labels.externalId, payment.givenId) : []),
  ]
  return { title: titleOf(receipt, language), rows }
}

/** The title of a receipt: one from a sandbox must not be mistaken for real money. */
function titleOf({ payment: { facts, owner } }: Receipt, language: ReceiptLanguage): string {
  const labels = LABELS[language]
  if (owner.environment === 'sandbox') return facts.kind === 'refund' ? labels.sandboxRefund : labels.sandboxTransfer
  return facts.kind === 'refund' ? labels.refund : labels.transfer
}
