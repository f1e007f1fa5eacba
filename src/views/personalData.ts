import { maskTaxDocument } from '../pix/taxDocument.ts'

/** A CPF or CNPJ in the middle of text; without its punctuation it must not be part of an id. */
const TAX_DOCUMENT =
  /(?<!\d)(?:\d{3}\.\d{3}\.\d{3}-\d{2}|[\dA-Z]{2}\.[\dA-Z]{3}\.[\dA-Z]{3}\/[\dA-Z]{4}-\d{2})(?!\d)|(?<![\w-])(?:\d{9}-?\d{2}|[\dA-Z]{8}\/?[\dA-Z]{4}-?\d{2})(?![\w-])/g
/** The lengths are bounded, because unbounded matching is quadratic in long text. */
const EMAIL = /[^\s@"'<>(),;:]{1,64}@[^\s@"'<>(),;:]{1,255}/g

/** Masks tax documents and e-mail addresses in text. */
export function maskText(text: string): string {
  return text
    .replace(TAX_DOCUMENT, (found) => (/\d{3}/.test(found) ? maskTaxDocument(found) : found))
    .replace(EMAIL, maskEmail)
}

/** Masks an e-mail address except its first character and host: `m***@example.com` */
export function maskEmail(address: string): string {
  const at = address.lastIndexOf('@')
  return at === -1 ? '***' : `${initialOf(address)}***${address.slice(at)}`
}

/** Masks a PIX key, except one of a type that is not personal data; of a type that is not known nothing is shown. */
export function maskKey(key: string, typeKey: string): string {
  switch (typeKey) {
    case 'document':
      return maskTaxDocument(key)
    case 'email':
      return maskEmail(key)
    case 'phoneNumber':
      return `***${key.slice(-4)}`
    case 'randomKey':
    case 'paymentCode':
      return key
    default:
      return '***'
  }
}

function initialOf(word: string): string {
  return Array.from(word)[0] ?? ''
}
