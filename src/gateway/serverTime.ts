import type { Account } from '../profiles/account.ts'
import type { HttpAnswer, HttpRequest } from './exchange.ts'

/** How far the clocks of this machine and of the gateway may differ. */
export const CLOCK_DIFFERENCE_MS_MAX = 60 * 60 * 1000

/** The request whose answer shows the gateway's time. It carries no credentials. */
export function serverTimeRequest({ url }: Account): HttpRequest {
  return { method: 'HEAD', url, headers: { accept: '*/*', 'cache-control': 'no-cache' } }
}

/** The only form in which servers may write an HTTP date; `Date.parse` would accept almost any text. */
const HTTP_DATE = /^[A-Z][a-z]{2}, \d{2} [A-Z][a-z]{2} \d{4} \d{2}:\d{2}:\d{2} GMT$/

/** The time in an answer's `Date` header; null if it has none that can be read. */
export function readServerTimeMs(headers: HttpAnswer['headers']): number | null {
  const { date, age } = headers
  if (typeof date !== 'string' || !HTTP_DATE.test(date)) return null
  const dateMs = Date.parse(date)
  if (Number.isNaN(dateMs)) return null
  // A cache passes on the date of the stored answer, and tells how old that is.
  const ageSeconds = typeof age === 'string' && /^\d{1,9}$/.test(age) ? Number(age) : 0
  return dateMs + ageSeconds * 1000
}
