import type { DeliveryEntry, LogEntry, RequestEntry } from '../../sandbox/requestLog.ts'
import { safeText } from '../../text/safeText.ts'
import { t } from '../../text/words.ts'

/** An entry of the sandbox's log as one line. */
export function logLine(entry: LogEntry): string {
  return entry.type === 'request' ? requestLine(entry) : deliveryLine(entry)
}

/** Why a request was refused: the code, the description and the body that was sent. Empty for any other entry. */
export function refusalLines(entry: LogEntry): string[] {
  if (entry.type !== 'request' || entry.code === null) return []
  const reason = `  ${safeText(entry.code)}: ${safeText(entry.details ?? '')}`
  return entry.requestBody === '' ? [reason] : [reason, `  ${safeText(entry.requestBody)}`]
}

function requestLine({ method, path, status, ms }: RequestEntry): string {
  const result = status === null ? t`dropped` : String(status)
  return t`${method} ${safeText(path)}: ${result} (${ms} ms)`
}

function deliveryLine(entry: DeliveryEntry): string {
  const { event, eventStatus, url, attempt, attemptsMax } = entry
  if (entry.outcome === 'lost') return t`webhook ${event} ${eventStatus} to ${url}: not sent, because of a fault`
  const result = entry.status === null ? (entry.error ?? '') : String(entry.status)
  return t`webhook ${event} ${eventStatus} to ${url}: ${result} (attempt ${attempt} of ${attemptsMax})`
}
