import { explainAnswer, type PostResult } from '../../listener/webhookPost.ts'
import type { Terminal } from '../../terminal/terminal.ts'
import { layOutCells } from '../../text/cellLayout.ts'
import { safeLines, safeText } from '../../text/safeText.ts'
import { t } from '../../text/translate.ts'
import { isSuccessStatus } from '../../wire/answerVerdict.ts'
import { type DeliveryAnswer, isTooSlow } from '../../wire/deliveryVerdict.ts'
import { answerTime } from './eventText.ts'

const ANSWER_LINES_MAX = 8
/** What a receiver answers to a signature that is not genuine. */
const REFUSALS: readonly number[] = [400, 401, 403, 422]
const MARK_COLUMNS = 2

/** What is shown of a webhook that was sent. */
interface SentWebhook {
  /** Its number in the ledger; null if it is not a recorded event. */
  n: number | null
  event: string | null
  idTransaction: string | null
  /** False if it has no genuine signature on purpose. */
  isGenuine: boolean
}

/** The answer to a webhook, and what a developer may want to know about it. */
export function answerLines(
  webhook: SentWebhook,
  result: PostResult,
  { expected, isGood }: { expected: number | null; isGood: boolean },
  terminal: Terminal,
): string[] {
  const { out, outIsTerminal } = terminal
  const columns = outIsTerminal ? terminal.columns : Number.POSITIVE_INFINITY
  const { n, event, idTransaction } = webhook
  const { status, ms } = result
  const cells = [
    { text: isGood ? '✓' : '✗', paint: isGood ? out.green : out.red },
    { text: String(status ?? '—'), paint: isGood ? out.green : out.red, gap: 1 },
    { text: answerTime(ms), paint: out.dim, endsAt: 15 },
    { text: n === null ? '' : t`#${n}`, paint: out.dim },
    { text: safeText(event ?? '') },
    { text: safeText(idTransaction ?? '') },
  ]
  const beginning = isGood ? [] : safeLines(result.body.trim()).slice(0, ANSWER_LINES_MAX)
  const words = [
    ...beginning.filter((line) => line.trim() !== '').map((text) => ({ text, paint: out.dim })),
    ...remarks(webhook, result, expected).map((text) => ({ text, paint: isGood ? out.yellow : out.red })),
  ]
  const more = words.map((cell) => ({ ...cell, at: MARK_COLUMNS, isFirst: true, isProse: true }))
  return layOutCells([...cells, ...more], columns, MARK_COLUMNS)
}

/** Why the service would count an answer as failed and what may have caused it, in sentences; empty if it would not. */
export function answerAdvice(answer: Pick<DeliveryAnswer, 'status' | 'ms'>): string[] {
  return answer.status === null ? [] : [...slowness(answer), ...explainAnswer(answer.status)]
}

/** What a developer may want to know about an answer: why there was none, its likely cause, what the service would do. */
function remarks({ isGenuine }: SentWebhook, result: PostResult, expected: number | null): string[] {
  const { status, error } = result
  if (error !== null || status === null) return [error?.message ?? '']
  const differs = expected === null || status === expected ? [] : [t`Expected ${expected}`]
  const causes = isGenuine ? (status === expected ? [] : explainAnswer(status)) : forgeryRemarks(status)
  return [...differs, ...slowness(result), ...causes]
}

function slowness(answer: Pick<DeliveryAnswer, 'status' | 'ms'>): string[] {
  return isTooSlow(answer) ? [t`The service waits 5 s, so it counts this as failed and sends it again`] : []
}

/** What the answer to a webhook without a genuine signature tells. */
function forgeryRemarks(status: number): readonly string[] {
  if (isSuccessStatus(status)) return [t`It accepted a webhook without a genuine signature, which anyone could send`]
  if (REFUSALS.includes(status)) return [t`It refused a webhook without a genuine signature, as it should`]
  if (status < 500) return explainAnswer(status)
  return [
    t`It failed instead of refusing: a missing, longer or malformed signature must give 401, not an exception`,
    t`Compare the lengths of the header and of the hex digits that you computed, then the two texts in constant time`,
  ]
}
