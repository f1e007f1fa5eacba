import { inspect } from 'node:util'
import { t } from '../text/translate.ts'
import { WEBHOOK_STYLES } from '../wire/eventBody.ts'

/** The settings of a sandbox; all have the defaults of `pixgate sandbox`, except the port. */
export interface SandboxOptions {
  /** The default 0 picks a free port. */
  port?: number
  host?: string
  /** Default `local`. */
  clientId?: string
  /** Default `local-secret`. */
  clientSecret?: string
  /** The balance in reais to begin with, default 10,000. */
  balance?: number | string
  /** Ids that begin with `paid-` are PAID, all others UNPAID. */
  hostedStatusRule?: boolean
  signature?: 'hex' | 'base64'
  /** Default `java`: amounts with two decimals. */
  webhookStyle?: 'java' | 'php' | 'python' | 'javascript'
  statusKey?: 'status' | 'statusTransaction'
  refundEvent?: 'originalTransactionId' | 'repeated-key'
  /** How often a webhook is tried, default 3. */
  deliverAttempts?: number
  /** Pay every code after this time; omit it to pay with `pay` only. */
  autoPayMs?: number
  /** Settle refunds and transfers after this time, default 1,000. */
  autoSettleMs?: number
  latencyMs?: number
  /** Addresses and CIDR ranges that may make transfers, default loopback. */
  allowIps?: readonly string[]
  /** The split partners that exist, default any. */
  partners?: readonly string[]
  dashboardWebhook?: string
  controlToken?: string
}

type Check = (value: unknown) => boolean

const isText: Check = (value) => typeof value === 'string'
const isCount: Check = (value) => Number.isInteger(value) && Number(value) >= 0
const isList: Check = (value) => Array.isArray(value) && value.every(isText)

function isOneOf(...values: readonly string[]): Check {
  return (value) => typeof value === 'string' && values.includes(value)
}

/** A program in JavaScript may give anything, and a wrong value would only fail much later. */
const CHECKS: Readonly<Record<keyof SandboxOptions, Check>> = {
  port: isCount,
  host: isText,
  clientId: isText,
  clientSecret: isText,
  balance: (value) => typeof value === 'number' || isText(value),
  hostedStatusRule: (value) => typeof value === 'boolean',
  signature: isOneOf('hex', 'base64'),
  webhookStyle: isOneOf(...WEBHOOK_STYLES),
  statusKey: isOneOf('status', 'statusTransaction'),
  refundEvent: isOneOf('originalTransactionId', 'repeated-key'),
  deliverAttempts: (value) => isCount(value) && value !== 0,
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
