/// <reference lib="esnext.disposable" preserve="true" />
import { newId, newSecret } from '../ids.ts'
import { parseAmount } from '../pix/amount.ts'
import { parseDuration } from '../pix/duration.ts'
import type { FaultKind } from '../sandbox/faultKinds.ts'
import { SANDBOX_DEFAULTS, type SandboxOptions as ServerOptions } from '../sandbox/options.ts'
import { clockFrom, seededIds } from '../sandbox/seededIds.ts'
import { startSandbox as startServer } from '../sandbox/server.ts'
import type { DeliveryView, FaultView, RequestEntry, StateView, TransactionView } from '../schemas/sandboxAnswers.ts'
import { DeliveryWaits } from './deliveryWaits.ts'
import { assertValidOptions, type SandboxOptions } from './sandboxOptions.ts'

export type { FaultKind } from '../sandbox/faultKinds.ts'
export type {
  DeliveryView,
  FaultView,
  PaymentView,
  RefundView,
  RequestEntry,
  StateView,
  TransactionView,
  TransferView,
} from '../schemas/sandboxAnswers.ts'
export type { SandboxOptions } from './sandboxOptions.ts'

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

/** A sandbox in this process. Ids may be short, request numbers or external ids; a command that makes no sense rejects. */
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
   * Resolves to the first webhook that matches and was delivered, given up or lost, also one before this call. Rejects after
   * the timeout, and when the sandbox is closed.
   */
  waitForDelivery(filter?: DeliveryFilter): Promise<DeliveryView>
  /** Stops the sandbox and everything that is pending. */
  close(): Promise<void>
  [Symbol.asyncDispose](): Promise<void>
}

/** Starts a sandbox of the whole gateway in this process. Rejects with TypeError for an option that it does not have, or cannot use. */
export async function startSandbox(options: SandboxOptions = {}): Promise<Sandbox> {
  const serverOptions = serverOptionsOf(options)
  const waits = new DeliveryWaits()
  const server = await startServer({ ...serverOptions, onLog: ({ type }) => type === 'delivery' && waits.check() })
  const { controls } = server
  waits.watch(() => controls.deliveries())
  const close = () => {
    waits.close()
    return server.close()
  }
  return {
    url: server.url,
    clientId: serverOptions.clientId,
    clientSecret: serverOptions.clientSecret,
    pay: async (id, options = {}) => controls.act('pay', { ...options, id }),
    expire: async (id) => controls.act('expire', { id }),
    cancel: async (id) => controls.act('cancel', { id }),
    chargeback: async (id) => controls.act('chargeback', { id }),
    return: async (id) => controls.act('return', { id }),
    fail: async (id, options = {}) => controls.act('fail', { ...options, id }),
    deliver: async (id) => controls.act('deliver', { id }),
    fault: async (kind, options = {}) => controls.fault({ ...options, kind }),
    faults: async () => controls.faults(),
    clearFaults: async (n) => controls.clearFaults({ n }),
    requests: async (options = {}) => controls.requests(options),
    advance: async (by) => controls.advance({ ms: typeof by === 'number' ? by : parseDuration(by) }),
    state: async () => controls.state(),
    reset: async () => controls.reset(),
    waitForDelivery: (filter) => waits.add(filter),
    close,
    [Symbol.asyncDispose]: close,
  }
}

function serverOptionsOf(options: SandboxOptions): ServerOptions {
  assertValidOptions(options)
  const { balance, seed, now, ...same } = options
  const startMs = now === undefined ? undefined : msOf(now)
  const given = Object.fromEntries(Object.entries(same).filter(([, value]) => value !== undefined))
  return {
    ...SANDBOX_DEFAULTS,
    clientSecret: newSecret(),
    port: 0,
    now: startMs === undefined ? Date.now : clockFrom(startMs, Date.now),
    newId: seed === undefined ? newId : seededIds(seed),
    ...given,
    ...(balance === undefined ? {} : { balanceCents: parseAmount(String(balance), { zeroAllowed: true }) }),
  }
}

function msOf(now: Date | string): number {
  return typeof now === 'string' ? Date.parse(now) : now.getTime()
}
