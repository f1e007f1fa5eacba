import type { Context } from '../../context.ts'
import { CONTROL_TOKEN_VARIABLE } from '../../gateway/sandboxControl.ts'
import { readChoice, readDuration, readText, wholeNumber, withName } from '../../optionParsers.ts'
import { parseAmount } from '../../pix/amount.ts'
import { Malformed } from '../../pix/malformed.ts'
import type { SandboxOptions } from '../../sandbox/options.ts'
import type { RunningSandbox } from '../../sandbox/server.ts'
import { t } from '../../text/translate.ts'
import { readTargetUrl } from '../../wire/address.ts'
import { UsageError } from '../../wire/errors.ts'
import { WEBHOOK_STYLES } from '../../wire/eventBody.ts'
import { Secret } from '../../wire/secret.ts'
import { defineOptions, type OptionsOf } from '../command.ts'
import { listenFailure } from '../foregroundServer.ts'

const SIGNATURE_ENCODINGS = ['hex', 'base64'] as const
const STATUS_KEYS = ['status', 'statusTransaction'] as const
const REFUND_EVENT_STYLES = ['originalTransactionId', 'repeated-key'] as const

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
    flags: '--webhook-style <language>',
    description:
      'how webhook bodies are written: java (10.50), php (10.5, \\/ and \\u00e3), python (", " and ": ", 10.0) or javascript (10.5, as JSON.stringify) (default java)',
    completes: WEBHOOK_STYLES,
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
  { flags: '--deliver-attempts <n>', description: 'delivery attempts per webhook (default 3)' },
  { flags: '--auto-pay <duration>', description: 'pay every code after this time (default off)' },
  { flags: '--auto-settle <duration>', description: 'settle refunds and transfers after this time (default 1s)' },
  { flags: '--latency <duration>', description: 'minimum time for every answer (default 0)' },
  {
    flags: '--allow-ip <address>',
    description: 'address that may make transfers, repeatable (default loopback)',
    repeatable: true,
  },
  { flags: '--balance <amount>', description: 'initial balance (default 10000)' },
  { flags: '--partner <name>', description: 'split partner to accept, repeatable (default any)', repeatable: true },
  { flags: '--dashboard-webhook <url>', description: 'receives the general payment notifications' },
  {
    flags: '--control-token <token>',
    description: `lets callers beyond this machine control it, with Authorization: Bearer (env ${CONTROL_TOKEN_VARIABLE})`,
  },
  { flags: '--base-url-name <host>', description: 'host name in its address, such as the name of its container' },
)

export type TypedSandboxOptions = OptionsOf<typeof SANDBOX_OPTIONS>

/** The settings of the requested sandbox. Throws UsageError for a value that an option cannot have. */
export async function readSandboxOptions(
  context: Context,
  typed: TypedSandboxOptions & { port?: string },
  defaults: { port: number },
): Promise<SandboxOptions> {
  const { SANDBOX_DEFAULTS } = await import('../../sandbox/options.ts')
  const base: SandboxOptions = { ...SANDBOX_DEFAULTS, port: defaults.port, now: context.now, newId: context.newId }
  if (typed.port !== undefined) base.port = wholeNumber(0, 65_535)(typed.port, '--port')
  if (typed.host !== undefined) base.host = readText(typed.host, '--host')
  if (typed.clientId !== undefined) base.clientId = readText(typed.clientId, '--client-id')
  if (typed.clientSecret !== undefined) {
    base.clientSecret = readText(typed.clientSecret, '--client-secret')
    if (base.clientSecret !== SANDBOX_DEFAULTS.clientSecret) context.terminal.hide(new Secret(base.clientSecret))
  }
  if (typed.hostedStatusRule) base.hostedStatusRule = true
  if (typed.signature !== undefined)
    base.signatureEncoding = readChoice(SIGNATURE_ENCODINGS, typed.signature, '--signature')
  if (typed.webhookStyle !== undefined) {
    base.webhookStyle = readChoice(WEBHOOK_STYLES, typed.webhookStyle, '--webhook-style')
  }
  if (typed.statusKey !== undefined) {
    base.statusKey = readChoice(STATUS_KEYS, typed.statusKey, '--status-key')
  }
  if (typed.refundEvent !== undefined) {
    base.refundEventStyle = readChoice(REFUND_EVENT_STYLES, typed.refundEvent, '--refund-event')
  }
  if (typed.deliverAttempts !== undefined) {
    base.deliverAttempts = wholeNumber(1, 100)(typed.deliverAttempts, '--deliver-attempts')
  }
  if (typed.autoPay !== undefined) base.autoPayMs = waitOption(typed.autoPay, '--auto-pay')
  if (typed.autoSettle !== undefined) base.autoSettleMs = waitOption(typed.autoSettle, '--auto-settle')
  if (typed.latency !== undefined) base.latencyMs = waitOption(typed.latency, '--latency')
  if (typed.allowIp !== undefined) base.allowedIps = typed.allowIp
  if (typed.balance !== undefined) base.balanceCents = balance(typed.balance)
  if (typed.partner !== undefined) base.partners = typed.partner.map((name) => readText(name, '--partner'))
  if (typed.dashboardWebhook !== undefined) {
    base.dashboardWebhook = readTargetUrl(typed.dashboardWebhook, '--dashboard-webhook')
  }
  const controlToken = typed.controlToken ?? (context.runtime.env[CONTROL_TOKEN_VARIABLE] || undefined)
  if (controlToken !== undefined) {
    base.controlToken = readText(controlToken, '--control-token')
    context.terminal.hide(new Secret(base.controlToken))
  }
  if (typed.baseUrlName !== undefined) base.baseUrlName = hostName(typed.baseUrlName)
  return base
}

function hostName(typed: string): string {
  const name = readText(typed, '--base-url-name')
  if (/^[\w.-]+$/.test(name) && URL.canParse(`http://${name}:80`)) return name
  throw new UsageError(t`\`--base-url-name\`: \`${name}\` is not a host name`, {
    hint: t`Give the name alone, without \`http://\` and port: \`--base-url-name gateway\``,
  })
}

function balance(typed: string): number {
  return withName('--balance', () => parseAmount(typed, { zeroAllowed: true }))
}

/** A time that may be nothing at all: `0` or a duration. */
function waitOption(typed: string, option: string): number {
  return /^0(ms|s)?$/.test(typed) ? 0 : readDuration(typed, option)
}

/** Starts a sandbox. Throws UsageError with the reason if it cannot listen. */
export async function launchSandbox(options: SandboxOptions): Promise<RunningSandbox> {
  const { startSandbox } = await import('../../sandbox/server.ts')
  try {
    return await startSandbox(options)
  } catch (error) {
    throw cannotStart(error, options)
  }
}

function cannotStart(error: unknown, options: SandboxOptions): unknown {
  if (error instanceof Malformed) return new UsageError(t`\`--allow-ip\`: ${error.message}`, { hint: error.hint })
  const inUse = t`Stop the program that uses this port, which may be another sandbox, or choose another port: \`--port 0\` picks a free one`
  return listenFailure(error, options, inUse)
}
