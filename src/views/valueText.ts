import type { ChalkInstance } from 'chalk'
import type { LedgerRecord } from '../ledger/records.ts'
import { formatReais } from '../pix/amount.ts'
import { addDays, DAY_MS, formatInstant, formatPaymentDate, saoPauloDay } from '../pix/calendar.ts'
import { destinationOf } from '../pix/destination.ts'
import { maskTaxDocument } from '../pix/taxDocument.ts'
import type { EventStatus } from '../schemas/webhookBodies.ts'
import { t } from '../text/translate.ts'

/** An amount as text; a dash if unknown. */
export function amountText(amountCents: number | null): string {
  return amountCents === null ? '—' : formatReais(amountCents)
}

/** An instant in São Paulo time; a dash if unknown. */
export function instantText(atMs: number | null): string {
  return atMs === null ? '—' : formatInstant(atMs)
}

const YEAR_MS = 365 * DAY_MS

/** Who made a record and on which machine; if a ledger took it over from another one, also who stored it there. */
export function writerText({ user, machine, login }: Pick<LedgerRecord, 'user' | 'machine' | 'login'>): string {
  return login === user ? t`${user} on ${machine}` : t`${user} on ${machine}, stored by ${login}`
}

/** A time of the past year as `22/11 16:08`, which names no other day of it; an older one by its day; a dash if unknown. */
export function shortInstantText(atMs: number | null, nowMs: number): string {
  if (atMs === null) return '—'
  const text = formatPaymentDate(atMs)
  const isOfPastYear = atMs > nowMs - YEAR_MS && atMs <= nowMs
  return isOfPastYear ? `${text.slice(0, 5)} ${text.slice(11, 16)}` : text.slice(0, 10)
}

/** A time as people say it: `today 14:02`, `yesterday 14:02`, `on 22/11 16:08`, of another year `on 22/11/2025`. */
export function spokenInstantText(atMs: number, nowMs: number): string {
  const [day, today] = [saoPauloDay(atMs), saoPauloDay(nowMs)]
  const time = formatPaymentDate(atMs).slice(11, 16)
  if (day === today) return t`today ${time}`
  if (day === addDays(today, -1)) return t`yesterday ${time}`
  return t`on ${shortInstantText(atMs, nowMs)}`
}

/** Whether a status is what a person hopes for; alarming is that money was taken back or did not arrive. */
const STATUS_TONES: Readonly<Record<EventStatus, 'good' | 'bad' | 'alarming' | 'warn'>> = {
  PENDING: 'warn',
  PROCESSING: 'warn',
  PAID: 'good',
  PAID_OUT: 'good',
  COMPLETED: 'good',
  EXPIRED: 'bad',
  CANCELLED: 'bad',
  CANCELED: 'bad',
  ERROR: 'alarming',
  FAILED: 'alarming',
  RETURNED: 'alarming',
  CHARGEBACK: 'alarming',
  REFUNDED: 'warn',
}
const TONES: ReadonlyMap<string, 'good' | 'bad' | 'alarming' | 'warn'> = new Map(Object.entries(STATUS_TONES))

/** Whether a status is what a person hopes for. */
function statusTone(status: string | null): 'good' | 'bad' | 'warn' {
  const tone = TONES.get(status?.toUpperCase() ?? '') ?? 'warn'
  return tone === 'alarming' ? 'bad' : tone
}

/** True for a status that a person must not overlook: money was taken back or did not arrive. */
export function isAlarmingStatus(status: string | null): boolean {
  return TONES.get(status?.toUpperCase() ?? '') === 'alarming'
}

/** The colour for a status. */
export function statusColour(status: string | null, style: ChalkInstance): ChalkInstance {
  return { good: style.green, bad: style.red, warn: style.yellow }[statusTone(status)]
}

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

/** Masks a PIX key, except one of a type that is not personal data, and shows of a payment code what it pays; of a type that is not known nothing. */
export function maskKey(key: string, typeKey: string): string {
  switch (typeKey) {
    case 'document':
      return maskTaxDocument(key)
    case 'email':
      return maskEmail(key)
    case 'phoneNumber':
      return `***${key.slice(-4)}`
    case 'randomKey':
      return key
    case 'paymentCode': {
      const inside = destinationOf(key, typeKey)
      return inside.keyType === typeKey ? inside.key : maskKey(inside.key, inside.keyType)
    }
    default:
      return '***'
  }
}

function initialOf(word: string): string {
  return Array.from(word)[0] ?? ''
}
