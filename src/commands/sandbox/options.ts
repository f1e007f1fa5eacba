import type { Command } from 'commander'
import type { Context } from '../../context.ts'
import { CONTROL_TOKEN_VARIABLE } from '../../gateway/sandboxControl.ts'
import { parseAmount } from '../../pix/amount.ts'
import type { SandboxOptions } from '../../sandbox/options.ts'
import { durationOption, reading } from '../../settings.ts'
import { t } from '../../text/words.ts'
import { readTargetUrl } from '../../wire/address.ts'
import { UsageError } from '../../wire/errors.ts'
import { WEBHOOK_STYLES } from '../../wire/eventBody.ts'
import { Secret } from '../../wire/secret.ts'
import { collect, notBlank, oneOf, wholeNumber } from '../optionValues.ts'

/** The options of a sandbox as they are typed. */
export interface TypedSandboxOptions {
  port?: string
  host?: string
  clientId?: string
  clientSecret?: string
  hostedStatusRule?: boolean
  signature?: string
  webhookStyle?: string
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
  controlToken?: string
  baseUrlName?: string
}

/** Gives a command the options of a sandbox. */
export function addSandboxOptions(command: Command, defaultPort: string): Command {
  return command
    .option('--port <port>', `port to listen on, 0 picks a free one (default ${defaultPort})`)
    .option('--host <address>', 'address to listen on (default 127.0.0.1)')
    .option('--client-id <id>', 'client id that it accepts (default local)')
    .option('--client-secret <secret>', 'client secret that it accepts and signs with (default local-secret)')
    .option('--hosted-status-rule', 'ids that begin with paid- are PAID, all others UNPAID')
    .option('--signature <encoding>', 'how X-Signature is written: hex or base64 (default hex)')
    .option(
      '--webhook-style <language>',
      'how webhook bodies are written: java (10.50), php (10.5, \\/ and \\u00e3), python (", " and ": ", 10.0) or javascript (10.5, as JSON.stringify) (default java)',
    )
    .option('--status-key <name>', 'status or statusTransaction in the answer to a query (default status)')
    .option('--refund-event <style>', 'originalTransactionId or repeated-key (default originalTransactionId)')
    .option('--deliver-attempts <n>', 'how often a webhook is tried (default 3)')
    .option('--auto-pay <duration>', 'pay every code after this time (default off)')
    .option('--auto-settle <duration>', 'settle refunds and transfers after this time (default 1s)')
    .option('--latency <duration>', 'least time for every answer (default 0)')
    .option('--allow-ip <address>', 'address that may make transfers, repeatable (default loopback)', collect)
    .option('--balance <amount>', 'balance to begin with (default 10000)')
    .option('--partner <name>', 'split partner that exists, repeatable (default any)', collect)
    .option('--dashboard-webhook <url>', 'receives the general payment notifications')
    .option(
      '--control-token <token>',
      'lets callers beyond this machine control it, with Authorization: Bearer (env PIXGATE_CONTROL_TOKEN)',
    )
    .option('--base-url-name <host>', 'host name in its address, such as the name of its container')
}

/** The settings of the requested sandbox. Throws UsageError for a value that an option cannot have. */
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
  if (typed.signature !== undefined) base.signatureEncoding = oneOf(['hex', 'base64'], typed.signature, '--signature')
  if (typed.webhookStyle !== undefined) {
    base.webhookStyle = oneOf(WEBHOOK_STYLES, typed.webhookStyle, '--webhook-style')
  }
  if (typed.statusKey !== undefined) {
    base.statusKey = oneOf(['status', 'statusTransaction'], typed.statusKey, '--status-key')
  }
  if (typed.refundEvent !== undefined) {
    base.refundEventStyle = oneOf(['originalTransactionId', 'repeated-key'], typed.refundEvent, '--refund-event')
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
  const controlToken = typed.controlToken ?? (context.world.env[CONTROL_TOKEN_VARIABLE] || undefined)
  if (controlToken !== undefined) {
    base.controlToken = notBlank(controlToken, '--control-token')
    context.terminal.hide(new Secret(base.controlToken))
  }
  if (typed.baseUrlName !== undefined) base.baseUrlName = hostName(typed.baseUrlName)
  return base
}

function hostName(typed: string): string {
  const name = notBlank(typed, '--base-url-name')
  if (/^[\w.-]+$/.test(name) && URL.canParse(`http://${name}:80`)) return name
  throw new UsageError(t`\`--base-url-name\`: \`${name}\` is not a host name`, {
    hint: t`Give the name alone, without \`http://\` and port: \`--base-url-name gateway\``,
  })
}

function balance(typed: string): number {
  return reading('--balance', () => parseAmount(typed, { zeroAllowed: true }))
}

/** A time that may be nothing at all: `0` or a duration. */
function waitOption(typed: string, option: string): number {
  return /^0(ms|s)?$/.test(typed) ? 0 : durationOption(typed, option)
}
