import { parseAmount } from '../../pix/amount.ts'
import { parseTaxDocument } from '../../pix/taxDocument.ts'
import type { EnvironmentKind } from '../../profiles/profile.ts'
import { reading } from '../../settings.ts'
import { t } from '../../text/words.ts'
import { readTargetUrl } from '../../wire/address.ts'
import { UsageError } from '../../wire/errors.ts'
import { defineOptions } from '../command.ts'
import { notBlank, oneOf } from '../optionValues.ts'

const ENVIRONMENTS = ['sandbox', 'production'] as const satisfies readonly EnvironmentKind[]

/** What `add` and `edit` take, as commander gives it; false is the `--no-` form of `edit`. */
export interface ProfileOptions {
  environment?: string
  baseUrl?: string
  clientId?: string
  callbackUrl?: string | false
  maxAmount?: string | false
  maxDay?: string | false
  readOnly?: boolean
  company?: string | false
  companyDocument?: string | false
  confirmHost?: string
  clientSecretStdin?: boolean
  clientSecretEnv?: string
  clientSecretCommand?: string
  keychain?: boolean
  /** Typed by mistake: see {@link refuseTypedSecret}. */
  clientSecret?: string | boolean
}

/** The options that `add` and `edit` share. */
export const PROFILE_OPTIONS = defineOptions(
  {
    flags: '--environment <kind>',
    description: 'sandbox or production (default: sandbox on this machine, else production)',
    completes: ENVIRONMENTS,
  },
  { flags: '--base-url <url>', description: "the gateway's base address" },
  { flags: '--client-id <id>', description: "the header ci of the gateway's API" },
  { flags: '--callback-url <url>', description: 'where the gateway sends events, unless a command names another' },
  { flags: '--max-amount <amount>', description: 'refuse a payment above this' },
  { flags: '--max-day <amount>', description: 'refuse what goes above this in a day of São Paulo' },
  { flags: '--read-only', description: 'refuse everything that moves money or signs' },
  { flags: '--company <name>', description: 'the company that the account belongs to' },
  { flags: '--company-document <document>', description: 'its CPF or CNPJ' },
  {
    flags: '--confirm-host <host>',
    description: 'in a script: confirm a sandbox beyond this machine, or a weaker production profile',
  },
  { flags: '--client-secret-stdin', description: 'read the secret from standard input; on a terminal ask, hidden' },
  {
    flags: '--client-secret-env <VAR>',
    description: 'read it from this variable at every use; only the name is stored',
  },
  { flags: '--client-secret-command <cmd>', description: 'run this at every use; what it prints is the secret' },
  { flags: '--keychain', description: "ask for it (or read it from a pipe) and keep it in the system's keychain" },
  {
    flags: '--client-secret [secret]',
    description: 'refused: a secret is not taken from the command line',
    hidden: true,
  },
)

/** The options that clear a value. */
export const CLEARING_OPTIONS = defineOptions(
  { flags: '--no-callback-url', description: 'clear the callback URL' },
  { flags: '--no-max-amount', description: 'clear the limit of one payment' },
  { flags: '--no-max-day', description: 'clear the limit of a day' },
  { flags: '--no-read-only', description: 'allow what moves money again' },
  { flags: '--no-company', description: 'clear the company' },
  { flags: '--no-company-document', description: 'clear its CPF or CNPJ' },
)

/** A secret on the command line is a mistake that must not be stored silently. Throws UsageError. */
export function refuseTypedSecret(options: ProfileOptions): void {
  if (options.clientSecret !== undefined) throw secretTyped()
}

/** The failure of a secret, or a word that may be one, on the command line. */
export function secretTyped(): UsageError {
  return new UsageError(
    t`A secret is not taken from the command line, where other users and the shell's history see it`,
    {
      details: [t`Nothing was stored; if it was the real secret, have the gateway issue another`],
      hint: t`Omit it to be asked, or use \`--client-secret-stdin\`, \`--client-secret-env\`, \`--client-secret-command\` or \`--keychain\``,
    },
  )
}

/** The values that need nothing but to be read; undefined where none is typed, null where one is cleared. */
export interface PlainValues {
  environment: EnvironmentKind | undefined
  callbackUrl: string | null | undefined
  maxAmountCents: number | null | undefined
  maxDayCents: number | null | undefined
  readOnly: boolean | undefined
  company: string | null | undefined
  companyDocument: string | null | undefined
}

/** Reads what needs no question. Throws UsageError naming the option. */
export function readPlainValues(options: ProfileOptions): PlainValues {
  const { environment, callbackUrl, maxAmount, maxDay, readOnly, company, companyDocument } = options
  return {
    environment: environment === undefined ? undefined : oneOf(ENVIRONMENTS, environment, '--environment'),
    callbackUrl: unlessCleared(callbackUrl, (text) => readTargetUrl(text, '--callback-url')),
    maxAmountCents: unlessCleared(maxAmount, (text) => limitCents(text, '--max-amount')),
    maxDayCents: unlessCleared(maxDay, (text) => limitCents(text, '--max-day')),
    readOnly,
    company: unlessCleared(company, (text) => notBlank(text, '--company').trim()),
    companyDocument: unlessCleared(companyDocument, documentOf),
  }
}

function documentOf(text: string): string {
  return reading('--company-document', () => parseTaxDocument(text).document)
}

function unlessCleared<Value>(
  typed: string | false | undefined,
  read: (text: string) => Value,
): Value | null | undefined {
  if (typed === undefined) return undefined
  return typed === false ? null : read(typed)
}

function limitCents(text: string, option: string): number {
  return reading(option, () => parseAmount(text))
}
