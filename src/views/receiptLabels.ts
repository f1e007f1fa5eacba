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
export const RECEIPT_LABELS: Readonly<Record<ReceiptLanguage, typeof ENGLISH>> = { pt: PORTUGUESE, en: ENGLISH }
