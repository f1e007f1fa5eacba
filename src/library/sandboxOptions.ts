import { inspect } from 'node:util'
import { type SandboxSettings, SETTING_CHOICES } from '../sandbox/settings.ts'
import { t } from '../text/translate.ts'

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

type Check = (value: unknown) => boolean

const isText: Check = (value) => typeof value === 'string'
const isCount: Check = (value) => Number.isInteger(value) && Number(value) >= 0
const isList: Check = (value) => Array.isArray(value) && value.every(isText)

function isOneOf(words: readonly string[]): Check {
  return (value) => typeof value === 'string' && words.includes(value)
}

/** A program in JavaScript may give anything, and a wrong value would only fail much later. */
const CHECKS: Readonly<Record<keyof SandboxOptions, Check>> = {
  port: isCount,
  host: isText,
  clientId: isText,
  clientSecret: isText,
  balance: (value) => typeof value === 'number' || isText(value),
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
  allowIps: isList,
  partners: isList,
  dashboardWebhook: isText,
  controlToken: isText,
}
const BY_NAME: ReadonlyMap<string, Check> = new Map(Object.entries(CHECKS))

/** Throws TypeError for an option that does not exist, and for a value that it cannot have. */
export function assertValidOptions(options: SandboxOptions): void {
  for (const [name, value] of Object.entries(options)) {
    const check = BY_NAME.get(name)
    if (check === undefined) throw new TypeError(t`startSandbox has no option \`${name}\``)
    if (value === undefined || check(value)) continue
    // A secret of the wrong type is still a secret.
    const shown = name === 'clientSecret' || name === 'controlToken' ? typeof value : inspect(value)
    throw new TypeError(t`The option \`${name}\` of startSandbox cannot be ${shown}`)
  }
}
