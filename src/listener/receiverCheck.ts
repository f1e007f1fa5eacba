import { performance } from 'node:perf_hooks'
import type { ConnectionPool } from '../gateway/connections.ts'
import { declared } from '../text/translate.ts'
import { isReceived, isTooSlow } from '../wire/deliveryVerdict.ts'
import type { WriterLanguage } from '../wire/jsonWriters.ts'
import { type CauseOf, causesOf, isTaken, languageOf, type ProvedCause, type SentProbe } from './receiverCauses.ts'
import { type Probe, ProbeMaker, type ProbeSource } from './receiverProbes.ts'
import { type PostResult, postBytes } from './webhookPost.ts'
import type { WrongSignature } from './wrongSignatures.ts'

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

/** A delivery, and what the shop showed before and after it. */
interface Watched {
  sent: SentProbe
  before: string
  after: string
  /** False if the shop shows something else each time it is read, so that nothing can be concluded. */
  isStable: boolean
}

/** Reads what a shop shows around deliveries. */
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
