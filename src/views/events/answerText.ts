import { explainAnswer, type PostResult } from '../../listener/webhookPost.ts'
import type { Terminal } from '../../terminal/terminal.ts'
import { layOutCells } from '../../text/cellLayout.ts'
import { safeLines, safeText } from '../../text/safeText.ts'
import { shellWord } from '../../text/shellWord.ts'
import { t } from '../../text/translate.ts'
import { isSuccessStatus } from '../../wire/answerVerdict.ts'
import { type DeliveryAnswer, isRefusal, isTooSlow } from '../../wire/deliveryVerdict.ts'
import { answerTime } from './eventText.ts'

const ANSWER_LINES_MAX = 8
const MARK_COLUMNS = 2

/** Where a webhook was sent. */
export interface Receiver {
  /** Without user name and password. */
  url: string
  /** The options of the account that signed it, as words of a command: `-p dev `, or ''. */
  account: string
}

/** What a developer may want to know about an answer. */
export interface AnswerAdvice {
  /** Sentences; empty if the service would count the webhook as received. */
  texts: readonly string[]
  /** The command that finds the cause, ready to paste; null if the answer tells it. */
  command: string | null
}

/** What is shown of a webhook that was sent. */
interface SentWebhook {
  /** Its number in the ledger; null if it is not a recorded event. */
  n: number | null
  event: string | null
  idTransaction: string | null
  receiver: Receiver
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
  const { texts, command } = remarks(webhook, result, expected)
  const words = [
    ...beginning.filter((line) => line.trim() !== '').map((text) => ({ text, paint: out.dim, isProse: true })),
    ...texts.map((text) => ({ text, paint: isGood ? out.yellow : out.red, isProse: true })),
    ...(command === null ? [] : [{ text: safeText(command) }]),
  ]
  const more = words.map((cell) => ({ ...cell, at: MARK_COLUMNS, isFirst: true }))
  return layOutCells([...cells, ...more], columns, MARK_COLUMNS)
}

/** Why the service would count an answer as failed, and what may have caused it. */
export function answerAdvice(answer: Pick<DeliveryAnswer, 'status' | 'ms'>, receiver: Receiver): AnswerAdvice {
  const { status } = answer
  if (status === null) return { texts: [], command: null }
  const texts = [...slowness(answer), ...explainAnswer(status)]
  if (!isRefusal(status) && status < 500) return { texts, command: null }
  return {
    texts: [...texts, t`This command finds out why:`],
    command: `pixgate ${receiver.account}webhook check ${shellWord(receiver.url)}`,
  }
}

/** What a developer may want to know about an answer: why there was none, its likely cause, what the service would do. */
function remarks({ isGenuine, receiver }: SentWebhook, result: PostResult, expected: number | null): AnswerAdvice {
  const { status, error } = result
  if (error !== null || status === null) return { texts: [error?.message ?? ''], command: null }
  const differs = expected === null || status === expected ? [] : [t`Expected ${expected}`]
  if (!isGenuine) return { texts: [...differs, ...slowness(result), ...forgeryRemarks(status)], command: null }
  if (status === expected) return { texts: slowness(result), command: null }
  const { texts, command } = answerAdvice(result, receiver)
  return { texts: [...differs, ...texts], command }
}

function slowness(answer: Pick<DeliveryAnswer, 'status' | 'ms'>): string[] {
  return isTooSlow(answer) ? [t`The service waits 5 s, so it counts this as failed and sends it again`] : []
}

/** What the answer to a webhook without a genuine signature tells. */
function forgeryRemarks(status: number): readonly string[] {
  if (isSuccessStatus(status)) return [t`It accepted a webhook without a genuine signature, which anyone could send`]
  if (isRefusal(status)) return [t`It refused a webhook without a genuine signature, as it should`]
  if (status < 500) return explainAnswer(status)
  return [
    t`It failed instead of refusing: a missing, longer or malformed signature must give 401, not an exception`,
    t`Compare the lengths of the header and of the hex digits that you computed, then the two texts in constant time`,
  ]
}
