import { WEBHOOK_STYLES } from '../wire/eventBody.ts'
import { SIGNATURE_ENCODINGS } from '../wire/signature.ts'

/** The words that some settings of a sandbox can have, the default first. */
export const SETTING_CHOICES = {
  signature: SIGNATURE_ENCODINGS,
  webhookStyle: WEBHOOK_STYLES,
  statusKey: ['status', 'statusTransaction'],
  refundEvent: ['originalTransactionId', 'repeated-key'],
} as const

type Choice<Name extends keyof typeof SETTING_CHOICES> = (typeof SETTING_CHOICES)[Name][number]

/** What a command line or a program can set of a sandbox. Times in milliseconds. */
export interface SandboxSettings {
  /** 0 picks a free one. */
  port: number
  host: string
  /** Default `local`. */
  clientId: string
  clientSecret: string
  /** The published sandbox's rule: ids that begin with `paid-` are PAID, all others UNPAID. */
  hostedStatusRule: boolean
  /** How the header `X-Signature` is written, default `hex`. */
  signature: Choice<'signature'>
  /** The language whose JSON style the webhook bodies use. Default `java`: amounts with two decimals. */
  webhookStyle: Choice<'webhookStyle'>
  /** The key under which the status query names the status. */
  statusKey: Choice<'statusKey'>
  /** How a `refund.status` event names both ids. */
  refundEvent: Choice<'refundEvent'>
  /** How often one webhook is tried, the first time included; default 3. */
  deliverAttempts: number
  /** The times before the second, third, … attempt; the last one repeats. Default 1,000 and 5,000. */
  deliverDelaysMs: readonly number[]
  /** Pay every code after this time; omit it to pay only when told. */
  autoPayMs?: number
  /** Settle refunds and transfers after this time, default 1,000. */
  autoSettleMs: number
  /** Every call of a service endpoint takes at least this long. */
  latencyMs: number
  /** Addresses and CIDR ranges that may make transfers, default loopback. */
  allowIps: readonly string[]
  /** The split partners that exist and are active, default any. */
  partners?: readonly string[]
  /** Receives the general payment notifications. */
  dashboardWebhook?: string
  /** Lets callers beyond loopback, and pages in a browser, control the sandbox. */
  controlToken?: string
}
