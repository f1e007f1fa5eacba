import { type Command, Option } from 'commander'
import { parseAmount } from '../../pix/amount.ts'
import { parseTaxDocument } from '../../pix/taxDocument.ts'
import type { EnvironmentKind } from '../../profiles/profile.ts'
import { reading } from '../../settings.ts'
import { t } from '../../text/words.ts'
import { readTargetUrl } from '../../wire/address.ts'
import { UsageError } from '../../wire/errors.ts'
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

/** Adds the options that `add` and `edit` share. */
export function withProfileOptions(command: Command): Command {
  return command
    .option('--environment <kind>', 'sandbox or production (default: sandbox on this machine, else production)')
    .option('--base-url <url>', "the gateway's base address")
    .option('--client-id <id>', "the header ci of the gateway's API")
    .option('--callback-url <url>', 'where the gateway sends events, unless a command names another')
    .option('--max-amount <amount>', 'refuse a payment above this')
    .option('--max-day <amount>', 'refuse what goes above this in a day of São Paulo')
    .option('--read-only', 'refuse everything that moves money or signs')
    .option('--company <name>', 'the company that the account belongs to')
    .option('--company-document <document>', 'its CPF or CNPJ')
    .option(
      '--confirm-host <host>',
      'in a script: confirm a sandbox beyond this machine, or a weaker production profile',
    )
    .option('--client-secret-stdin', 'read the secret from standard input; on a terminal ask, hidden')
    .option('--client-secret-env <VAR>', 'read it from this variable at every use; only the name is stored')
    .option('--client-secret-command <cmd>', 'run this at every use; what it prints is the secret')
    .option('--keychain', "ask for it (or read it from a pipe) and keep it in the system's keychain")
    .addOption(new Option('--client-secret [secret]').hideHelp())
}

/** Adds the options that clear a value. */
export function withClearingOptions(command: Command): Command {
  return command
    .option('--no-callback-url', 'clear the callback URL')
    .option('--no-max-amount', 'clear the limit of one payment')
    .option('--no-max-day', 'clear the limit of a day')
    .option('--no-read-only', 'allow what moves money again')
    .option('--no-company', 'clear the company')
    .option('--no-company-document', 'clear its CPF or CNPJ')
}

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
      hint: t`Leave it out to be asked, or use \`--client-secret-stdin\`, \`--client-secret-env <VAR>\`, \`--client-secret-command '<cmd>'\` or \`--keychain\``,
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
