import type { Context } from '../../context.ts'
import { parseAmount } from '../../pix/amount.ts'
import type { SandboxOptions } from '../../sandbox/options.ts'
import { durationOption, reading } from '../../settings.ts'
import { readTargetUrl } from '../../wire/address.ts'
import { Secret } from '../../wire/secret.ts'
import { defineOptions } from '../command.ts'
import { notBlank, oneOf, wholeNumber } from '../optionValues.ts'

const SIGNATURE_ENCODINGS = ['hex', 'base64'] as const
const STATUS_KEYS = ['status', 'statusTransaction'] as const
const REFUND_EVENT_STYLES = ['originalTransactionId', 'repeated-key'] as const

/** The options of a sandbox as they are typed. */
export interface TypedSandboxOptions {
  port?: string
  host?: string
  clientId?: string
  clientSecret?: string
  hostedStatusRule?: boolean
  signature?: string
  statusKey?: string
  refundEvent?: string
  deliverAttempts?: string
  autoPay?: string
  autoSettle?: string
  latency?: string
  allowIp?: string[]
  balance?: string
  partner?: string[]
  dashboardWebhook?: string
}

/** The options of a sandbox but `--port`, whose default differs. */
export const SANDBOX_OPTIONS = defineOptions(
  { flags: '--host <address>', description: 'address to listen on (default 127.0.0.1)' },
  { flags: '--client-id <id>', description: 'client id that it accepts (default local)' },
  {
    flags: '--client-secret <secret>',
    description: 'client secret that it accepts and signs with (default local-secret)',
  },
  { flags: '--hosted-status-rule', description: 'ids that begin with paid- are PAID, all others UNPAID' },
  {
    flags: '--signature <encoding>',
    description: 'how X-Signature is written: hex or base64 (default hex)',
    completes: SIGNATURE_ENCODINGS,
  },
  {
    flags: '--status-key <name>',
    description: 'status or statusTransaction in the answer to a query (default status)',
    completes: STATUS_KEYS,
  },
  {
    flags: '--refund-event <style>',
    description: 'originalTransactionId or repeated-key (default originalTransactionId)',
    completes: REFUND_EVENT_STYLES,
  },
  { flags: '--deliver-attempts <n>', description: 'how often a webhook is tried (default 3)' },
  { flags: '--auto-pay <duration>', description: 'pay every code after this time (default off)' },
  { flags: '--auto-settle <duration>', description: 'settle refunds and transfers after this time (default 1s)' },
  { flags: '--latency <duration>', description: 'least time for every answer (default 0)' },
  {
    flags: '--allow-ip <address>',
    description: 'address that may make transfers, repeatable (default loopback)',
    repeatable: true,
  },
  { flags: '--balance <amount>', description: 'balance to begin with (default 10000)' },
  { flags: '--partner <name>', description: 'split partner that exists, repeatable (default any)', repeatable: true },
  { flags: '--dashboard-webhook <url>', description: 'receives the general payment notifications' },
)

/** The sandbox that was asked for. Throws UsageError for a value that an option cannot have. */
export async function readSandboxOptions(
  context: Context,
  typed: TypedSandboxOptions,
  defaults: { port: number },
): Promise<SandboxOptions> {
  const { SANDBOX_DEFAULTS } = await import('../../sandbox/options.ts')
  const base: SandboxOptions = { ...SANDBOX_DEFAULTS, port: defaults.port, now: context.now, newId: context.newId }
  if (typed.port !== undefined) base.port = wholeNumber(typed.port, '--port', 0, 65_535)
  if (typed.host !== undefined) base.host = notBlank(typed.host, '--host')
  if (typed.clientId !== undefined) base.clientId = notBlank(typed.clientId, '--client-id')
  if (typed.clientSecret !== undefined) {
    base.clientSecret = notBlank(typed.clientSecret, '--client-secret')
    if (base.clientSecret !== SANDBOX_DEFAULTS.clientSecret) context.terminal.hide(new Secret(base.clientSecret))
  }
  if (typed.hostedStatusRule) base.hostedStatusRule = true
  if (typed.signature !== undefined) base.signatureEncoding = oneOf(SIGNATURE_ENCODINGS, typed.signature, '--signature')
  if (typed.statusKey !== undefined) {
    base.statusKey = oneOf(STATUS_KEYS, typed.statusKey, '--status-key')
  }
  if (typed.refundEvent !== undefined) {
    base.refundEventStyle = oneOf(REFUND_EVENT_STYLES, typed.refundEvent, '--refund-event')
  }
  if (typed.deliverAttempts !== undefined) {
    base.deliverAttempts = wholeNumber(typed.deliverAttempts, '--deliver-attempts', 1, 100)
  }
  if (typed.autoPay !== undefined) base.autoPayMs = waitOption(typed.autoPay, '--auto-pay')
  if (typed.autoSettle !== undefined) base.autoSettleMs = waitOption(typed.autoSettle, '--auto-settle')
  if (typed.latency !== undefined) base.latencyMs = waitOption(typed.latency, '--latency')
  if (typed.allowIp !== undefined) base.allowedIps = typed.allowIp
  if (typed.balance !== undefined) base.balanceCents = balance(typed.balance)
  if (typed.partner !== undefined) base.partners = typed.partner.map((name) => notBlank(name, '--partner'))
  if (typed.dashboardWebhook !== undefined) {
    base.dashboardWebhook = readTargetUrl(typed.dashboardWebhook, '--dashboard-webhook')
  }
  return base
}

function balance(typed: string): number {
  return reading('--balance', () => parseAmount(typed, { zeroAllowed: true }))
}

/** A time that may be nothing at all: `0` or a duration. */
function waitOption(typed: string, option: string): number {
  return /^0(ms|s)?$/.test(typed) ? 0 : durationOption(typed, option)
}
