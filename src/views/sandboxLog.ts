import type { DeliveryEntry, HistoryStep, LogEntry, RequestEntry } from '../schemas/sandboxAnswers.ts'
import { safeLines, safeText } from '../text/safeText.ts'
import { t } from '../text/translate.ts'

const ANSWER_LINES_MAX = 8

/** A request or an attempt to deliver a webhook as one line. */
export function logLine(entry: LogEntry): string {
  if (entry.type === 'request') return requestLine(entry)
  const { event, eventStatus, url, attempt, attemptsMax } = entry
  if (entry.outcome === 'lost') return t`webhook ${event} ${eventStatus} to ${url}: not sent, because of a fault`
  return t`webhook ${event} ${eventStatus} to ${url}: ${resultText(entry)} (attempt ${attempt} of ${attemptsMax})`
}

/** A step in the history of a transaction: its first line, and what was sent where, or answered. */
export function stepLines(step: HistoryStep): string[] {
  if (step.kind === 'request') return [requestLine(step), ...refusalLines(step)]
  const { event, eventStatus } = step
  if (step.kind === 'event') return [t`event ${event} ${eventStatus}`, safeText(step.url)]
  if (step.outcome === 'lost') return [t`not sent, because of a fault`]
  const { attempt, attemptsMax } = step
  const line = t`${event} ${eventStatus}: ${resultText(step)} (attempt ${attempt} of ${attemptsMax})`
  return [line, ...receiverLines(step)]
}

/** What was answered to a request that was refused; empty for any other. */
export function refusalLines({ code, details }: Pick<RequestEntry, 'code' | 'details'>): string[] {
  return code === null ? [] : [`${safeText(code)}: ${safeText(details ?? '')}`]
}

/** What a receiver answered that refused a webhook; empty for any other. */
export function receiverLines({ answer }: Pick<DeliveryEntry, 'answer'>): string[] {
  const lines = safeLines((answer ?? '').trim()).filter((line) => line.trim() !== '')
  return lines.slice(0, ANSWER_LINES_MAX)
}

function requestLine({ method, path, status, ms }: Omit<RequestEntry, 'type'>): string {
  const result = status === null ? t`dropped` : String(status)
  return t`${method} ${safeText(path)}: ${result} (${ms} ms)`
}

function resultText({ status, error }: Omit<DeliveryEntry, 'type'>): string {
  return status === null ? safeText(error ?? '') : String(status)
}
