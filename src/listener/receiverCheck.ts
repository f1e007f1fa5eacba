import { performance } from 'node:perf_hooks'
import { setTimeout as sleep } from 'node:timers/promises'
import { type WrongSignature, wrongSignatures } from '../diagnosis/refusalDiagnoser.ts'
import { type ConnectionPool, connect, routeTo } from '../gateway/connections.ts'
import { ExchangeFailed, exchange } from '../gateway/exchange.ts'
import { only } from '../pix/expectedError.ts'
import type { EnvironmentVariables } from '../programInfo.ts'
import { EVENT_NAMES, type EventName } from '../schemas/webhookBodies.ts'
import { declared, t } from '../text/translate.ts'
import { withoutPassword } from '../wire/baseAddress.ts'
import { Failure, NotReached, UsageError } from '../wire/errors.ts'
import { eventBody, repeatIdKey, WEBHOOK_STYLES, type WebhookStyle } from '../wire/eventBody.ts'
import { readEventFacts } from '../wire/eventFacts.ts'
import type { WriterLanguage } from '../wire/jsonWriters.ts'
import {
  CHECK_HEADER,
  isReceived,
  isRefusal,
  isTooSlow,
  LISTENER_HEADER,
  SIGNATURE_HEADER,
  type SignatureEncoding,
  signBody,
} from '../wire/signature.ts'
import { type AnswerCause, causeOfAnswer, saysError } from './answerCause.ts'
import { type BodyEdit, editBody } from './bodyEdits.ts'
import { PROBED_STATUSES, sampleEvent } from './samples.ts'
import {
  changeOf,
  judgeRepetition,
  judgeTogether,
  judgeUnpaid,
  readShopState,
  type ShopState,
  type StateChange,
  type StateVerdict,
} from './shopState.ts'
import { type Header, type PostResult, postBytes } from './webhookPost.ts'

/** Why a sample proves nothing. */
export type NotProved =
  | 'no-state'
  | 'state-unchanged'
  | 'needs-orders'
  | 'state-unclear'
  | 'state-unreadable'
  | 'not-tried'
  | 'refused-all'
  | 'no-refusal'

/** The result of one probe. */
export interface CheckResult extends ProvedCause {
  name: string
  sent: string
  status: number | null
  ms: number | null
  verdict: 'good' | 'bad' | 'not-proved'
  /** Why it is not proved; null if it is. */
  open: NotProved | null
}

/** What a check found. */
export interface ReceiverReport {
  results: CheckResult[]
  /** The receiver's language, if its answers tell. */
  language: WriterLanguage | null
  /** `incomplete` if a proof that was asked for could not be made. */
  verdict: 'good' | 'bad' | 'incomplete'
}

interface ReceiverCheckOptions extends ProbeSource {
  url: URL
  connections: ConnectionPool
  signal: AbortSignal
  /** Fetches what the shop shows; null if that was not requested. */
  fetchState: (() => Promise<string>) | null
}

/** The whole check ends within 60 s: this, and the longest wait for one answer. */
const TIME_MS_MAX = 48_000
const ANSWER_MS_MAX = 7_000
const SLOW_MAX = 3
const AT_ONCE = 8
/** If one of two took this much longer than one alone, it was waiting for the other. */
const SIDE_BY_SIDE = 1.6
const SIDE_BY_SIDE_MS = 30
/**
 * When the deliveries of one event leave that are not waiting for each other. The last ones find a process busy that took all of the
 * first, so that another process takes them.
 */
const TOGETHER_AT_MS = [0, 0, 0, 15, 30]
/** So many payments are sent like that until one is credited more than once. */
const ROUNDS_MAX = 4

/**
 * Sends samples to a receiver and judges what it does with each. Calls nothing else. Returns null if no connection was made. Throws
 * UsageError for a state that cannot be read before anything is sent, and for a listener of pixgate.
 */
export async function checkReceiver(options: ReceiverCheckOptions): Promise<ReceiverReport | null> {
  const run = new CheckRun(options)
  const make = new ProbeMaker(options)
  const shop = await ShopWatch.open(options.fetchState, options.orders)
  const proofs = await proveCredits(run, make, shop, options.orders)
  const { first } = proofs
  if (first.result !== null && isUnreachable(first.result)) return null
  await run.findPace([make.first(), make.first()])
  const genuine = await run.sendAll([...make.events(), ...make.unusual(), ...make.reordered()])
  const forged = await shop.around(() => run.sendAll(make.forgeries()))
  const accepted = [first, ...genuine].some(({ result }) => isTaken(result))
    ? undefined
    : await acceptedSignature(run, make)
  const causeOf = causesOf([first, ...genuine, ...forged.sent], accepted, saysWithState(proofs.one, forged))
  const results = [
    ...[first, ...genuine].map((each) => judged(each, causeOf)),
    ...forged.sent.map((each) => judgedForgery(each, causeOf, [first, ...genuine])),
    ...proofs.results(causeOf),
  ]
  const isBad = results.some(({ verdict }) => verdict === 'bad')
  const isIncomplete = shop.isRead && results.some(({ open }) => open !== null && STATE_PROOFS.includes(open))
  return {
    results,
    language: languageOf([first, ...genuine, ...forged.sent].map(({ result }) => result)),
    verdict: isBad ? 'bad' : isIncomplete ? 'incomplete' : 'good',
  }
}

const STATE_PROOFS: readonly NotProved[] = ['state-unchanged', 'needs-orders', 'state-unclear', 'state-unreadable']

/** What was sent, and what it changed in the shop; null if that was not, or could not be, read. */
interface Watched<Sent> {
  sent: Sent
  change: StateChange | null
}

/** True if the shop did not act on forged webhooks that it answered 2xx, which it would have done if it had taken them. */
function saysWithState(one: StateChange | null, { sent, change }: Watched<SentProbe[]>): boolean {
  const taken = sent.filter(({ result }) => isTaken(result))
  const isUnchanged = change !== null && change.size === 0 && (one?.size ?? 0) > 0
  return isUnchanged && taken.length > 0 && taken.every(({ result }) => saysError(result?.body ?? ''))
}

/** Sends what shows how a shop credits: a payment that was not paid, one that was, the same again, and another one several times at once. */
async function proveCredits(
  run: CheckRun,
  make: ProbeMaker,
  shop: ShopWatch,
  [order, another, third]: readonly string[],
) {
  // Before anything is paid: a payment that was credited would hide that it is credited again.
  const unpaid = await shop.around(async () => (shop.isRead ? run.send(make.unpaid(third ?? order)) : null))
  const probe = make.first(order)
  const { sent: first, change: one } = await shop.around(() => run.send(probe), 'changes')
  const isFirstTaken = first.result !== null && isReceived(first.result)
  const repetition: Probe = { ...probe, name: 'repeated', sent: declared`pix.received PAID, the same bytes again` }
  const repeated = await shop.around(async () => (isFirstTaken ? run.send(repetition) : null))
  const amountCents = readEventFacts(probe.body.toString('utf8'))?.amountCents ?? null
  const freshProbe = (): Probe => ({
    ...make.first(another),
    name: 'at-once',
    sent: declared`pix.received PAID, five times at once`,
  })
  const isOther = ({ body }: Probe) => !body.equals(probe.body) && idIn(body) !== idIn(probe.body)
  const sendSeveral = () => shop.around(async () => (isFirstTaken ? run.sendTogether(fresh) : null))
  let fresh = freshProbe()
  let several = await sendSeveral()
  // A server may have taken them one after another by chance; only a payment that the shop need not know can be another one.
  for (let round = 1; round < ROUNDS_MAX && another === undefined && isOther(fresh); round++) {
    const result = several.sent?.result ?? null
    if (result === null || !isReceived(result) || compared(several, judgeTogether) !== 'same') break
    fresh = freshProbe()
    several = await sendSeveral()
  }

  /** What is proved by comparing a change with that of one payment; a reason if nothing is. */
  function compared(
    { change }: Watched<unknown>,
    judge: (one: StateChange, other: StateChange, amountCents: number | null) => StateVerdict,
  ): StateVerdict | NotProved {
    if (!shop.isRead) return 'no-state'
    if (change === null || one === null) return 'state-unreadable'
    return one.size === 0 ? 'state-unchanged' : judge(one, change, amountCents)
  }

  return {
    first,
    /** What one payment changed. */
    one,
    results(causeOf: CauseOf) {
      const again = compared(repeated, judgeRepetition)
      const together = compared(several, judgeTogether)
      const isUnknown = !isOther(fresh) || several.change?.size === 0
      return [
        judgedByState(unpaid.sent ?? notSent(make.unpaid()), causeOf, compared(unpaid, judgeUnpaid), 'credited-unpaid'),
        judgedByState(repeated.sent ?? notSent(repetition), causeOf, again, 'state-changed'),
        judgedByState(
          several.sent ?? notSent(fresh),
          causeOf,
          together === 'unclear' && isUnknown ? 'needs-orders' : together,
          again === 'credited' ? 'state-changed' : 'credited-at-once',
        ),
      ]
    },
  }
}

function notSent(probe: Probe): SentProbe {
  return { probe, result: null }
}

function idIn(body: Buffer): string | null {
  return readEventFacts(body.toString('utf8'))?.idTransaction ?? null
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
    if (this.#slow >= SLOW_MAX || performance.now() > this.#endMs || signal.aborted) return notSent(probe)
    const limits = { timeoutMs: ANSWER_MS_MAX, charactersMax: 500, signal }
    const result = await postBytes(connections, url, probe.body, probe.headers, limits)
    if (result.headers[LISTENER_HEADER.toLowerCase()] !== undefined) throw isListenerFailure(url)
    if (result.status === null ? result.error?.code === 'TIMEOUT' : isTooSlow(result)) this.#slow += 1
    if (this.#firstMs === 0) this.#firstMs = result.ms
    return { probe, result }
  }

  /** The same bytes several times, none waiting for another; the worst answer. That they were slow because of each other is no fault. */
  async sendTogether(probe: Probe): Promise<SentProbe> {
    const slow = this.#slow
    const sendAt = async (ms: number) => {
      if (ms > 0) await sleep(ms)
      return this.send(probe)
    }
    const sent = await Promise.all(TOGETHER_AT_MS.map(sendAt))
    this.#slow = slow
    const worst = sent.find(({ result }) => result?.status !== 200) ?? sent[0] ?? notSent(probe)
    const { result } = worst
    if (result === null || result.error?.code === 'TIMEOUT') return notSent(probe)
    return { probe, result: { ...result, ms: Math.min(result.ms, ANSWER_MS_GOOD) } }
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

/** What is shown of how long several took that waited for each other. */
const ANSWER_MS_GOOD = 5_000

function isListenerFailure({ href }: URL): UsageError {
  return new UsageError(
    t`${withoutPassword(href)} is a listener of pixgate, which records what arrives: it is not checked`,
    {
      hint: t`Name the address of your own server, where the listener forwards to`,
    },
  )
}

/** Between two readings of what does not change: a clock in seconds must have moved. */
const RESTLESS_MS = 1_100
const LOOK_MS = 100
/** A shop may answer first and credit afterwards. */
const CREDITED_MS_MAX = 3_000

/** Reads what a shop shows before and after something was sent. */
class ShopWatch {
  readonly #fetch: (() => Promise<string>) | null
  readonly #orders: readonly string[]
  #restless: ReadonlySet<string> = new Set()
  /** How long it took until a credit was shown. */
  #lagMs = 0

  private constructor(fetchState: (() => Promise<string>) | null, orders: readonly string[]) {
    this.#fetch = fetchState
    this.#orders = orders
  }

  /** Reads it twice, so that what changes by itself is known; not at all without a function that fetches it. Throws NotReached, UsageError. */
  static async open(fetchState: (() => Promise<string>) | null, orders: readonly string[]): Promise<ShopWatch> {
    const watch = new ShopWatch(fetchState, orders)
    if (fetchState === null) return watch
    const one = readShopState(await fetchState(), orders)
    await sleep(RESTLESS_MS)
    watch.#restless = new Set(changeOf(one, readShopState(await fetchState(), orders)).keys())
    return watch
  }

  get isRead(): boolean {
    return this.#fetch !== null
  }

  /** What was sent, and what had changed when the shop had settled; `changes` waits for a change. */
  async around<Sent>(send: () => Promise<Sent>, expected: 'changes' | 'still' = 'still'): Promise<Watched<Sent>> {
    const before = await this.#read()
    const sent = await send()
    const after = before === null ? null : await this.#settled(before, expected)
    return { sent, change: before === null || after === null ? null : changeOf(before, after, this.#restless) }
  }

  async #settled(before: ShopState, expected: 'changes' | 'still'): Promise<ShopState | null> {
    const beganAtMs = performance.now()
    if (expected === 'still' && this.#lagMs > 0) await sleep(2 * this.#lagMs)
    let last = await this.#read()
    while (last !== null) {
      await sleep(LOOK_MS)
      const next = await this.#read()
      const waitedMs = performance.now() - beganAtMs
      const isSettled = next !== null && changeOf(last, next, this.#restless).size === 0
      const isAwaited = expected === 'changes' && next !== null && changeOf(before, next, this.#restless).size === 0
      last = next
      if (waitedMs > CREDITED_MS_MAX) return next
      if (!isSettled || isAwaited) continue
      if (expected === 'changes') this.#lagMs = waitedMs
      return next
    }
    return null
  }

  async #read(): Promise<ShopState | null> {
    const shown = await this.#fetch?.().catch(only(Failure, () => null))
    return shown == null ? null : readShopState(shown, this.#orders)
  }
}

function judgedByState(
  sent: SentProbe,
  causeOf: CauseOf,
  state: StateVerdict | NotProved,
  cause: CheckCause,
): CheckResult {
  if (sent.result === null && state === 'no-state') return resultOf(sent, 'not-proved', { open: state })
  const result = judged(sent, causeOf)
  if (result.verdict !== 'good' || state === 'same') return result
  if (state === 'credited') return resultOf(sent, 'bad', { cause })
  return resultOf(sent, 'not-proved', { open: state === 'unclear' ? 'state-unclear' : state })
}

function judged(sent: SentProbe, causeOf: CauseOf): CheckResult {
  if (sent.result === null) return resultOf(sent, 'not-proved', { open: 'not-tried' })
  return isReceived(sent.result) ? resultOf(sent, 'good') : resultOf(sent, 'bad', causeOf(sent))
}

/** A forged one is refused rightly only by a receiver that takes a genuine one, and says so in its answer. */
function judgedForgery(sent: SentProbe, causeOf: CauseOf, genuine: readonly SentProbe[]): CheckResult {
  const { result } = sent
  if (result === null) return resultOf(sent, 'not-proved', { open: 'not-tried' })
  if (isTaken(result)) return resultOf(sent, 'bad', causeOf(sent))
  if (!genuine.some((each) => isTaken(each.result))) return resultOf(sent, 'not-proved', { open: 'refused-all' })
  const status = result.status ?? 0
  if (status >= 400 && status < 500 && status !== 429) return resultOf(sent, 'good')
  return resultOf(sent, 'not-proved', { open: 'no-refusal', cause: status >= 500 ? 'crash-on-forged' : null })
}

function resultOf(
  { probe: { name, sent }, result }: SentProbe,
  verdict: CheckResult['verdict'],
  about: Partial<Pick<CheckResult, 'open' | 'cause' | 'writer' | 'formula'>> = {},
): CheckResult {
  const { status = null, ms = null } = result ?? {}
  return { name, sent, status, ms, verdict, cause: null, open: null, ...about }
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
  /** The ids of payments that the receiver knows. */
  orders: readonly string[]
  newId(): string
  nowMs: number
}

/** So that a receiver can tell samples from payments. */
const CHECKED: Header = [CHECK_HEADER, '1']
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
  first(order?: string): Probe {
    return this.#genuine(
      'pix.received/PAID',
      'pix.received PAID',
      this.#body('pix.received', 'PAID', 'java', idOf(order)),
    )
  }

  /** Each event with each of its statuses, in the writing style of the service. */
  events(): Probe[] {
    return EVENT_NAMES.flatMap((name) =>
      PROBED_STATUSES[name]
        .filter((status) => name !== 'pix.received' || status !== 'PAID')
        .map((status) => this.#genuine(`${name}/${status}`, `${name} ${status}`, this.#body(name, status))),
    )
  }

  /** The same event as four languages write it, of which `java` is how the other probes are written, and genuine events that are unusual. */
  unusual(): Probe[] {
    const refund = this.#body('refund.status', 'COMPLETED').toString('utf8')
    const ended = Buffer.concat([this.#body('pix.received', 'PAID'), Buffer.from('\n')])
    return [
      ...WEBHOOK_STYLES.map((style) =>
        this.#genuine(`style/${style}`, STYLE_TEXTS[style], this.#body('transfer.completed', 'PAID_OUT', style)),
      ),
      this.#genuine('repeated-key', declared`refund.status with idTransaction twice`, Buffer.from(repeatIdKey(refund))),
      this.#genuine('line-break', declared`pix.received, a line break at the end`, ended),
    ]
  }

  /** A refund before its payment, which may arrive in any order. */
  reordered(): Probe[] {
    const payment = this.#source.newId()
    const refund = this.#body('refund.status', 'COMPLETED', 'java', { originalTransactionId: payment })
    const paid = this.#body('pix.received', 'PAID', 'java', { idTransaction: payment })
    return [
      this.#genuine('re-ordered', declared`refund.status before its payment`, refund),
      this.#genuine('re-ordered/payment', declared`the payment after its refund`, paid),
    ].map((probe) => ({ ...probe, isAlone: true }))
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
  unpaid(order?: string): Probe {
    return this.#genuine(
      'unpaid',
      declared`pix.received EXPIRED, of a payment that was not paid`,
      this.#body('pix.received', 'EXPIRED', 'java', idOf(order)),
    )
  }

  #genuine(name: string, sent: string, body: Buffer): Probe {
    const { secret, encoding } = this.#source
    return { name, sent, body, headers: this.#headers(signBody(body, secret, encoding)), expects: 'accepted' }
  }

  #headers(signature: string | undefined): Header[] {
    return [
      ['Content-Type', 'application/json'],
      ['User-Agent', 'pixgate'],
      CHECKED,
      ...this.#source.headers,
      ...(signature === undefined ? [] : [[SIGNATURE_HEADER, signature] satisfies Header]),
    ]
  }

  #body(event: EventName, status: string, style: WebhookStyle = 'java', own: Record<string, string> = {}): Buffer {
    const { newId, nowMs, edits, orders } = this.#source
    const sample = sampleEvent(event, { newId, nowMs, status })
    const [order] = orders
    const inner = 'data' in sample ? sample.data : sample
    const values = {
      ...inner,
      ...('amount' in inner ? { amount: AMOUNT } : { value: AMOUNT }),
      ...('status' in inner ? { status } : { statusTransaction: status }),
      ...('destinationName' in inner ? { destinationName: NAME } : {}),
      ...('payerName' in inner ? { payerName: NAME } : {}),
      ...(event === 'refund.status' && order !== undefined ? { originalTransactionId: order } : idOf(order)),
      ...own,
    }
    return editBody(Buffer.from(eventBody('data' in sample ? { ...sample, data: values } : values, style)), edits)
  }
}

function idOf(order: string | undefined): Record<string, string> {
  return order === undefined ? {} : { idTransaction: order }
}

/** Why a receiver does the wrong thing, if the probes prove it. */
export type CheckCause =
  | WrongSignature['cause']
  | AnswerCause
  | 'no-check'
  | 'unsigned-taken'
  | 'refuses-with-200'
  | 'reserialized'
  | 'trimmed'
  | 'latin1'
  | 'repeated-key'
  | 'beginning-only'
  | 'crash-on-forged'
  | 'unknown-payment'
  | 'other-events'
  | 'refuses-repetition'
  | 'state-changed'
  | 'credited-at-once'
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

/**
 * What the answers together prove about each wrong one; `accepted` is the wrong signature that was taken, if one was, and `isRefusedBy200`
 * tells that forged ones which were answered 2xx changed nothing, and that the answers say so.
 */
function causesOf(sent: readonly SentProbe[], accepted: WrongSignature | undefined, isRefusedBy200: boolean): CauseOf {
  const statusOf = (name: string) => sent.find(({ probe }) => probe.name === name)?.result?.status ?? null
  const isTakenAs = (name: string) => isSuccess(statusOf(name))
  const styles = sent.filter(({ probe }) => probe.name.startsWith('style/'))
  const taken = styles.filter(({ result }) => isTaken(result)).map(({ probe }) => probe.name.slice('style/'.length))
  const isEachJudged = styles.every(({ result }) => isTaken(result) || isRefusal(result?.status ?? null))
  const [writer, another] = isEachJudged ? taken : []
  const takesAsciiOnly = isEachJudged && taken.join(' ') === 'php python'
  const takesForged = isTakenAs('forged')
  const isPlainTaken = isTakenAs('pix.received/PAID')

  function causeOfForged({ probe, result }: SentProbe): CheckCause | null {
    if (isRefusedBy200) return 'refuses-with-200'
    if (takesForged) return 'no-check'
    if (!isTaken(result) || !isRefusal(statusOf('forged'))) return null
    if (probe.name === 'unsigned' || probe.name === 'forged/empty') return 'unsigned-taken'
    return isRefusal(statusOf('unsigned')) ? 'beginning-only' : null
  }

  /** Why this one is refused although the signature of others is taken. */
  function causeOfOne({ probe }: SentProbe): CheckCause | null {
    const isAscii = probe.body.every((byte) => byte < 0x80)
    if (takesAsciiOnly && !isAscii) return 'latin1'
    if (!isPlainTaken) return null
    if (probe.name === 'repeated' || probe.name === 'at-once') return 'refuses-repetition'
    if (probe.name === 'line-break') return 'trimmed'
    if (probe.name === 'repeated-key') return isTakenAs('refund.status/COMPLETED') ? 'repeated-key' : 'other-events'
    const [kind = ''] = probe.name.split('/')
    const asPlain: Readonly<Record<string, string>> = {
      style: 'transfer.completed/PAID_OUT',
      're-ordered': 'refund.status/COMPLETED',
    }
    return isTakenAs(asPlain[kind] ?? probe.name) ? null : 'other-events'
  }

  return (each) => {
    const { probe, result } = each
    if (result === null) return { cause: null }
    const { status } = result
    if (probe.expects === 'refused') return { cause: causeOfForged(each) }
    const known = causeOfAnswer(result)
    if (known === 'wrong-path') {
      if (isPlainTaken) return { cause: causeOfOne(each) }
      return { cause: statusOf('forged') === 404 ? known : 'unknown-payment' }
    }
    if (known !== null) return { cause: known }
    if (accepted !== undefined && !takesForged && isRefusal(status)) {
      const { cause, formula } = accepted
      return formula === undefined ? { cause } : { cause, formula }
    }
    if (writer !== undefined && another === undefined && isRefusal(status)) return { cause: 'reserialized', writer }
    return { cause: causeOfOne(each) }
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
 * What a shop answers at this address: GET, without credentials, no redirect is followed. Throws NotReached, and UsageError for another
 * status than 200.
 */
export async function fetchShopState(url: URL, env: EnvironmentVariables, signal: AbortSignal): Promise<string> {
  const limits = { timeoutMs: STATE_ANSWER_MS_MAX, bytesMax: ANSWER_BYTES_MAX, interrupt: signal, abandon: signal }
  const shown = withoutPassword(url.href)
  try {
    const dispatcher = await connect(routeTo(url.href, env))
    const headers = ['Host', url.host]
    const { httpStatus, body } = await exchange(dispatcher, { method: 'GET', url: url.href, headers }, limits)
    void dispatcher.destroy()
    if (httpStatus === 200) return body.toString('utf8')
    throw new UsageError(t`\`--state-url\`: ${shown} answered ${httpStatus}, so it does not show what was credited`, {
      hint: t`Name an address that answers 200 with what was credited, to GET and without credentials`,
    })
  } catch (error) {
    if (!(error instanceof ExchangeFailed)) throw error
    throw new NotReached(t`The state of the shop cannot be read from ${shown} (${error.code})`, {
      hint: t`Check the address of \`--state-url\`, which is read with GET and without credentials`,
    })
  }
}
