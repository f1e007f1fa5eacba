import type { Context } from '../../context.ts'
import { instantText } from '../../pix/calendar.ts'
import type { Signer } from '../../profiles/signer.ts'
import type { Figures } from '../../receiver/figures.ts'
import { explainAnswer, type PostResult } from '../../receiver/post.ts'
import type { Delivery } from '../../receiver/receiver.ts'
import type { StreamItem } from '../../terminal/printer.ts'
import { labelled } from '../../terminal/terminal.ts'
import { bytesOf } from '../../text/byteText.ts'
import { safeJson } from '../../text/safeText.ts'
import { t } from '../../text/words.ts'
import { eventLine } from '../../timeline/eventLine.ts'
import { eventDocument, type ShownEvent } from '../../timeline/eventView.ts'
import { bodyLines } from '../../views/bodyText.ts'
import { type EventCanvas, eventLines } from '../../views/eventText.ts'
import { clockNotice, dayLine, forwardLines, quietText, summaryLines } from '../../views/listenText.ts'
import { wrapWords } from '../../views/wrap.ts'
import { isLoopbackHost, withoutPassword } from '../../wire/address.ts'
import { Failure } from '../../wire/errors.ts'
import type { ListenWishes } from './listenOptions.ts'

const QUIET_MS = 60_000
const HOST_CHARACTERS_MAX = 100
/** A reader who has stopped reading must not fill the memory. */
const BACKLOG_BYTES_MAX = 8 * 1024 * 1024

/** What a listener writes: lines of JSON for a script, aligned lines for people. Nothing that it writes is waited for. */
export class ListenScreen {
  readonly #context: Context
  readonly #wishes: ListenWishes
  readonly #canvas: EventCanvas
  #isFlushPlanned = false
  #skipped = 0
  #documents: StreamItem[] = []
  #lines: string[] = []
  #last: ShownEvent | null = null
  #lastAtMs: number
  #troubles = ''

  constructor(context: Context, wishes: ListenWishes) {
    const { terminal } = context
    this.#context = context
    this.#wishes = wishes
    this.#lastAtMs = context.now()
    const columns = terminal.outIsTerminal ? terminal.columns : Number.POSITIVE_INFINITY
    this.#canvas = { columns, style: terminal.out, unmask: wishes.unmask }
  }

  ready(url: string, publicUrl: string | null, signer: Signer): void {
    const { print, terminal, now } = this.#context
    const { forwardTo, host, allowUnsigned } = this.#wishes
    print.item({ type: 'ready', url, publicUrl }, () =>
      labelled(
        [
          [t`listens at`, url, terminal.out.bold],
          ...(publicUrl === null ? [] : [[t`public`, publicUrl, terminal.out.bold] as const]),
          ...(forwardTo === null ? [] : [[t`passes on to`, withoutPassword(forwardTo.href)] as const]),
          [t`verifies with`, verifiedWith(signer)],
        ],
        terminal.out,
      ),
    )
    if (print.format === 'text') terminal.data('')
    terminal.note(clockNotice(now()))
    terminal.note(t`Ctrl-C ends it and shows the summary; \`pixgate webhook events\` lists what arrived`)
    if (isLoopbackHost(host) || host === '') return
    terminal.warn(
      allowUnsigned
        ? t`Other machines can reach it, and what they send is taken without a signature`
        : t`Other machines can reach it; what they send is taken only with a signature`,
    )
  }

  /** Says the public URL where it has changed. */
  publicUrl(publicUrl: string): void {
    this.#context.print.item({ type: 'public', publicUrl }, () => [
      '',
      ...labelled([[t`public`, publicUrl]], this.#context.terminal.out),
    ])
  }

  delivered(delivery: Delivery): void {
    const shown = shownDelivery(delivery)
    if (this.#context.print.format === 'json') {
      this.#documents.push({ json: () => eventLine(shown), document: () => eventDocument(shown) })
    } else this.#lines.push(...this.#eventLines(shown, delivery))
    this.#last = shown
    this.#lastAtMs = delivery.receivedAtMs
    this.#flushSoon()
  }

  forwarded(n: number | null, { status, ms, body, error }: PostResult): void {
    if (this.#context.print.format === 'json') {
      const end = error === null ? { body } : { error: error.message, errorCode: error.code }
      const document = { type: 'forward', n, status, ms, ...end }
      this.#documents.push({ json: () => bytesOf(safeJson(JSON.stringify(document))), document: () => document })
    } else {
      const advice = status === null ? null : explainAnswer(status)
      this.#lines.push(...forwardLines({ n, status, ms, body, error: error?.message ?? null, advice }, this.#canvas))
    }
    this.#flushSoon()
  }

  /** Says why an event could not be stored; not again as long as the reason is the same. */
  notKept(error: unknown): void {
    const reason = reasonOf(error)
    if (reason === this.#troubles) return
    this.#troubles = reason
    this.#context.terminal.alarm(t`An event could not be stored, so it was answered 503: ${reason}`)
  }

  /** Says how old the last event is, once a minute has gone by without one. */
  quiet(): void {
    this.#flush()
    const ageMs = this.#context.now() - this.#lastAtMs
    if (ageMs >= QUIET_MS) this.#context.terminal.passing(quietText(ageMs, this.#last))
  }

  summary(figures: Figures): void {
    this.#flush()
    const { print, terminal } = this.#context
    print.item({ type: 'summary', ...figures }, () => ['', ...summaryLines(figures, terminal.out)])
  }

  #eventLines(shown: ShownEvent, delivery: Delivery): string[] {
    const { style } = this.#canvas
    const day = dayLine(this.#lastAtMs, delivery.receivedAtMs, style)
    const lines = [...(day === null ? [] : [day]), ...eventLines(shown, this.#canvas)]
    const advice = adviceFor(delivery)
    if (advice !== null) lines.push(style.dim(wrapWords(`   ${advice}`, this.#canvas.columns)))
    if (this.#wishes.printBody && shown.body.length > 0) {
      lines.push(...bodyLines(shown.body, this.#canvas).map((line) => `   ${line}`))
    }
    return lines
  }

  /** What happens in one turn of the loop is written at once. */
  #flushSoon(): void {
    if (this.#isFlushPlanned) return
    this.#isFlushPlanned = true
    setImmediate(() => this.#flush())
  }

  #flush(): void {
    this.#isFlushPlanned = false
    const { print, terminal } = this.#context
    const documents = this.#documents
    const lines = this.#lines
    this.#documents = []
    this.#lines = []
    if (terminal.outBacklogBytes() > BACKLOG_BYTES_MAX) {
      this.#skipped += documents.length + lines.length
      return
    }
    if (this.#skipped > 0) this.#confessSkipped()
    if (documents.length > 0) print.items(documents)
    if (lines.length > 0) terminal.data(lines.join('\n'))
  }

  /** What nobody read in time was not printed. */
  #confessSkipped(): void {
    const skipped = this.#skipped
    this.#skipped = 0
    this.#context.print.item({ type: 'skipped', lines: skipped }, () => [
      t`${skipped} lines were not printed, because nobody read them; \`pixgate webhook events\` has every event`,
    ])
  }
}

function shownDelivery(delivery: Delivery): ShownEvent {
  const { n, facts, isSigned, reason, duplicate, body, headers, receivedAtMs, answeredMs } = delivery
  return {
    n,
    event: facts?.event ?? null,
    valid: isSigned && n !== null,
    reason,
    duplicate,
    body,
    headers,
    receivedAt: instantText(receivedAtMs),
    answeredMs: Math.round(answeredMs * 1000) / 1000,
    facts,
  }
}

function verifiedWith({ source, previous, environment }: Signer): string {
  if (previous === null) return t`${source}, ${environment}`
  return t`${source} or ${previous.source}, ${environment}`
}

/** What to do about a refused request; null where its words say enough. */
function adviceFor({ reason, method, target, headers }: Delivery): string | null {
  switch (reason) {
    case 'host':
      return t`It was sent to ${hostOf(headers)}, which is not this listener; add \`--public-url\` if that is yours`
    case 'method':
      return t`${method} ${target}: a webhook is a POST`
    case 'path':
      return t`${target} is not the \`--path\` that is listened on`
    case 'mismatch':
      return t`Another secret, or the body was changed on the way; \`-o json\` gives its bytes to \`pixgate webhook verify --request -\`, which finds out which`
    default:
      return null
  }
}

/** The name that a request was sent to. */
function hostOf(headers: Delivery['headers']): string {
  const host = headers.find(([name]) => name.toLowerCase() === 'host')
  return (host?.[1] ?? '').slice(0, HOST_CHARACTERS_MAX)
}

function reasonOf(error: unknown): string {
  if (error instanceof Failure) return error.message
  if (error instanceof Error && 'code' in error) {
    if (error.code !== 'DAMAGED_LAST_LINE') return String(error.code)
    return t`the last line of events.log in the data folder is damaged; \`pixgate history repair\` puts it right`
  }
  return error === undefined ? t`the disk did not answer in time` : String(error)
}
