import { performance } from 'node:perf_hooks'
import type { ConnectionPool } from '../gateway/connections.ts'
import { isReceived, isRefusal, isTooSlow } from '../wire/deliveryVerdict.ts'
import { type Probe, ProbeMaker, type ProbeSource } from './receiverProbes.ts'
import { type PostResult, postBytes } from './webhookPost.ts'

/** Why a receiver does the wrong thing, if the probes prove it. */
export type CheckCause =
  | 'no-check'
  | 'reserialized'
  | 'trimmed'
  | 'other-encoding'
  | 'secret-whitespace'
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

/** The result of one probe. */
export interface CheckResult {
  name: string
  sent: string
  status: number | null
  ms: number | null
  verdict: 'good' | 'bad' | 'not-proved'
  cause: CheckCause | null
  /** The only writing style that is accepted, as its language is called; for `reserialized`. */
  writer?: string
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
/** Two answers that took this much longer together than one alone were waiting for each other. */
const SIDE_BY_SIDE = 1.6
const SIDE_BY_SIDE_MS = 30

interface Sent {
  probe: Probe
  /** Null if time had run out. */
  result: PostResult | null
}

/**
 * Sends samples to a receiver and judges what it does with each. Calls nothing else. Returns null if no connection was made. Never throws for
 * what the receiver does.
 */
export async function checkReceiver(options: ReceiverCheckOptions): Promise<CheckResult[] | null> {
  const run = new CheckRun(options)
  const make = new ProbeMaker(options)
  const first = await run.send(make.first())
  if (first.result !== null && isUnreachable(first.result)) return null
  await run.findPace([make.first(), make.first()])
  const styles = make.styles()
  const plain = await run.sendAll([
    ...make.events(),
    ...make.forgeries(),
    ...styles,
    ...make.unusual(),
    ...make.reordered(),
  ])
  const sent = [first, ...plain]
  const others: Sent[] = []
  const isGenuineRefused = !sent.some(({ probe, result }) => probe.expects === 'accepted' && isTaken(result))
  if (isGenuineRefused) for (const { probe } of make.otherwise()) others.push(await run.send(probe))
  const repeated = await repeatedResult(run, make, options.readState)
  const causeOf = causes(sent, others, make)
  return [...sent.map((each) => judged(each, causeOf)), repeated(causeOf)]
}

/** Sends probes at the pace that the receiver allows, and stops when time is up or too many answers were slow. */
class CheckRun {
  readonly #options: ReceiverCheckOptions
  readonly #endMs = performance.now() + TIME_MS_MAX
  #slow = 0
  #atOnce = 1
  #firstMs = 0

  constructor(options: ReceiverCheckOptions) {
    this.#options = options
  }

  async send(probe: Probe): Promise<Sent> {
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
    const beganAtMs = performance.now()
    await Promise.all(probes.map((probe) => this.send(probe)))
    const tookMs = performance.now() - beganAtMs
    this.#atOnce = tookMs < this.#firstMs * SIDE_BY_SIDE + SIDE_BY_SIDE_MS ? AT_ONCE : 1
  }

  async sendAll(probes: readonly Probe[]): Promise<Sent[]> {
    const sent: Sent[] = []
    const together = probes.filter(({ isAlone }) => isAlone !== true)
    for (let at = 0; at < together.length; at += this.#atOnce) {
      sent.push(...(await Promise.all(together.slice(at, at + this.#atOnce).map((probe) => this.send(probe)))))
    }
    for (const probe of probes.filter(({ isAlone }) => isAlone === true)) sent.push(await this.send(probe))
    return sent
  }
}

type CauseOf = (sent: Sent) => { cause: CheckCause | null; writer?: string }

/** Delivers the same bytes twice; the state that the shop shows must be the same before and after the second time. */
async function repeatedResult(
  run: CheckRun,
  make: ProbeMaker,
  readState: (() => Promise<string>) | null,
): Promise<(causeOf: CauseOf) => CheckResult> {
  const probe: Probe = { ...make.first(), name: 'repeated', sent: 'pix.received PAID, the same bytes again' }
  await run.send(probe)
  const before = await readState?.()
  const again = await run.send(probe)
  const after = await readState?.()
  return (causeOf) => {
    const result = judged(again, causeOf)
    if (result.verdict !== 'good') return result
    if (readState === null) return { ...result, verdict: 'not-proved' }
    return before === after ? result : { ...result, verdict: 'bad', cause: 'state-changed' }
  }
}

function judged(sent: Sent, causeOf: CauseOf): CheckResult {
  const { probe, result } = sent
  const { name, sent: what, expects } = probe
  const about = { name, sent: what, status: result?.status ?? null, ms: result?.ms ?? null }
  if (result === null) return { ...about, verdict: 'not-proved', cause: null }
  // One that fails at a forged webhook does not take it, but says so in an unfortunate way.
  const isRight = expects === 'accepted' ? isReceived(result) : !isTaken(result)
  if (isRight)
    return { ...about, verdict: 'good', cause: expects === 'refused' && isFailure(result) ? 'crash-on-forged' : null }
  return { ...about, verdict: 'bad', ...causeOf(sent) }
}

/** What the answers together prove about each bad one. */
function causes(sent: readonly Sent[], others: readonly Sent[], make: ProbeMaker): CauseOf {
  const byName = (name: string) => sent.find(({ probe }) => probe.name === name)?.result ?? null
  const styles = sent.filter(({ probe }) => probe.name.startsWith('style/'))
  const takenStyles = styles.filter(({ result }) => isTaken(result))
  const [only, another] = takenStyles
  const isRewriting =
    only !== undefined &&
    another === undefined &&
    styles.every(({ result }) => isTaken(result) || isRefusal(result?.status ?? null))
  const writer = isRewriting ? only.probe.name.slice('style/'.length) : undefined
  const otherwise = make.otherwise().find((_, place) => isTaken(others[place]?.result ?? null))?.cause
  const takesForged = isTaken(byName('forged'))
  const isStrict = isRefusal(byName('forged')?.status ?? null) && isRefusal(byName('unsigned')?.status ?? null)

  return ({ probe, result }) => {
    if (result === null) return { cause: null }
    const { status } = result
    if (probe.expects === 'refused') {
      if (takesForged) return { cause: 'no-check' }
      return { cause: probe.name.startsWith('forged/') && isTaken(result) && isStrict ? 'beginning-only' : null }
    }
    if (status === null) return { cause: 'no-answer' }
    if (isTooSlow(result)) return { cause: 'slow' }
    if (isTaken(result)) return { cause: 'not-200' }
    if (status >= 300 && status < 400) return { cause: 'redirect' }
    if (isFailure(result)) return { cause: 'crash' }
    if (status === 404) return { cause: byName('forged')?.status === 404 ? 'wrong-path' : 'unknown-payment' }
    if (!isRefusal(status)) return { cause: null }
    if (otherwise !== undefined) return { cause: otherwise }
    if (writer !== undefined) return { cause: 'reserialized', writer }
    const isPlainTaken = isTaken(byName('pix.received/PAID'))
    if (probe.name === 'line-break' && isPlainTaken) return { cause: 'trimmed' }
    return { cause: probe.name === 'upper-case' && isPlainTaken ? 'case-sensitive' : null }
  }
}

function isTaken(result: PostResult | null): boolean {
  return result !== null && result.status !== null && result.status >= 200 && result.status < 300
}

function isFailure({ status }: PostResult): boolean {
  return status !== null && status >= 500
}

/** True if not even a connection was made. */
function isUnreachable({ status, error }: PostResult): boolean {
  return (
    status === null &&
    error !== null &&
    /^(?:ECONNREFUSED|ENOTFOUND|EAI_AGAIN|EHOSTUNREACH|ENETUNREACH|EPROTO|CANCELLED)$|CERT|^PROXY/.test(error.code)
  )
}
