import { defineOptions, type OptionsOf } from '../../commandDefinition.ts'
import type { Context } from '../../context.ts'
import { CONTROL_TOKEN_VARIABLE } from '../../gateway/sandboxControl.ts'
import { readAmountOrZero, readDuration, readText, wholeNumber, withName } from '../../optionParsers.ts'
import { timeFromText } from '../../pix/calendar.ts'
import { Malformed } from '../../pix/expectedError.ts'
import { SANDBOX_DEFAULTS, type SandboxOptions } from '../../sandbox/sandboxOptions.ts'
import type { RunningSandbox } from '../../sandbox/sandboxServer.ts'
import { SETTING_CHOICES } from '../../sandbox/sandboxSettings.ts'
import { listenFailure } from '../../steps/foregroundServer.ts'
import { t } from '../../text/translate.ts'
import { readTargetUrl } from '../../wire/baseAddress.ts'
import { Failure, UsageError } from '../../wire/errors.ts'
import { Secret } from '../../wire/secret.ts'

/** The options of a sandbox but `--port`, whose default differs. */
export const SANDBOX_OPTIONS = defineOptions(
  { flags: '--host <address>', description: 'address to listen on (default 127.0.0.1)', parse: readText },
  { flags: '--client-id <id>', description: 'client id that it accepts (default local)', parse: readText },
  {
    flags: '--client-secret <secret>',
    description: 'client secret that it accepts and signs with (default local-secret)',
    parse: readText,
  },
  { flags: '--hosted-status-rule', description: 'ids that begin with paid- are PAID, others UNPAID' },
  {
    flags: '--signature <encoding>',
    description: 'hex or base64 in X-Signature (default hex)',
    choices: SETTING_CHOICES.signature,
  },
  {
    flags: '--webhook-style <language>',
    description: 'write webhook bodies as java (10.50), php (10.5), python (10.0) or javascript do (default java)',
    choices: SETTING_CHOICES.webhookStyle,
  },
  {
    flags: '--status-key <name>',
    description: 'status (default) or statusTransaction in answers',
    choices: SETTING_CHOICES.statusKey,
  },
  {
    flags: '--refund-event <style>',
    description: 'originalTransactionId (default) or repeated-key',
    choices: SETTING_CHOICES.refundEvent,
  },
  {
    flags: '--deliver-attempts <n>',
    description: 'delivery attempts per webhook (default 3)',
    parse: wholeNumber(1, 100),
  },
  {
    flags: '--deliver-delays <list>',
    description: 'times before further attempts (default 1s,5s)',
    parse: readWaits,
  },
  { flags: '--auto-pay <duration>', description: 'pay every code after this time (default off)', parse: readWait },
  {
    flags: '--auto-settle <duration>',
    description: 'settle refunds, transfers after it (default 1s)',
    parse: readWait,
  },
  { flags: '--latency <duration>', description: 'minimum time for every answer (default 0)', parse: readWait },
  {
    flags: '--allow-ip <address>',
    description: 'address that may make transfers, repeatable (default loopback)',
    repeatable: true,
  },
  { flags: '--seed <text>', description: 'the same transaction ids and codes in each run', parse: readText },
  { flags: '--now <time>', description: 'time at which its clock starts (default: the real one)', parse: readTime },
  { flags: '--balance <amount>', description: 'initial balance (default 10000)', parse: readAmountOrZero },
  {
    flags: '--partner <name>',
    description: 'split partner to accept, repeatable (default any)',
    repeatable: true,
    parse: readText,
  },
  {
    flags: '--dashboard-webhook <url>',
    description: 'receives the general payment notifications',
    parse: readTargetUrl,
  },
  {
    flags: '--control-token <token>',
    description: `lets other machines control it, as a bearer token (env ${CONTROL_TOKEN_VARIABLE})`,
    parse: readText,
  },
  {
    flags: '--base-url-name <host>',
    description: 'host name in its address, such as its container',
    parse: readHostName,
  },
)

/** The settings of the sandbox that these options ask for. Throws UsageError for a control token that cannot be one. */
export function sandboxOptions(
  context: Context,
  port: number,
  {
    deliverDelays,
    autoPay,
    autoSettle,
    latency,
    allowIp,
    balance,
    partner,
    now,
    ...same
  }: OptionsOf<typeof SANDBOX_OPTIONS>,
): SandboxOptions {
  const { env } = context.runtime
  const fromEnvironment = env[CONTROL_TOKEN_VARIABLE]
  const controlToken = same.controlToken ?? (fromEnvironment ? readText(fromEnvironment, '--control-token') : undefined)
  const set: Partial<SandboxOptions> = {
    ...same,
    controlToken,
    deliverDelaysMs: deliverDelays,
    autoPayMs: autoPay,
    autoSettleMs: autoSettle,
    latencyMs: latency,
    allowIps: allowIp.length > 0 ? allowIp : undefined,
    balanceCents: balance,
    startMs: now,
    partners: partner.length > 0 ? partner : undefined,
  }
  const given = Object.fromEntries(Object.entries(set).filter(([, value]) => value !== undefined))
  const options: SandboxOptions = {
    ...SANDBOX_DEFAULTS,
    port,
    now: context.now,
    newId: context.newId,
    ...given,
  }
  if (options.clientSecret !== SANDBOX_DEFAULTS.clientSecret) context.terminal.hide(new Secret(options.clientSecret))
  if (controlToken !== undefined) context.terminal.hide(new Secret(controlToken))
  return options
}

function readHostName(typed: string, option: string): string {
  const name = readText(typed, option)
  if (/^[\w.-]+$/.test(name) && URL.canParse(`http://${name}:80`)) return name
  throw new UsageError(t`\`${option}\`: \`${name}\` is not a host name`, {
    hint: t`Give the name alone, without \`http://\` and port: \`${option} gateway\``,
  })
}

/** A time that may be nothing at all: `0` or a duration. */
function readWait(typed: string, option: string): number {
  return /^0(ms|s)?$/.test(typed) ? 0 : readDuration(typed, option)
}

/** A day, of which it is the beginning, or a time in any form that is printed. */
function readTime(typed: string, option: string, nowMs: number): number {
  return withName(option, () => timeFromText(typed, nowMs)).sinceMs
}

/** Such times, separated by commas. */
function readWaits(typed: string, option: string): number[] {
  return typed.split(',').map((each) => readWait(each.trim(), option))
}

/** Starts a sandbox. Throws UsageError with the reason if it cannot listen. */
export async function launchSandbox(options: SandboxOptions): Promise<RunningSandbox> {
  const { startSandbox } = await import('../../sandbox/sandboxServer.ts')
  try {
    return await startSandbox(options)
  } catch (error) {
    throw cannotStart(error, options)
  }
}

function cannotStart(error: unknown, options: SandboxOptions): unknown {
  if (error instanceof Failure) return error
  if (error instanceof Malformed) return new UsageError(t`\`--allow-ip\`: ${error.message}`, { hint: error.hint })
  const inUse = t`Stop the program that uses this port, which may be another sandbox, or choose another port: \`--port 0\` picks a free one`
  return listenFailure(error, options, inUse)
}
