import { performance } from 'node:perf_hooks'
import { type WrongSignature, wrongSignatures } from '../diagnosis/refusalDiagnoser.ts'
import type { ConnectionPool } from '../gateway/connections.ts'
import { ExchangeFailed, exchange } from '../gateway/exchange.ts'
import { EVENT_NAMES, type EventName } from '../schemas/webhookBodies.ts'
import { declared, t } from '../text/translate.ts'
import { withoutPassword } from '../wire/baseAddress.ts'
import { NotReached } from '../wire/errors.ts'
import { eventBody, repeatIdKey, WEBHOOK_STYLES, type WebhookStyle } from '../wire/eventBody.ts'
import type { WriterLanguage } from '../wire/jsonWriters.ts'
import {
  isReceived,
  isRefusal,
  isTooSlow,
  SIGNATURE_HEADER,
  type SignatureEncoding,
  signBody,
} from '../wire/signature.ts'
import { type BodyEdit, editBody } from './bodyEdits.ts'
import { PROBED_STATUSES, sampleEvent } from './samples.ts'
import { type Header, type PostResult, postBytes } from './webhookPost.ts'

/** The result of one probe. */
export interface CheckResult extends ProvedCause {
  name: string
  sent: string
  status: number | null
  ms: number | null
  verdict: 'good' | 'bad' | 'not-proved'
}

/** What a check found. */
export interface ReceiverReport {
  results: CheckResult[]
  /** The receiver's language, if its answers tell. */
  language: WriterLanguage | null
}

export interface ReceiverCheckOptions extends ProbeSource {
  url: URL
  connections: ConnectionPool
  signal: AbortSignal
  /** Reads what the shop shows; null if that was not requested. */
  readState: (() => Promise<string>) | null
}

/** The whole check ends within 60 s: this, and the longest wait for one answer. */
const TIME_MS_MAX = 52_000
const ANSWER_MS_MAX = 7_000
const SLOW_MAX = 3
const AT_ONCE = 8
/** If one of two took this much longer than one alone, it was waiting for the other. */
const SIDE_BY_SIDE = 1.6
const SIDE_BY_SIDE_MS = 30

/**
 * Sends samples to a receiver and judges what it does with each. Calls nothing else. Returns null if no connection was made. Never throws for
 * what the receiver does.
 */
export async function checkReceiver(options: ReceiverCheckOptions): Promise<ReceiverReport | null> {
  const run = new CheckRun(options)
  const make = new ProbeMaker(options)
  const shop = options.readState === null ? null : await ShopWatch.open(options.readState)
  // Before anything is paid: a payment that was credited would hide that it is credited again.
  const unpaid = shop === null ? [] : [await shop.around(() => run.send(make.unpaid()))]
  const first = await run.send(make.first())
  if (first.result !== null && isUnreachable(first.result)) return null
  await run.findPace([make.first(), make.first()])
  const plain = await run.sendAll([
    ...make.events(),
    ...make.forgeries(),
    ...make.styles(),
    ...make.unusual(),
    ...make.reordered(),
  ])
  const sent = [first, ...plain]
  const accepted = sent.some(({ probe, result }) => probe.expects === 'accepted' && isTaken(result))
    ? undefined
    : await acceptedSignature(run, make)
  const probe: Probe = { ...make.first(), name: 'repeated', sent: declared`pix.received PAID, the same bytes again` }
  await run.send(probe)
  const again = shop === null ? null : await shop.around(() => run.send(probe))
  const repeated = again?.sent ?? (await run.send(probe))
  const causeOf = causesOf(sent, accepted)
  return {
    results: [
      ...sent.map((each) => judged(each, causeOf)),
      ...unpaid.map((each) => judgedByState(each.sent, causeOf, creditedUnpaid(each))),
      judgedByState(repeated, causeOf, again === null ? 'not-proved' : stateChanged(again)),
    ],
    language: languageOf([...sent.map(({ result }) => result), repeated.result]),
  }
}

/** The wrong signature that the receiver accepts while it refuses the right one; undefined if it accepts none. */
async function acceptedSignature(run: CheckRun, make: ProbeMaker): Promise<WrongSignature | undefined> {
  for (const { signature, probe } of make.otherwise()) {
    if (!isTaken((await run.send(probe)).result)) continue
    // A receiver that was not ready before accepts the right one by now, which proves nothing.
    return isTaken((await run.send(make.first())).result) ? undefined : signature
  }
  return undefined
}

/** Sends probes at the pace that the receiver allows, and stops when time is up or too many answers were slow. */
class CheckRun {
  readonly #options: ReceiverCheckOptions
  readonly #endMs = performance.now() + TIME_MS_MAX
  #slow = 0
  #atOnce = AT_ONCE
  #firstMs = 0

  constructor(options: ReceiverCheckOptions) {
    this.#options = options
  }

  async send(probe: Probe): Promise<SentProbe> {
    const { connections, url, signal } = this.#options
    if (this.#slow >= SLOW_MAX || performance.now() > this.#endMs || signal.aborted) return { probe, result: null }
    const limits = { timeoutMs: ANSWER_MS_MAX, charactersMax: 200, signal }
    const result = await postBytes(connections, url, probe.body, probe.headers, limits)
    if (result.status === null ? result.error?.code === 'TIMEOUT' : isTooSlow(result)) this.#slow += 1
    if (this.#firstMs === 0) this.#firstMs = result.ms
    return { probe, result }
  }

  /** Finds out whether two answers wait for each other: then everything is sent one after another. */
  async findPace(probes: readonly Probe[]): Promise<void> {
    const slow = this.#slow
    const sent = await Promise.all(probes.map((probe) => this.send(probe)))
    const times = sent.map(({ result }) => result?.ms ?? 0)
    const alone = Math.min(this.#firstMs, ...times)
    if (Math.max(...times) < alone * SIDE_BY_SIDE + SIDE_BY_SIDE_MS) return
    this.#atOnce = 1
    // One was slow because the other came first.
    if (this.#slow < slow + probes.length) this.#slow = slow
  }

  async sendAll(probes: readonly Probe[]): Promise<SentProbe[]> {
    const sent: SentProbe[] = []
    const together = probes.filter(({ isAlone }) => isAlone !== true)
    for (let at = 0; at < together.length; at += this.#atOnce) {
      sent.push(...(await Promise.all(together.slice(at, at + this.#atOnce).map((probe) => this.send(probe)))))
    }
    for (const probe of probes.filter(({ isAlone }) => isAlone === true)) sent.push(await this.send(probe))
    return sent
  }
}

interface Watched {
  sent: SentProbe
  before: string
  after: string
  /** False if the shop shows something else each time it is read, so that nothing can be concluded. */
  isStable: boolean
}

class ShopWatch {
  readonly #read: () => Promise<string>
  readonly #isStable: boolean

  private constructor(read: () => Promise<string>, isStable: boolean) {
    this.#read = read
    this.#isStable = isStable
  }

  static async open(read: () => Promise<string>): Promise<ShopWatch> {
    const [one, other] = [await read(), await read()]
    return new ShopWatch(read, one === other)
  }

  async around(send: () => Promise<SentProbe>): Promise<Watched> {
    const before = await this.#read()
    const sent = await send()
    return { sent, before, after: await this.#read(), isStable: this.#isStable }
  }
}

type StateVerdict = 'same' | 'not-proved' | 'state-changed' | 'credited-unpaid'

function stateChanged({ before, after, isStable }: Watched): StateVerdict {
  if (!isStable) return 'not-proved'
  return before === after ? 'same' : 'state-changed'
}

/** A shop may show that a payment has expired; then the words that it has added say so. */
function creditedUnpaid({ before, after, isStable }: Watched): StateVerdict {
  if (!isStable) return 'not-proved'
  if (before === after) return 'same'
  const known = new Set(before.split(/[\s"'<>:,{}[\]]+/))
  const added = after.split(/[\s"'<>:,{}[\]]+/).filter((word) => !known.has(word))
  return added.some((word) => /expir|unpaid|ended|closed/i.test(word)) ? 'not-proved' : 'credited-unpaid'
}

function judgedByState(sent: SentProbe, causeOf: CauseOf, state: StateVerdict): CheckResult {
  const result = judged(sent, causeOf)
  if (result.verdict !== 'good' || state === 'same') return result
  return state === 'not-proved' ? { ...result, verdict: state } : { ...result, verdict: 'bad', cause: state }
}

function judged(sent: SentProbe, causeOf: CauseOf): CheckResult {
  const { probe, result } = sent
  const { name, sent: what, expects } = probe
  const about = { name, sent: what, status: result?.status ?? null, ms: result?.ms ?? null }
  if (result === null) return { ...about, verdict: 'not-proved', cause: null }
  // One that fails at a forged webhook does not take it, but says so in an unfortunate way.
  const isRight = expects === 'accepted' ? isReceived(result) : !isTaken(result)
  if (!isRight) return { ...about, verdict: 'bad', ...causeOf(sent) }
  const hasFailed = expects === 'refused' && result.status !== null && result.status >= 500
  return { ...about, verdict: 'good', cause: hasFailed ? 'crash-on-forged' : null }
}

/** True if not even a connection was made. */
function isUnreachable({ status, error }: PostResult): boolean {
  return (
    status === null &&
    error !== null &&
    /^(?:ECONNREFUSED|ENOTFOUND|EAI_AGAIN|EHOSTUNREACH|ENETUNREACH|EPROTO|CANCELLED)$|CERT|^PROXY/.test(error.code)
  )
}

interface Probe {
  /** Stable, for programs: `pix.received/PAID`. */
  name: string
  /** For a person: what is special about it. */
  sent: string
  body: Buffer
  headers: readonly Header[]
  /** What a right receiver does: takes it, or refuses it. */
  expects: 'accepted' | 'refused'
  /** Must not be sent beside others. */
  isAlone?: boolean
}

interface ProbeSource {
  secret: string
  encoding: SignatureEncoding
  edits: readonly BodyEdit[]
  headers: readonly Header[]
  newId(): string
  nowMs: number
}

/** So that a receiver can tell samples from payments. */
const CHECK_HEADER: Header = ['X-Pixgate-Check', '1']
const AMOUNT = 0.1
/** Each writer has a way of its own to write it: letters outside ASCII, and a slash. */
const NAME = 'João da Conceição S/A'

const STYLE_TEXTS: Readonly<Record<WebhookStyle, string>> = {
  java: declared`transfer.completed, java style`,
  php: declared`transfer.completed, php style`,
  python: declared`transfer.completed, python style`,
  javascript: declared`transfer.completed, javascript style`,
}

/** Makes the bodies of one check, and signs them in all the right and wrong ways. */
export class ProbeMaker {
  readonly #source: ProbeSource

  constructor(source: ProbeSource) {
    this.#source = source
  }

  /** A payment, which every receiver must take: it is sent first. */
  first(): Probe {
    return this.#genuine('pix.received/PAID', 'pix.received PAID', this.#body('pix.received', 'PAID'))
  }

  /** Each event with each of its statuses, in the writing style of the service. */
  events(): Probe[] {
    return EVENT_NAMES.flatMap((name) =>
      PROBED_STATUSES[name]
        .filter((status) => name !== 'pix.received' || status !== 'PAID')
        .map((status) => this.#genuine(`${name}/${status}`, `${name} ${status}`, this.#body(name, status))),
    )
  }

  /** The same event as four languages write it; `java` is how the other probes are written. */
  styles(): (Probe & { style: WebhookStyle })[] {
    return WEBHOOK_STYLES.map((style) => ({
      ...this.#genuine(`style/${style}`, STYLE_TEXTS[style], this.#body('transfer.completed', 'PAID_OUT', style)),
      style,
    }))
  }

  /** Genuine events that are unusual. */
  unusual(): Probe[] {
    const refund = this.#body('refund.status', 'COMPLETED').toString('utf8')
    const ended = Buffer.concat([this.#body('pix.received', 'PAID'), Buffer.from('\n')])
    return [
      this.#genuine('repeated-key', declared`refund.status with idTransaction twice`, Buffer.from(repeatIdKey(refund))),
      this.#genuine('line-break', declared`pix.received, a line break at the end`, ended),
      this.#upperCase(),
    ]
  }

  /** A refund before its payment, which may arrive in any order. */
  reordered(): Probe[] {
    const payment = this.#source.newId()
    const refund = this.#body('refund.status', 'COMPLETED', 'java', { originalTransactionId: payment })
    return [
      { ...this.#genuine('re-ordered', declared`refund.status before its payment`, refund), isAlone: true },
      {
        ...this.#genuine(
          're-ordered/payment',
          declared`the payment after its refund`,
          this.#body('pix.received', 'PAID', 'java', { idTransaction: payment }),
        ),
        isAlone: true,
      },
    ]
  }

  /** What anybody could send. */
  forgeries(): Probe[] {
    const body = this.#body('pix.received', 'PAID')
    const right = signBody(body, this.#source.secret)
    const other = signBody(body, `not ${this.#source.secret}`)
    const forged = (name: string, sent: string, signature: string): Probe => ({
      ...this.#genuine(name, sent, body),
      headers: this.#headers(signature),
      expects: 'refused',
    })
    return [
      { ...forged('unsigned', declared`without a signature`, ''), headers: this.#headers(undefined) },
      forged('forged', declared`signed with another secret`, other),
      forged(
        'forged/beginning',
        declared`a signature of which only the first 8 characters are right`,
        right.slice(0, 8) + other.slice(8),
      ),
      forged('forged/short', declared`only the first 8 characters of the signature`, right.slice(0, 8)),
      forged('forged/empty', declared`an empty signature`, ''),
    ]
  }

  /** Genuine events with the signatures that wrong receivers expect. */
  otherwise(): { signature: WrongSignature; probe: Probe }[] {
    const body = this.#body('pix.received', 'PAID')
    return wrongSignatures(body, this.#source.secret, this.#source.encoding).map((signature) => ({
      signature,
      probe: { ...this.#genuine(signature.cause, signature.cause, body), headers: this.#headers(signature.value) },
    }))
  }

  /** A payment that was not paid: what was credited must stay as it is. */
  unpaid(): Probe {
    return this.#genuine(
      'unpaid',
      declared`pix.received EXPIRED, of a payment that was not paid`,
      this.#body('pix.received', 'EXPIRED'),
    )
  }

  #upperCase(): Probe {
    const body = this.#body('pix.received', 'PAID')
    const probe = this.#genuine('upper-case', declared`pix.received, the signature in upper case`, body)
    return this.#source.encoding === 'hex'
      ? { ...probe, headers: this.#headers(signBody(body, this.#source.secret).toUpperCase()) }
      : probe
  }

  #genuine(name: string, sent: string, body: Buffer): Probe {
    const { secret, encoding } = this.#source
    return { name, sent, body, headers: this.#headers(signBody(body, secret, encoding)), expects: 'accepted' }
  }

  #headers(signature: string | undefined): Header[] {
    return [
      ['Content-Type', 'application/json'],
      ['User-Agent', 'pixgate'],
      CHECK_HEADER,
      ...this.#source.headers,
      ...(signature === undefined ? [] : [[SIGNATURE_HEADER, signature] satisfies Header]),
    ]
  }

  #body(event: EventName, status: string, style: WebhookStyle = 'java', own: Record<string, string> = {}): Buffer {
    const { newId, nowMs, edits } = this.#source
    const sample = sampleEvent(event, { newId, nowMs })
    const inner = 'data' in sample ? sample.data : sample
    const values = {
      ...inner,
      ...('amount' in inner ? { amount: AMOUNT } : { value: AMOUNT }),
      ...('status' in inner ? { status } : { statusTransaction: status }),
      ...('destinationName' in inner ? { destinationName: NAME } : {}),
      ...own,
    }
    return editBody(Buffer.from(eventBody('data' in sample ? { ...sample, data: values } : values, style)), edits)
  }
}

/** Why a receiver does the wrong thing, if the probes prove it. */
export type CheckCause =
  | WrongSignature['cause']
  | 'no-check'
  | 'unsigned-taken'
  | 'reserialized'
  | 'trimmed'
  | 'case-sensitive'
  | 'beginning-only'
  | 'slow'
  | 'not-200'
  | 'redirect'
  | 'crash'
  | 'crash-on-forged'
  | 'unknown-payment'
  | 'wrong-path'
  | 'no-answer'
  | 'state-changed'
  | 'credited-unpaid'

/** A proved cause, and what belongs to it. */
export interface ProvedCause {
  cause: CheckCause | null
  /** The only writing style that is accepted, for `reserialized`. */
  writer?: string
  /** How the signature is computed that is accepted, for `wrong-construction`. */
  formula?: string
}

/** A probe and the answer to it; null if time had run out. */
interface SentProbe {
  probe: Probe
  result: PostResult | null
}

type CauseOf = (sent: SentProbe) => ProvedCause

/** What the answers together prove about each wrong one; `accepted` is the wrong signature that was taken, if one was. */
function causesOf(sent: readonly SentProbe[], accepted: WrongSignature | undefined): CauseOf {
  const statusOf = (name: string) => sent.find(({ probe }) => probe.name === name)?.result?.status ?? null
  const styles = sent.filter(({ probe }) => probe.name.startsWith('style/'))
  const takenStyles = styles.filter(({ result }) => isTaken(result))
  const [only, another] = takenStyles
  const isRewriting =
    only !== undefined &&
    another === undefined &&
    styles.every(({ result }) => isTaken(result) || isRefusal(result?.status ?? null))
  const writer = isRewriting ? only.probe.name.slice('style/'.length) : undefined
  const takesForged = isSuccess(statusOf('forged'))
  const isPlainTaken = isSuccess(statusOf('pix.received/PAID'))

  function causeOfForged({ probe, result }: SentProbe): CheckCause | null {
    if (takesForged) return 'no-check'
    if (!isTaken(result) || !isRefusal(statusOf('forged'))) return null
    if (probe.name === 'unsigned' || probe.name === 'forged/empty') return 'unsigned-taken'
    return isRefusal(statusOf('unsigned')) ? 'beginning-only' : null
  }

  return (each) => {
    const { probe, result } = each
    if (result === null) return { cause: null }
    const { status } = result
    if (probe.expects === 'refused') return { cause: causeOfForged(each) }
    if (status === null) return { cause: 'no-answer' }
    if (isTooSlow(result)) return { cause: 'slow' }
    if (isTaken(result)) return { cause: 'not-200' }
    if (status >= 300 && status < 400) return { cause: 'redirect' }
    if (status >= 500) return { cause: 'crash' }
    if (status === 404) return { cause: statusOf('forged') === 404 ? 'wrong-path' : 'unknown-payment' }
    if (!isRefusal(status)) return { cause: null }
    if (accepted !== undefined && !takesForged) {
      const { cause, formula } = accepted
      return formula === undefined ? { cause } : { cause, formula }
    }
    if (writer !== undefined) return { cause: 'reserialized', writer }
    if (probe.name === 'line-break' && isPlainTaken) return { cause: 'trimmed' }
    return { cause: probe.name === 'upper-case' && isPlainTaken ? 'case-sensitive' : null }
  }
}

/** True if a webhook was answered 2xx, in time or not. */
function isTaken(result: PostResult | null): boolean {
  return isSuccess(result?.status ?? null)
}

function isSuccess(status: number | null): boolean {
  return status !== null && status >= 200 && status < 300
}

const LANGUAGES: readonly [pattern: RegExp, language: WriterLanguage][] = [
  [/\b(?:Express|Next\.js|Nuxt|Koa|hapi|Fastify)\b/i, 'JavaScript'],
  [/\b(?:Python|CPython|Werkzeug|gunicorn|uvicorn|hypercorn|waitress|TornadoServer|daphne)\b/i, 'Python'],
  [/\bPHP\b/i, 'PHP'],
  [/\b(?:Ruby|WEBrick|Puma|Phusion Passenger|Thin|unicorn)\b/i, 'Ruby'],
  [/\b(?:Jetty|Tomcat|Coyote|Undertow|Servlet|JSP|WildFly|GlassFish)\b/i, 'Java'],
  [/\b(?:Kestrel|ASP\.NET)\b/i, 'C#'],
]

/** The language of a receiver, as its headers `Server` and `X-Powered-By` tell; null if they do not, or name two. */
function languageOf(results: readonly (PostResult | null)[]): WriterLanguage | null {
  const texts = results.flatMap((result) => [result?.headers.server, result?.headers['x-powered-by']].flat())
  const named = LANGUAGES.filter(([pattern]) => texts.some((text) => text !== undefined && pattern.test(text)))
  const [first, second] = named
  return first === undefined || second !== undefined ? null : first[1]
}

const STATE_ANSWER_MS_MAX = 5_000
const ANSWER_BYTES_MAX = 16 * 1024 * 1024

/**
 * What a shop shows at this address, the status and the body of its answer as text: GET, without credentials, no redirect is followed.
 * Throws NotReached.
 */
export async function readShopState(connections: ConnectionPool, url: URL, signal: AbortSignal): Promise<string> {
  const limits = { timeoutMs: STATE_ANSWER_MS_MAX, bytesMax: ANSWER_BYTES_MAX, interrupt: signal, abandon: signal }
  try {
    const dispatcher = await connections.take()
    const { httpStatus, body } = await exchange(
      dispatcher,
      { method: 'GET', url: url.href, headers: ['Host', url.host] },
      limits,
    )
    connections.giveBack(dispatcher)
    return `${httpStatus} ${body.toString('utf8')}`
  } catch (error) {
    if (!(error instanceof ExchangeFailed)) throw error
    throw new NotReached(t`The state of the shop cannot be read from ${withoutPassword(url.href)} (${error.code})`, {
      hint: t`Check the address of \`--state-url\`, which is read with GET and without credentials`,
    })
  }
}
