import type { LogEntry } from '../schemas/sandboxAnswers.ts'
import type { WebhookStyle } from '../wire/eventBody.ts'
import type { SignatureEncoding } from '../wire/signatureHeader.ts'
import type { CallFault } from './faults.ts'

/** The settings of a sandbox. Times in milliseconds, money in cents. */
export interface SandboxOptions {
  /** 0 picks a free one. */
  port: number
  host: string
  clientId: string
  clientSecret: string
  /** The wall clock; the sandbox's own clock may run ahead of it. */
  now: () => number
  /** A fresh UUID. */
  newId: () => string
  /** The published sandbox's rule: `paid-…` is PAID, every other id UNPAID. */
  hostedStatusRule: boolean
  signatureEncoding: SignatureEncoding
  /** The language whose JSON style the webhook bodies use. */
  webhookStyle: WebhookStyle
  /** The key under which the status query names the status. */
  statusKey: 'status' | 'statusTransaction'
  /** How a `refund.status` event names both ids. */
  refundEventStyle: 'originalTransactionId' | 'repeated-key'
  /** How often one webhook is tried, the first time included. */
  deliverAttempts: number
  /** Delays before the second, third, … attempt; the last one repeats. */
  deliverBackoffMs: readonly number[]
  /** How long a receiver may take to answer a webhook. */
  answerLimitMs: number
  /** Payments are paid by themselves after this time; undefined: only when told. */
  autoPayMs?: number
  /** Refunds and transfers settle after this time. */
  autoSettleMs: number
  /** Every call of a service endpoint takes at least this long. */
  latencyMs: number
  /** Addresses or CIDR ranges that may ask for transfers. */
  allowedIps: readonly string[]
  balanceCents: number
  /** Every PIX key exists and belongs to the document in the request; otherwise the directory decides. */
  anyKeyHolder?: boolean
  /** Asked at every call of a service endpoint by its path: the fault, if none is waiting. */
  misbehave?: (path: string) => CallFault | undefined
  /** The partners that exist and are active; undefined: every one. */
  partners?: readonly string[]
  /** Receives the general payment notifications. */
  dashboardWebhook?: string
  /** Lets callers beyond loopback, and pages in a browser, control the sandbox. */
  controlToken?: string
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
  signatureEncoding: 'hex',
  webhookStyle: 'java',
  statusKey: 'status',
  refundEventStyle: 'originalTransactionId',
  deliverAttempts: 3,
  deliverBackoffMs: [1000, 5000],
  answerLimitMs: 5000,
  autoSettleMs: 1000,
  latencyMs: 0,
  allowedIps: ['127.0.0.0/8', '::1'],
  balanceCents: 1_000_000,
} as const satisfies Omit<SandboxOptions, 'now' | 'newId'>
