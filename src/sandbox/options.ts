import type { LogEntry } from '../schemas/sandboxAnswers.ts'
import type { CallFault } from './faults.ts'
import type { SandboxSettings } from './settings.ts'

/** All options of a sandbox. Times in milliseconds, money in cents. */
export interface SandboxOptions extends SandboxSettings {
  /** The wall clock; the sandbox's own clock may run ahead of it. */
  now: () => number
  /** A fresh UUID. */
  newId: () => string
  /** How long a receiver may take to answer a webhook. */
  answerLimitMs: number
  balanceCents: number
  /** Every PIX key exists and belongs to the document in the request; otherwise the directory decides. */
  anyKeyHolder?: boolean
  /** Asked at every call of a service endpoint by its path: the fault, if none is waiting. */
  misbehave?: (path: string) => CallFault | undefined
  /** The host name in the sandbox's own address, for callers on other machines or in other containers. */
  baseUrlName?: string
  /** Called for each request and each attempt of a delivery; the entries hold no secret. */
  onLog?: (entry: LogEntry) => void
}

/** The documented defaults; they match the built-in profile of the command line. */
export const SANDBOX_DEFAULTS = {
  port: 4010,
  host: '127.0.0.1',
  clientId: 'local',
  clientSecret: 'local-secret',
  hostedStatusRule: false,
  signature: 'hex',
  webhookStyle: 'java',
  statusKey: 'status',
  refundEvent: 'originalTransactionId',
  deliverAttempts: 3,
  deliverDelaysMs: [1000, 5000],
  answerLimitMs: 5000,
  autoSettleMs: 1000,
  latencyMs: 0,
  allowIps: ['127.0.0.0/8', '::1'],
  balanceCents: 1_000_000,
} as const satisfies Omit<SandboxOptions, 'now' | 'newId'>

/** True for a name that can be the host in the sandbox's own address. */
export function isHostName(text: string): boolean {
  return /^[\w.-]+$/.test(text) && URL.canParse(`http://${text}:80`)
}
