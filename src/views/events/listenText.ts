import type { ChalkInstance } from 'chalk'
import type { ListenerStats } from '../../listener/listenerStats.ts'
import { formatInstant, saoPauloDay } from '../../pix/calendar.ts'
import { type Cell, layOutCells } from '../../text/cellLayout.ts'
import { safeText } from '../../text/safeText.ts'
import { t } from '../../text/translate.ts'
import { isReceived } from '../../wire/deliveryVerdict.ts'
import { maskText } from '../personalData.ts'
import type { AnswerAdvice } from './answerText.ts'
import { answerTime, clockText, type EventLayout, VERDICT_OFFSET } from './eventText.ts'

/** The result of forwarding an event. */
export interface ForwardView {
  n: number | null
  /** Where it was sent; '' if all events go there. */
  url: string
  /** The HTTP status of the answer; null if there was none. */
  status: number | null
  ms: number
  /** The beginning of the answer's body; shown unless the service would count the event as received. */
  body: string
  /** Why there was no complete answer, in a sentence. */
  error: string | null
  advice: AnswerAdvice
}

/** The result of forwarding an event, for people: status, time and number, then what went wrong. */
export function forwardLines(view: ForwardView, { columns, style, unmask }: EventLayout): string[] {
  const { n, url, status, ms, body, error, advice } = view
  const isGood = isReceived(view)
  const colour = isGood ? style.green : style.red
  const beginning = body.replace(/\s+/g, ' ').trim()
  const cells: Cell[] = [
    { text: status === null ? t`→ not forwarded ✗` : t`→ forwarded`, paint: colour, at: VERDICT_OFFSET },
    { text: status === null ? '' : `${status} ${isGood ? '✓' : '✗'}`, paint: colour },
    { text: answerTime(ms), paint: style.dim },
    { text: n === null ? '' : t`#${n}`, paint: style.dim },
    { text: safeText(url) },
    { text: error === null ? '' : safeText(error), isProse: true },
    ...(isGood ? [] : advice.texts).map((text, place) => ({ text: safeText(text), isFirst: place > 0, isProse: true })),
    { text: isGood ? '' : safeText(advice.command ?? ''), isFirst: true },
    {
      text: isGood ? '' : safeText(unmask ? beginning : maskText(beginning)),
      paint: style.dim,
      isFirst: true,
      isProse: true,
    },
  ]
  return layOutCells(cells, columns, Math.min(VERDICT_OFFSET + 2, Math.floor(columns / 4)))
}

/** What a listener did, for people. */
export function summaryLines(summary: ListenerStats, style: ChalkInstance): string[] {
  const { received, valid, invalid, unsigned, duplicates, notStored, targets, p50, p95, p99 } = summary
  const wrong = t`${invalid} invalid`
  const parts = [t`${valid} valid`, invalid > 0 ? style.red(wrong) : wrong, t`${unsigned} unsigned`]
  if (notStored > 0) parts.push(style.red(t`${notStored} not stored`))
  const lines = [
    t`${received} received: ${parts.join(', ')}`,
    duplicates === 1 ? t`1 duplicate` : t`${duplicates} duplicates`,
  ]
  for (const { url, forwarded, notForwarded } of targets) {
    const missed = t`${notForwarded} refused or not reached`
    const refused = notForwarded > 0 ? style.red(missed) : missed
    lines.push(
      targets.length === 1
        ? t`${forwarded} forwarded, ${refused}`
        : t`${forwarded} forwarded to ${safeText(url)}, ${refused}`,
    )
  }
  if (received === 0) return lines
  return [...lines, t`time to answer: p50 ${answerTime(p50)}, p95 ${answerTime(p95)}, p99 ${answerTime(p99)}`]
}

/** The message after a minute without events. `lastEvent` is null before the first one. */
export function quietText(
  lastEventAgeMs: number,
  lastEvent: { event: string | null; receivedAt: string } | null,
): string {
  const minutes = Math.floor(lastEventAgeMs / 60_000)
  const age = minutes < 60 ? t`${minutes} min` : t`${Math.floor(minutes / 60)} h ${minutes % 60} min`
  if (lastEvent === null) return t`no events for ${age}`
  return t`no events for ${age}; last: ${lastEvent.event?.slice(0, 64) ?? t`unknown`} ${clockText(lastEvent.receivedAt)}`
}

/** The notice about the time zone of the displayed times. */
export function clockNotice(nowMs: number): string {
  const [date = '', , zone = ''] = formatInstant(nowMs).split(' ')
  return t`Times are São Paulo time (${zone}); today is ${date}`
}

/** The separator between two events on different days in São Paulo; null if the day is the same. */
export function dayLine(previousMs: number | null, ms: number, style: ChalkInstance): string | null {
  if (previousMs !== null && saoPauloDay(previousMs) === saoPauloDay(ms)) return null
  const [date = '', , zone = ''] = formatInstant(ms).split(' ')
  return style.dim(t`── ${date} ${zone} ──`)
}
