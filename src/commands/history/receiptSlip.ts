import { amountInWords } from '../../pix/amountWords.ts'
import { formatPaymentDate } from '../../pix/calendar.ts'
import { maskTaxDocument } from '../../pix/taxDocument.ts'
import { maskKey, maskText } from '../../views/personalData.ts'
import type { Slip, SlipRow } from '../../views/slip.ts'
import { amountText } from '../../views/valueText.ts'
import type { Payer, Receipt } from './receipt.ts'

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

const CNPJ_CHARACTERS = 14

/** The slip of a receipt, a blank row before each new part; people's keys, names and documents masked unless `unmask`. */
export function receiptSlip(
  receipt: Receipt,
  { language, payer, unmask }: { language: ReceiptLanguage; payer: Payer; unmask: boolean },
): Slip {
  const { payment, name, taxId, bank, paidAtMs, endToEndId } = receipt
  const { facts, owner, summary, amountCents } = payment
  const labels = LABELS[language]
  const optional = (label: string, value: string | null): SlipRow[] => (value === null ? [] : [[label, value]])
  const reason = facts.kind === 'refund' ? facts.refundReason : ''
  const shownReason = unmask ? reason : maskText(reason)
  const rows: SlipRow[] = [
    [labels.amount, amountText(amountCents)],
    ...optional('', amountCents === null ? null : amountInWords(amountCents)),
    [labels.date, paidAtMs === null ? '—' : `${formatPaymentDate(paidAtMs)} ${labels.timeZone}`],
    ['', ''],
    [labels.from, payer.company ?? owner.profile ?? owner.clientId],
    ...optional(labels.document, payer.document === null ? null : payerDocument(payer.document, unmask)),
    ['', ''],
    ...optional(labels.to, name),
    ...(facts.kind === 'transfer' ? optional(labels.key, unmask ? facts.key : maskKey(facts.key, facts.keyType)) : []),
    ...optional(labels.document, taxId === null || unmask ? taxId : maskTaxDocument(taxId)),
    ...optional(labels.bank, bank),
    ...(facts.kind === 'refund'
      ? [...optional(labels.refundOf, facts.originalTransactionId), ...optional(labels.reason, shownReason)]
      : []),
    ['', ''],
    ...optional(labels.endToEndId, endToEndId),
    [labels.id, summary.idTransaction ?? '—'],
    ...(facts.kind === 'transfer' ? optional(labels.externalId, payment.name) : []),
  ]
  return { title: titleOf(receipt, language), rows }
}

/** The title of a receipt: one from a sandbox must not be mistaken for real money. */
function titleOf({ payment: { facts, owner } }: Receipt, language: ReceiptLanguage): string {
  const labels = LABELS[language]
  if (owner.environment === 'sandbox') return facts.kind === 'refund' ? labels.sandboxRefund : labels.sandboxTransfer
  return facts.kind === 'refund' ? labels.refund : labels.transfer
}

/** A CNPJ is public and shown whole, as `11.222.333/0001-81`. */
function payerDocument(document: string, unmask: boolean): string {
  if (document.length !== CNPJ_CHARACTERS) return unmask ? document : maskTaxDocument(document)
  return document.replace(/^(..)(...)(...)(....)(..)$/, '$1.$2.$3/$4-$5')
}
