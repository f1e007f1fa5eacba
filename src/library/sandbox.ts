/// <reference lib="esnext.disposable" preserve="true" />
import { EventEmitter, once } from 'node:events'
import { inspect } from 'node:util'
import { newId, newSecret } from '../ids.ts'
import { parseAmount } from '../pix/amount.ts'
import { parseDuration } from '../pix/duration.ts'
import { Malformed, valueOrError } from '../pix/expectedError.ts'
import { addressList } from '../sandbox/endpoints.ts'
import type { FaultKind } from '../sandbox/faultKinds.ts'
import { SANDBOX_DEFAULTS, type SandboxOptions as ServerOptions } from '../sandbox/sandboxOptions.ts'
import { startSandbox as startServer } from '../sandbox/sandboxServer.ts'
import { type SandboxSettings, SETTING_CHOICES } from '../sandbox/sandboxSettings.ts'
import { isAbsoluteHttpUrl } from '../schemas/jsonReader.ts'
import type {
  DeliveryView,
  FaultView,
  HistoryView,
  RequestEntry,
  StateView,
  TransactionView,
} from '../schemas/sandboxAnswers.ts'
import { nearest } from '../text/suggest.ts'
import { t } from '../text/translate.ts'

export type { FaultKind } from '../sandbox/faultKinds.ts'
/** What a method rejects with if the sandbox refuses it: `status` is an HTTP status such as 404 or 409, `code` such as TRANSACTION_NOT_FOUND. */
export { SandboxError } from '../sandbox/sandboxError.ts'
export type {
  DeliveryView,
  FaultView,
  HistoryView,
  PaymentView,
  RefundView,
  RequestEntry,
  StateView,
  TransactionView,
  TransferView,
} from '../schemas/sandboxAnswers.ts'

/** What a fault is limited to. */
export interface FaultOptions {
  /** How often, default 1. */
  times?: number
  /** Accept the transfer, then let it fail with this code. */
  async?: boolean
  /** `transfer`, `refund`, `qr`, `status`, or an id, external id, request number or key. */
  on?: string
}

/** Which delivery to wait for. */
export interface DeliveryFilter {
  event?: DeliveryView['event']
  idTransaction?: string
  /** Default 10,000. */
  timeoutMs?: number
}

/**
 * A sandbox in this process. Ids may be short, request numbers or external ids. Methods reject with SandboxError for what the sandbox
 * refuses, and with TypeError for an option that they do not have.
 */
export interface Sandbox {
  /** The base address, without a trailing slash. */
  readonly url: string
  readonly clientId: string
  readonly clientSecret: string
  pay(id: string, options?: { late?: boolean }): Promise<TransactionView>
  expire(id: string): Promise<TransactionView>
  cancel(id: string): Promise<TransactionView>
  chargeback(id: string): Promise<TransactionView>
  /** Lets the recipient of a transfer return it. */
  return(id: string): Promise<TransactionView>
  fail(id: string, options?: { errorCode?: string }): Promise<TransactionView>
  /** Delivers the last event of a transaction again. */
  deliver(id: string): Promise<TransactionView>
  /** Delivers all webhooks again that were given up; resolves to how they are delivered now. */
  deliverFailed(): Promise<DeliveryView[]>
  /** A transaction with its requests, events and attempts to deliver them, oldest first. */
  history(id: string): Promise<HistoryView>
  /** Makes the next calls or deliveries fail: `drop-after`, `NO_FUNDS`, `webhook:twice`, … */
  fault(kind: FaultKind, options?: FaultOptions): Promise<void>
  /** The faults that are still to come. */
  faults(): Promise<FaultView[]>
  /** Removes the fault at this place in the list, from 1, or all; resolves to those that are left. */
  clearFaults(n?: number): Promise<FaultView[]>
  /** The last 1,000 requests to the gateway and their answers, oldest first; only those that were refused or not answered if `failed`. */
  requests(options?: { failed?: boolean }): Promise<RequestEntry[]>
  /** Moves the clock forward, by milliseconds or a duration such as `31d`. */
  advance(by: number | string): Promise<void>
  state(): Promise<StateView>
  reset(): Promise<void>
  /**
   * Resolves to the first webhook that matches and was delivered, given up or lost, also one before this call. Rejects with an Error that
   * names the webhooks that there were after the timeout, and when the sandbox is closed.
   */
  waitForDelivery(filter?: DeliveryFilter): Promise<DeliveryView>
  /** Stops the sandbox and everything that is pending. */
  close(): Promise<void>
  [Symbol.asyncDispose](): Promise<void>
}

/** Starts a sandbox of the whole gateway in this process. Rejects with TypeError for an option that it does not have, or cannot use. */
export async function startSandbox(options: SandboxOptions = {}): Promise<Sandbox> {
  const serverOptions = serverOptionsOf(options)
  const attempts = new EventEmitter().setMaxListeners(0)
  const closing = new AbortController()
  const server = await startServer({ ...serverOptions, onLog: ({ type }) => void attempts.emit(type) })
  const { control } = server
  const close = () => {
    closing.abort()
    return server.close()
  }
  return {
    url: server.url,
    clientId: serverOptions.clientId,
    clientSecret: serverOptions.clientSecret,
    pay: async (id, options = {}) => control('pay', { ...known('pay', options, ['late']), id }),
    expire: async (id) => control('expire', { id }),
    cancel: async (id) => control('cancel', { id }),
    chargeback: async (id) => control('chargeback', { id }),
    return: async (id) => control('return', { id }),
    fail: async (id, options = {}) => control('fail', { ...known('fail', options, ['errorCode']), id }),
    deliver: async (id) => control('deliver', { id }),
    deliverFailed: async () => control('deliver-failed', {}).deliveries,
    history: async (id) => control('history', { id }),
    fault: async (kind, options = {}) =>
      void control('fault', { ...known('fault', options, ['times', 'async', 'on']), kind }),
    faults: async () => control('faults', {}).faults,
    clearFaults: async (n) => control('clear-faults', { n }).faults,
    requests: async (options = {}) => control('requests', known('requests', options, ['failed'])).requests,
    advance: async (by) => void control('advance', { ms: typeof by === 'number' ? by : msOfDuration(by) }),
    state: async () => control('state', {}),
    reset: async () => void control('reset', {}),
    async waitForDelivery(filter = {}) {
      const { timeoutMs = TIMEOUT_MS } = known('waitForDelivery', filter, ['event', 'idTransaction', 'timeoutMs'])
      const signal = AbortSignal.any([closing.signal, AbortSignal.timeout(Math.max(0, Math.ceil(timeoutMs)))])
      for (;;) {
        const deliveries = server.deliveries()
        const found = deliveries.find((each) => each.outcome !== 'waiting' && isMeant(each, filter))
        if (found !== undefined) return found
        try {
          await once(attempts, 'delivery', { signal })
        } catch {
          throw new Error(closing.signal.aborted ? 'The sandbox was closed' : missingText(server.deliveries(), filter))
        }
      }
    },
    close,
    [Symbol.asyncDispose]: close,
  }
}

function serverOptionsOf(options: SandboxOptions): ServerOptions {
  assertValidOptions(options)
  const { balance, now, ...same } = options
  const given = Object.fromEntries(Object.entries(same).filter(([, value]) => value !== undefined))
  return {
    ...SANDBOX_DEFAULTS,
    clientSecret: newSecret(),
    port: 0,
    now: Date.now,
    newId,
    ...given,
    ...(now === undefined ? {} : { startMs: msOf(now) }),
    ...(balance === undefined ? {} : { balanceCents: parseAmount(String(balance), { zeroAllowed: true }) }),
  }
}

function msOf(now: Date | string): number {
  return typeof now === 'string' ? Date.parse(now) : now.getTime()
}

/**
 * The settings of a sandbox; all have the defaults of `pixgate sandbox`, except the port, which is a free one, and the client secret, which is
 * made at random.
 */
export interface SandboxOptions extends Partial<SandboxSettings> {
  /** The balance in reais to begin with, default 10,000. */
  balance?: number | string
  /** Makes transaction ids and codes the same in each run. */
  seed?: string
  /** The time at which the clock of the sandbox starts, as a Date or in ISO 8601; default the real one. */
  now?: Date | string
}

function msOfDuration(text: string): number {
  const ms = valueOrError(Malformed, () => parseDuration(text))
  if (ms instanceof Malformed) throw new TypeError(`${ms.message}. ${ms.hint}`)
  return ms
}

/** The options of a function. Throws TypeError for one that it does not have, with the nearest one. */
function known<Options extends object>(
  of: string,
  options: Options,
  names: readonly (keyof Options & string)[],
): Options {
  const other = Object.keys(options).find((name) => !names.some((each) => each === name))
  if (other === undefined) return options
  throw new TypeError(unknownOption(of, other, names))
}

/** Names the nearest option; that of the command line has no unit. */
function unknownOption(of: string, name: string, known: readonly string[]): string {
  const typed = name.toLowerCase()
  const alike = known.find((each) => [typed, `${typed}ms`].some((end) => each.toLowerCase().endsWith(end)))
  const near = alike ?? nearest(name, known)[0]
  return near === undefined
    ? t`${of} has no option \`${name}\`; it has ${known.join(', ')}`
    : t`${of} has no option \`${name}\`; did you mean \`${near}\`?`
}

type IsPossible = (value: unknown) => boolean

const isText: IsPossible = (value) => typeof value === 'string'
const isFullText: IsPossible = (value) => isText(value) && value !== ''
const isCount: IsPossible = (value) => Number.isInteger(value) && Number(value) >= 0
const isList: IsPossible = (value) => Array.isArray(value) && value.every(isText)

function isOneOf(words: readonly string[]): IsPossible {
  return (value) => typeof value === 'string' && words.includes(value)
}

/** True if this can read the value: it throws Malformed for any other. */
function isReadBy(read: (text: string) => unknown, value: unknown): boolean {
  return !(valueOrError(Malformed, () => read(String(value))) instanceof Malformed)
}

const PORT_MAX = 65_535

/** A program in JavaScript may give anything, and a wrong value would only fail much later. */
const POSSIBLE_VALUES: Readonly<Record<keyof SandboxOptions, IsPossible>> = {
  port: (value) => isCount(value) && Number(value) <= PORT_MAX,
  host: isText,
  clientId: isText,
  clientSecret: isFullText,
  balance: (value) =>
    (typeof value === 'number' || isText(value)) && isReadBy((text) => parseAmount(text, { zeroAllowed: true }), value),
  seed: isText,
  now: (value) =>
    !Number.isNaN(value instanceof Date ? value.getTime() : isText(value) ? Date.parse(String(value)) : Number.NaN),
  hostedStatusRule: (value) => typeof value === 'boolean',
  signature: isOneOf(SETTING_CHOICES.signature),
  webhookStyle: isOneOf(SETTING_CHOICES.webhookStyle),
  statusKey: isOneOf(SETTING_CHOICES.statusKey),
  refundEvent: isOneOf(SETTING_CHOICES.refundEvent),
  deliverAttempts: (value) => isCount(value) && value !== 0,
  deliverDelaysMs: (value) => Array.isArray(value) && value.length > 0 && value.every(isCount),
  autoPayMs: isCount,
  autoSettleMs: isCount,
  latencyMs: isCount,
  allowIps: (value) => isList(value) && [value].flat().every((each) => isReadBy((entry) => addressList([entry]), each)),
  partners: isList,
  dashboardWebhook: (value) => isText(value) && isAbsoluteHttpUrl(String(value)),
  controlToken: isFullText,
}
const BY_NAME: ReadonlyMap<string, IsPossible> = new Map(Object.entries(POSSIBLE_VALUES))

/** Throws TypeError for an option that does not exist, and for a value that it cannot have. */
function assertValidOptions(options: SandboxOptions): void {
  for (const [name, value] of Object.entries(options)) {
    const isPossible = BY_NAME.get(name)
    if (isPossible === undefined) throw new TypeError(unknownOption('startSandbox', name, [...BY_NAME.keys()]))
    if (value === undefined || isPossible(value)) continue
    // A secret of the wrong type is still a secret.
    const shown = name === 'clientSecret' || name === 'controlToken' ? typeof value : inspect(value)
    throw new TypeError(t`The option \`${name}\` of startSandbox cannot be ${shown}`)
  }
}

const TIMEOUT_MS = 10_000

function isMeant(delivery: DeliveryView, { event, idTransaction }: DeliveryFilter): boolean {
  return (
    (event === undefined || delivery.event === event) &&
    (idTransaction === undefined || delivery.idTransaction === idTransaction.toLowerCase())
  )
}

function missingText(
  deliveries: readonly DeliveryView[],
  { event, idTransaction, timeoutMs = TIMEOUT_MS }: DeliveryFilter,
): string {
  const named = event === undefined ? '' : ` ${event}`
  const of = idTransaction === undefined ? '' : ` of ${idTransaction}`
  const others = deliveries.map((each) => `${each.event} of ${each.idTransaction} (${each.outcome})`)
  const known = others.length === 0 ? 'there was none' : `there were ${others.join(', ')}`
  return `No webhook${named}${of} was delivered (${known}) within ${timeoutMs} ms`
}
