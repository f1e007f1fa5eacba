import type { PaymentRecord } from '../../../src/ledger/records.ts'
import { insideCode, plainKey } from './spelling.ts'

/** The text of each column of the search, by which a payment is found. */
export interface PaymentWords {
  name: string
  document: string
  cells: string
  words: string
}

/**
 * The words of a payment, from all its records in their order, the cells of its row in a batch, and what a refund returns: the records of that charge, or
 * the events of a payment that the ledger did not create.
 */
export function paymentWords(
  records: readonly PaymentRecord[],
  cells: readonly string[],
  original: readonly PaymentRecord[],
): PaymentWords {
  const payment = records.find((record) => record.type === 'attempt')?.payment ?? null
  const all = [...records, ...original]
  return {
    name: joined(all.flatMap(namesIn)),
    document: joined(all.flatMap(documentsIn).flatMap((text) => [text, unpunctuated(text)])),
    cells: joined(cells),
    words: joined(new Set([payment, ...records.flatMap(wordsIn), ...original.flatMap(orderNumberIn)])),
  }
}

function orderNumberIn(record: PaymentRecord): string[] {
  return record.type === 'attempt' && record.facts.kind === 'qr' ? [record.facts.requestNumber] : []
}

function namesIn(record: PaymentRecord): (string | null)[] {
  if (record.type === 'event') return [record.name]
  if (record.type !== 'attempt' || record.facts.kind === 'refund') return []
  const { facts } = record
  return facts.kind === 'qr'
    ? [facts.payer]
    : [insideCode(facts.key)?.name ?? null, facts.payee, facts.payeeDisplayName]
}

function documentsIn(record: PaymentRecord): string[] {
  const found: (string | null)[] = []
  if (record.type === 'event') found.push(record.taxId)
  if (record.type === 'attempt' && record.facts.kind === 'qr') found.push(...payerDocuments(record.facts.payer ?? ''))
  if (record.type === 'attempt' && record.facts.kind === 'transfer') {
    const { key, keyType, documentValidation } = record.facts
    const inside = insideCode(key)?.key ?? null
    const isDocument = inside === null ? keyType === 'document' : /^(?:\d{11}|[0-9A-Z]{12}\d\d)$/.test(inside)
    found.push(documentValidation, isDocument ? (inside ?? key) : null)
  }
  return found.filter((text) => text !== null)
}

/** The words about a payer that are as long as a CPF or CNPJ and end in two digits. */
function payerDocuments(payer: string): string[] {
  return payer.split(' ').filter((word) => {
    const isNumber = /^\d+$/.test(word)
    const isCnpj = word.length === 14 && /\d\d$/.test(word) && !/[^0-9a-z]/i.test(word)
    return isCnpj || (isNumber && word.length === 11)
  })
}

function wordsIn(record: PaymentRecord): (string | null)[] {
  switch (record.type) {
    case 'attempt': {
      const { id, externalId, place, facts } = record
      const own = [id, externalId, place?.reference ?? null, place?.run ?? null]
      if (facts.kind === 'qr') return [...own, facts.requestNumber]
      const inside = facts.kind === 'transfer' ? insideCode(facts.key) : null
      const target =
        inside?.address == null
          ? (inside?.key ?? null)
          : plainKey(facts.kind === 'transfer' ? facts.key : '', 'paymentCode')
      return facts.kind === 'transfer'
        ? [...own, facts.key, target]
        : [...own, facts.originalTransactionId, facts.refundReason]
    }
    case 'answer':
      return [record.idTransaction, record.code, record.message]
    case 'finding':
      return [record.because]
    case 'event':
      return [
        ...[record.idTransaction, record.originalTransactionId, record.externalId],
        ...[record.errorCode, record.errorMessage, record.bank],
      ]
    case 'resend':
    case 'query':
      return []
  }
}

/** A number of at least 8 digits without its punctuation; null for other text. */
function unpunctuated(text: string): string | null {
  if (/[^\w.()/+-]|_/.test(text) || !/^[+(]*\w/.test(text)) return null
  const bare = text.replace(/[^\w]/g, '')
  const digits = bare.match(/\d/g)?.length ?? 0
  return digits >= 8 && bare !== text ? bare : null
}

function joined(texts: Iterable<string | null>): string {
  return [...texts].filter((text) => text !== null).join('\n')
}
