import type { ChalkInstance } from 'chalk'
import type { SignatureDiagnosis } from '../../diagnosis/signatureDiagnosis.ts'
import type { ListenerStats } from '../../listener/eventStore.ts'
import type { EventRoute } from '../../listener/forwarder.ts'
import type { Delivery } from '../../listener/listenerServer.ts'
import { isRefusedWebhook, keptLoss } from '../../listener/refusedWebhooks.ts'
import type { PostResult } from '../../listener/webhookPost.ts'
import { formatInstant, saoPauloDay } from '../../pix/calendar.ts'
import type { Signer } from '../../profiles/signer.ts'
import {
  ADDRESS,
  COUNT,
  constant,
  describe,
  HTTP_STATUS,
  list,
  MILLISECONDS,
  mayBeMissing,
  objectOf,
  orNull,
  TEXT,
  type ValueOf,
} from '../../schemas/jsonSchema.ts'
import { viewOf } from '../../terminal/fields.ts'
import type { Output } from '../../terminal/printer.ts'
import { type LabelledRow, labelledLines } from '../../terminal/terminal.ts'
import { type Cell, layOutCells, wrapWords } from '../../text/cellLayout.ts'
import { safeText } from '../../text/safeText.ts'
import { t, translated } from '../../text/translate.ts'
import { isLoopbackHost, withoutPassword } from '../../wire/baseAddress.ts'
import { Failure } from '../../wire/errors.ts'
import type { Secret } from '../../wire/secret.ts'
import { isReceived, isTooSlow } from '../../wire/signature.ts'
import { maskText } from '../valueText.ts'
import { adviceFor, lossAdvice, shownDelivery, TOO_SLOW } from './deliveryText.ts'
import { eventDocument } from './eventFields.ts'
import {
  type AnswerAdvice,
  answerAdvice,
  answerTime,
  bodyLines,
  clockText,
  type EventLayout,
  eventLines,
  type Receiver,
  refusedLines,
  VERDICT_OFFSET,
} from './eventText.ts'
import type { ShownEvent } from './shownEvent.ts'
import { causeTexts, DIAGNOSIS_LINE } from './signatureText.ts'

const QUIET_MS = 60_000
/** How long the line of a refused webhook waits for what is found about it. */
const HELD_MS = 1_500
const EXPLAIN = 'pixgate webhook verify --last-refused'
/** The most output that is buffered for a slow reader; JSON gets more, because a program must not miss a line. */
const BACKLOG_BYTES_MAX = { text: 8 * 1024 * 1024, json: 256 * 1024 * 1024, csv: 0 } as const

/** Where a listener is reached; null for what there is not. */
interface ListenerUrls {
  url: string
  publicUrl: string | null
  /** The inspector's page, with its token. */
  inspectUrl: string | null
}

interface ListenScreenOptions {
  forwardTo?: URL | undefined
  route: readonly EventRoute[]
  host: string
  allowUnsigned: boolean
  printBody: boolean
  unmask: boolean
}

const ROUTE = objectOf({ events: TEXT, url: ADDRESS })

/** The first line of JSON of a listener. */
export const READY_LINE = viewOf<ListenerUrls & Pick<ListenScreenOptions, 'route' | 'forwardTo'>>()({
  type: [constant('ready'), () => 'ready' as const],
  url: [ADDRESS, ({ url }) => url],
  publicUrl: [orNull(ADDRESS), ({ publicUrl }) => publicUrl],
  inspectUrl: [mayBeMissing(ADDRESS), ({ inspectUrl }) => inspectUrl ?? undefined],
  routes: [
    mayBeMissing(describe('Which events go where, as typed', list(ROUTE))),
    ({ route }) => (route.length === 0 ? undefined : route.map(({ events, url }) => ({ events, url: shownUrl(url) }))),
  ],
  forwardTo: [
    mayBeMissing(describe('Gets what no route takes', ADDRESS)),
    ({ forwardTo }) => forwardTo && shownUrl(forwardTo),
  ],
})

/** The line about one forward. */
export const FORWARD_LINE = viewOf<{ n: number | null; url: string; result: PostResult }>()({
  type: [constant('forward'), () => 'forward' as const],
  n: [orNull(COUNT), ({ n }) => n],
  url: [ADDRESS, ({ url }) => url],
  status: [orNull(HTTP_STATUS), ({ result }) => result.status],
  ms: [MILLISECONDS, ({ result }) => result.ms],
  body: [mayBeMissing(TEXT), ({ result }) => (result.error === null ? result.body : undefined)],
  error: [mayBeMissing(TEXT), ({ result }) => result.error?.message],
  errorCode: [mayBeMissing(TEXT), ({ result }) => result.error?.code],
  tooSlow: [mayBeMissing(TOO_SLOW), ({ result }) => isTooSlow(result) || undefined],
})

/** The line before what follows lines that a slow reader did not get. */
export const SKIPPED_LINE = objectOf({ type: constant('skipped'), lines: COUNT })

/** The last line. */
export const SUMMARY_LINE = objectOf({
  type: constant('summary'),
  received: COUNT,
  valid: COUNT,
  invalid: COUNT,
  unsigned: COUNT,
  duplicates: COUNT,
  notStored: COUNT,
  forwarded: COUNT,
  notForwarded: COUNT,
  targets: list(objectOf({ url: ADDRESS, forwarded: COUNT, notForwarded: COUNT })),
  p50: MILLISECONDS,
  p95: MILLISECONDS,
  p99: MILLISECONDS,
})

/** The output of a listener: lines of JSON for a program, aligned lines for people. Writing never delays an answer. */
export class ListenScreen {
  readonly #output: Output
  readonly #now: () => number
  readonly #secrets: readonly Secret[]
  readonly #options: ListenScreenOptions
  readonly #canvas: EventLayout
  #isFlushDue = false
  #skipped = 0
  #documents: object[] = []
  #lines: string[] = []
  #last: ShownEvent | null = null
  #lastAtMs: number
  #troubles = ''
  readonly #held = new Map<Delivery, NodeJS.Timeout>()
  readonly #told = new Set<string>()

  /** `secrets` are those that are not kept of refused webhooks. */
  constructor(output: Output, options: ListenScreenOptions, secrets: readonly Secret[], now: () => number) {
    const { terminal } = output
    this.#output = output
    this.#now = now
    this.#secrets = secrets
    this.#options = options
    this.#lastAtMs = now()
    const columns = terminal.outIsTerminal ? terminal.columns : Number.POSITIVE_INFINITY
    this.#canvas = { columns, style: terminal.out, unmask: options.unmask }
  }

  ready({ url, publicUrl, inspectUrl }: ListenerUrls, signer: Signer): void {
    const { print, terminal } = this.#output
    const { host, allowUnsigned } = this.#options
    print.item(READY_LINE.documentOf({ ...this.#options, url, publicUrl, inspectUrl }), () =>
      labelledLines(
        [
          [t`listens at`, url, terminal.out.bold],
          ...(publicUrl === null ? [] : [[t`public`, publicUrl, terminal.out.bold] as const]),
          ...this.#targetRows(),
          [t`verifies with`, verifiedWith(signer)],
          ...(inspectUrl === null ? [] : [[t`inspect at`, inspectUrl] as const]),
        ],
        terminal.out,
      ),
    )
    if (print.format === 'text') terminal.data('')
    terminal.note(clockNotice(this.#now()))
    terminal.note(t`Ctrl-C stops it and shows the summary; \`pixgate webhook events\` lists what arrived`)
    if (publicUrl !== null)
      terminal.note(t`\`--callback-url listen\` on \`qr create\`, \`refund\` and \`transfer\` uses the public URL`)
    if (isLoopbackHost(host) || host === '') return
    terminal.warn(
      allowUnsigned
        ? t`Other machines can reach it, and what they send is accepted without a signature`
        : t`Other machines can reach it; what they send is accepted only with a signature`,
    )
  }

  /** `isDiagnosed` tells that {@link diagnosed} is called soon: its line is held back for so long. */
  delivered(delivery: Delivery, isDiagnosed: boolean): void {
    const shown = shownDelivery(delivery)
    if (isDiagnosed && this.#output.print.format === 'text') {
      this.#held.set(
        delivery,
        setTimeout(() => this.#show(shown, delivery), HELD_MS),
      )
    } else this.#show(shown, delivery)
    this.#last = shown
    this.#lastAtMs = delivery.receivedAtMs
  }

  #show(shown: ShownEvent, delivery: Delivery, cause = ''): void {
    clearTimeout(this.#held.get(delivery))
    this.#held.delete(delivery)
    if (this.#output.print.format === 'json') this.#documents.push(eventDocument({ shown, forwards: null }))
    else this.#lines.push(...this.#eventLines(shown, delivery, cause))
    this.#flushSoon()
  }

  /** `target` is the URL of `--forward-to` or of a route. */
  forwarded(n: number | null, target: URL, receiver: Receiver, result: PostResult): void {
    const { status, ms, body, error } = result
    const url = shownUrl(target)
    if (this.#output.print.format === 'json') {
      this.#documents.push(FORWARD_LINE.documentOf({ n, url, result }))
    } else {
      const to = this.#options.route.length === 0 ? '' : url
      const view = {
        n,
        url: to,
        status,
        ms,
        body,
        error: error?.message ?? null,
        advice: this.#onceFor(url, answerAdvice(result, receiver)),
      }
      this.#lines.push(...forwardLines(view, this.#canvas))
    }
    this.#flushSoon()
  }

  /** Shows what was found about a refused delivery, some time after its line. */
  diagnosed(delivery: Delivery, diagnosis: SignatureDiagnosis): void {
    if (this.#output.print.format === 'json') {
      if (diagnosis.tried.length === 0) return
      this.#documents.push(DIAGNOSIS_LINE.documentOf({ ...diagnosis, receivedAtMs: delivery.receivedAtMs }))
      this.#flushSoon()
    } else if (this.#held.has(delivery)) {
      const [cause = ''] = diagnosis.cause === null ? [] : causeTexts(diagnosis, delivery.body)
      this.#show(shownDelivery(delivery), delivery, safeText(cause))
    }
  }

  /** A cause is told once for each target. */
  #onceFor(url: string, advice: AnswerAdvice): AnswerAdvice {
    const key = `${url} ${advice.texts.join(' ')}`
    if (this.#told.has(key)) return { texts: [], command: null }
    this.#told.add(key)
    return advice
  }

  /** Reports why an event could not be stored; not again as long as the reason is the same. */
  notStored(error: unknown): void {
    const reason = error instanceof Failure ? error.message : String(error)
    if (reason === this.#troubles) return
    this.#troubles = reason
    this.#output.terminal.alarm(t`An event could not be stored, so it was answered 503: ${reason}`)
  }

  /** Reports that the result of a forward could not be recorded. */
  forwardLost(error: unknown): void {
    const reason = error instanceof Failure ? error.message : String(error)
    this.#output.terminal.alarm(t`The result of forwarding an event could not be recorded: ${reason}`)
  }

  /** Shows how old the last event is, after a minute without one. */
  quiet(): void {
    this.#flush()
    const ageMs = this.#now() - this.#lastAtMs
    if (ageMs >= QUIET_MS) this.#output.terminal.passing(quietText(ageMs, this.#last))
  }

  summary(stats: ListenerStats): void {
    for (const delivery of this.#held.keys()) this.#show(shownDelivery(delivery), delivery)
    this.#flush()
    const { print, terminal } = this.#output
    const document: ValueOf<typeof SUMMARY_LINE> = { type: 'summary', ...stats }
    print.item(document, () => ['', ...summaryLines(stats, terminal.out)])
  }

  /** Which events go where, for people. */
  #targetRows(): LabelledRow[] {
    const { route: routes, forwardTo } = this.#options
    if (routes.length === 0) return forwardTo === undefined ? [] : [[t`forwards to`, shownUrl(forwardTo)]]
    return [
      ...routes.map(({ events, url }): LabelledRow => [t`forwards`, t`${events} to ${shownUrl(url)}`]),
      [t`forwards`, forwardTo === undefined ? t`nothing else` : t`everything else to ${shownUrl(forwardTo)}`],
    ]
  }

  #eventLines(shown: ShownEvent, delivery: Delivery, cause: string): string[] {
    const { style } = this.#canvas
    const day = dayLine(this.#lastAtMs, delivery.receivedAtMs, style)
    const isKept = isRefusedWebhook(delivery)
    const own = isKept
      ? refusedLines(shown, cause, this.#explanation(delivery), this.#canvas)
      : eventLines(shown, this.#canvas)
    const lines = [...(day === null ? [] : [day]), ...own]
    const advice = isKept ? null : adviceFor(delivery, null)
    if (advice !== null) lines.push(style.dim(wrapWords(`   ${advice}`, this.#canvas.columns)))
    if (this.#options.printBody && shown.body.length > 0) {
      lines.push(...bodyLines(shown.body, this.#canvas).map((line) => `   ${line}`))
    }
    return lines
  }

  /** Where to look for the cause of a refusal. */
  #explanation({ body }: Delivery): Cell {
    const loss = keptLoss(body, this.#secrets)
    return loss === null ? { text: EXPLAIN } : { text: lossAdvice(loss), isProse: true }
  }

  /** What happens in one turn of the event loop is written together. */
  #flushSoon(): void {
    if (this.#isFlushDue) return
    this.#isFlushDue = true
    setImmediate(() => this.#flush())
  }

  #flush(): void {
    this.#isFlushDue = false
    const { print, terminal } = this.#output
    const documents = this.#documents
    const lines = this.#lines
    this.#documents = []
    this.#lines = []
    if (terminal.outBacklogBytes() > BACKLOG_BYTES_MAX[print.format]) {
      this.#skipped += documents.length + lines.length
      return
    }
    if (this.#skipped > 0) this.#reportSkipped()
    if (documents.length > 0) print.items(documents)
    if (lines.length > 0) terminal.data(lines.join('\n'))
  }

  #reportSkipped(): void {
    const skipped = this.#skipped
    this.#skipped = 0
    const document: ValueOf<typeof SKIPPED_LINE> = { type: 'skipped', lines: skipped }
    this.#output.print.item(document, () => [
      skipped === 1
        ? t`1 line was not printed, because the reader is too slow; \`pixgate webhook events\` lists every event`
        : t`${skipped} lines were not printed, because the reader is too slow; \`pixgate webhook events\` lists every event`,
    ])
  }
}

function shownUrl(url: URL): string {
  return withoutPassword(url.href)
}

function verifiedWith({ source, previous, environment }: Signer): string {
  if (previous === null) return t`${source}, ${translated(environment)}`
  return t`${source} or ${previous.source}, ${translated(environment)}`
}

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
    // A text would show the colours of what is put into it as escape sequences.
    `${t`${received} received:`} ${parts.join(', ')}`,
    duplicates === 1 ? t`1 duplicate` : t`${duplicates} duplicates`,
  ]
  for (const { url, forwarded, notForwarded } of targets) {
    const missed = t`${notForwarded} refused or not reached`
    const refused = notForwarded > 0 ? style.red(missed) : missed
    lines.push(`${targets.length === 1 ? t`${forwarded} forwarded` : t`${forwarded} forwarded to ${url}`}, ${refused}`)
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
