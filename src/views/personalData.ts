import { maskTaxDocument } from '../pix/taxDocument.ts'

/** Words inside Brazilian names that say nothing of who it is. */
const PARTICLE = /^(?:d[aeo]s?|e)$/i
/** Sole traders carry their tax document in their name. */
const NUMBER = /\d[\d./-]{2,}/g
/** A CPF or CNPJ in the middle of text; without its punctuation it must not be part of an id. */
const TAX_DOCUMENT =
  /(?<!\d)(?:\d{3}\.\d{3}\.\d{3}-\d{2}|[\dA-Z]{2}\.[\dA-Z]{3}\.[\dA-Z]{3}\/[\dA-Z]{4}-\d{2})(?!\d)|(?<![\w-])(?:\d{9}-?\d{2}|[\dA-Z]{8}\/?[\dA-Z]{4}-?\d{2})(?![\w-])/g
/** No longer than an address can be, or a long text without one would be searched again from each of its characters. */
const EMAIL = /[^\s@"'<>(),;:]{1,64}@[^\s@"'<>(),;:]{1,255}/g

/** A person's name with only the first one whole: `Maria S. S.` */
export function maskName(name: string): string {
  const words = name
    .replace(NUMBER, '***')
    .split(/\s+/)
    .filter((word) => word !== '' && !PARTICLE.test(word))
  return words.map((word, index) => (index === 0 || word === '***' ? word : `${initialOf(word)}.`)).join(' ')
}

/** Text from outside with the tax documents and e-mail addresses in it masked. */
export function maskText(text: string): string {
  return text
    .replace(TAX_DOCUMENT, (found) => (/\d{3}/.test(found) ? maskTaxDocument(found) : found))
    .replace(EMAIL, maskEmail)
}

/** An e-mail address with only its first character and its host: `m***@example.com` */
export function maskEmail(address: string): string {
  const at = address.lastIndexOf('@')
  return at === -1 ? '***' : `${initialOf(address)}***${address.slice(at)}`
}

/** A PIX key that names a person, as far as its type tells; other keys stay as they are. */
export function maskKey(key: string, typeKey: string): string {
  switch (typeKey) {
    case 'document':
      return maskTaxDocument(key)
    case 'email':
      return maskEmail(key)
    case 'phoneNumber':
      return `***${key.slice(-4)}`
    default:
      return key
  }
}

function initialOf(word: string): string {
  return Array.from(word)[0] ?? ''
}
