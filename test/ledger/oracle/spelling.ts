import { createHash } from 'node:crypto'
import type { EventOwner, Owner } from '../../../src/ledger/accounts.ts'
import type { PaymentFacts } from '../../../src/ledger/facts.ts'
import type { EventRecord } from '../../../src/ledger/records.ts'

// The spellings by which the ledger compares, written a second time on purpose: the audit shares no code with what writes the tables, because
// a function that is compared with itself is always right.

/** An id in lower case without outer spaces; letters other than A to Z are left as they are, as in SQLite. */
export function plainId(id: string): string {
  return Array.from(id.trim(), (letter) => (letter >= 'A' && letter <= 'Z' ? letter.toLowerCase() : letter)).join('')
}

/** True if both ids are known and the same. */
export function areSameIds(one: string | null, other: string | null): boolean {
  return one !== null && other !== null && plainId(one) === plainId(other)
}

/** The parts of a payment code by their ids: two digits, two digits of length, the value. */
function partsOf(code: string): Map<string, string> {
  const parts = new Map<string, string>()
  for (let rest = code; rest.length > 4; ) {
    const end = 4 + Number(rest.slice(2, 4))
    parts.set(rest.slice(0, 2), rest.slice(4, end))
    rest = rest.slice(Number.isNaN(end) ? rest.length : end)
  }
  return parts
}

/** What a payment code holds: the key, or the address of a charge, and the name; null for any other text. */
export function insideCode(text: string): { key: string | null; address: string | null; name: string | null } | null {
  if (!text.startsWith('000201') || !text.includes('br.gov.bcb.pix')) return null
  const account = partsOf(partsOf(text).get('26') ?? '')
  const address = account.get('25') ?? null
  return { key: account.get('01') ?? null, address, name: partsOf(text).get('59') ?? null }
}

/** The key of a transfer, also that in a payment code, as the directory has it, with the country code of a phone; of a charge its address. */
export function plainKey(key: string, keyType: string): string {
  const inside = insideCode(key.trim())
  if (inside !== null && inside.address !== null) {
    const [host = '', ...path] = inside.address.split('/')
    return [host.toLowerCase(), ...path].join('/')
  }
  const typed = inside?.key ?? key.trim()
  if (inside === null && keyType === 'phoneNumber') return `+55${typed.slice(-11)}`
  const isDocument = inside === null ? keyType === 'document' : /^[0-9A-Z]{11,14}$/.test(typed)
  return isDocument ? typed.toUpperCase() : typed.toLowerCase()
}

/** The target of a payment: the key of a transfer, the id of the payment that a refund returns; null for a charge. */
export function plainTarget(facts: PaymentFacts): string | null {
  if (facts.kind === 'transfer') return plainKey(facts.key, facts.keyType)
  return facts.kind === 'refund' ? plainId(facts.originalTransactionId) : null
}

/** The checksum by which the rules find a payment a second time; null for a charge. */
export function targetChecksum({ baseUrl, clientId }: Owner, facts: PaymentFacts): string | null {
  if (facts.kind === 'qr') return null
  const parts = [facts.kind, plainAddress(baseUrl), clientId, plainTarget(facts)]
  const isOfOneCharge = facts.kind === 'transfer' && (insideCode(facts.key)?.address ?? null) !== null
  const amount = facts.kind === 'transfer' && !isOfOneCharge ? facts.amountCents : null
  return sha256(JSON.stringify([...parts, amount])).slice(0, 32)
}

/** A base address in which every name of this machine is 127.0.0.1, and no name ends with a dot. */
export function plainAddress(baseUrl: string): string {
  if (!URL.canParse(baseUrl)) return baseUrl
  const url = new URL(baseUrl)
  const isLocal = ['localhost', 'localhost.', '[::1]'].includes(url.hostname)
  if (!isLocal && !url.hostname.endsWith('.')) return baseUrl
  return `${url.protocol}//${isLocal ? '127.0.0.1' : url.hostname.slice(0, -1)}${url.port === '' ? '' : `:${url.port}`}${url.pathname.replace(/\/+$/, '')}`
}

/** Client id and address of what belongs together; all sandboxes of this machine are one. Null for a secret alone. */
export function scopeOf({ environment, baseUrl, clientId }: EventOwner): string | null {
  if (baseUrl === null || clientId === null) return null
  const host = URL.canParse(baseUrl) ? new URL(baseUrl).hostname : ''
  const isHere = ['localhost', '[::1]', '::1'].includes(host) || /^127(?:\.\d+){3}$/.test(host)
  return [clientId, environment === 'sandbox' && isHere ? 'loopback' : plainAddress(baseUrl)].join(' ')
}

/** The account that an event belongs to, as text: deliveries of one event have the same. */
export function ownerText({ owner, isSigned }: EventRecord): string {
  const { clientId, baseUrl } = owner
  return JSON.stringify([isSigned, clientId, baseUrl === null ? null : plainAddress(baseUrl)])
}

/** What two deliveries of an event have in common: what they say, or their bytes if they name no id. */
export function deliveryText(event: EventRecord, bodyChecksum: string): string {
  const ids = [event.idTransaction, event.originalTransactionId, event.externalId]
  if (ids.every((id) => id === null)) return bodyChecksum
  return [event.event, ...ids, event.status, event.amountCents].map((part) => part ?? '').join('\n')
}

/** The SHA-256 of text or bytes, in hex. */
export function sha256(data: string | Buffer): string {
  return createHash('sha256').update(data).digest('hex')
}
