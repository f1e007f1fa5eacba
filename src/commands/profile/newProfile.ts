import type { Context } from '../../context.ts'
import { readAmount, readTaxDocument, readText } from '../../optionParsers.ts'
import { clientIdText, type ProfileValues } from '../../profiles/profile.ts'
import type { Choice } from '../../terminal/prompts.ts'
import { t } from '../../text/translate.ts'
import { readTargetUrl } from '../../wire/address.ts'
import { AuthError, type Failure } from '../../wire/errors.ts'
import type { OptionsOf } from '../command.ts'
import { promptFor, promptForOptional, typedOrPrompted } from '../requiredValue.ts'
import { failureOfTest, readableSecret } from './credentialTest.ts'
import { confirmHost } from './hostConfirmation.ts'
import {
  chosenSecretSource,
  missingSecret,
  type NewSecret,
  type NoSecret,
  readNewSecret,
  readProfileSecret,
} from './newSecret.ts'
import { applyEdit, type PROFILE_OPTIONS, readTypedAddress, typedAddressOf } from './options.ts'
import { addressQuestion, chooseSecretPlace, clientIdQuestion, environmentOf } from './profileQuestions.ts'
import type { Warnings } from './profileStore.ts'

type AddOptions = OptionsOf<typeof PROFILE_OPTIONS>

/** A profile whose secret has been read, but not stored. */
export interface NewProfile {
  values: ProfileValues
  newSecret: NewSecret | NoSecret
}

/**
 * Reads a new profile from the options. On a terminal it asks for what is missing and, if anything was, offers the other settings.
 * Throws UsageError, Cancelled.
 */
export async function readNewProfile(
  context: Context,
  name: string,
  options: AddOptions,
  warnings: Warnings,
): Promise<NewProfile> {
  const { terminal } = context
  const typedAddress = typedAddressOf(context, options)
  const typedSource = chosenSecretSource(options)
  const isIncomplete = [typedAddress, options.clientId, typedSource].includes(undefined)
  const isDialog = terminal.canAsk && isIncomplete

  const address = await typedOrPrompted(context, typedAddress, '--base-url', {
    question: addressQuestion(),
    hint: t`Add \`--base-url https://gateway.example.com\`, or see \`--help\` for examples`,
    parse: readTypedAddress,
  })
  const environment = options.environment ?? (await environmentOf(context, address, typedAddress === undefined))
  const clientId = await typedOrPrompted(context, options.clientId, '--client-id', {
    question: clientIdQuestion(),
    hint: t`Add \`--client-id shop-1\`, or see \`--help\` for examples`,
    parse: clientIdText,
  })
  if (typedSource === undefined && !isDialog) throw missingSecret()
  const readOnly = options.readOnly || undefined
  const values = applyEdit({ environment, baseUrl: address.url, clientId }, { ...options, environment, readOnly })
  await confirmHost(context, { name, before: undefined, after: values }, options.confirmHost)
  const input = typedSource ?? (await chooseSecretPlace(context))
  const newSecret = await readProfileSecret(context, input, warnings)
  return { values: isDialog ? applyEdit(values, await askForSettings(context, options)) : values, newSecret }
}

/** Tests the address and the credentials until the gateway accepts them or a person keeps them as they are. Throws Cancelled. */
export async function testNewProfile(
  context: Context,
  name: string,
  typed: NewProfile,
  options: AddOptions,
  warnings: Warnings,
): Promise<NewProfile> {
  const { terminal } = context
  let { values, newSecret } = typed
  for (;;) {
    const secret = newSecret.source === 'none' ? newSecret : readableSecret(newSecret)
    const failure = await failureOfTest(context, name, { ...values, secret })
    if (failure === undefined) return { values, newSecret }
    terminal.warn(failure.message)
    const choice = await terminal.choose(t`What do you want to do?`, correctionsOf(failure))
    if (choice === 'store') return { values, newSecret }
    if (choice === 'address') {
      const baseUrl = await promptFor(terminal, addressQuestion(), readTypedAddress)
      const environment = options.environment ?? (await environmentOf(context, baseUrl, true))
      values = applyEdit(values, { baseUrl, environment })
      await confirmHost(context, { name, before: undefined, after: values }, undefined)
    } else {
      values = applyEdit(values, { clientId: await promptFor(terminal, clientIdQuestion(), clientIdText) })
      const from = newSecret.source === 'stored' ? 'prompt' : newSecret.source
      if (from === 'prompt' || from === 'keychain') newSecret = await readNewSecret(context, { from }, warnings)
    }
  }
}

/** What a person can do after a failed test; the likeliest first. */
function correctionsOf(failure: Failure): Choice<'credentials' | 'address' | 'store'>[] {
  const credentials = { value: 'credentials', name: t`Type the client id and the secret again` } as const
  const address = { value: 'address', name: t`Type the base URL again` } as const
  const store = { value: 'store', name: t`Store the profile as it is` } as const
  return failure instanceof AuthError ? [credentials, address, store] : [address, credentials, store]
}

/** The settings that a profile may lack. */
async function askForSettings({ terminal }: Context, options: AddOptions) {
  const optional = async <Value>(typed: Value | undefined, question: string, parse: (text: string) => Value) =>
    typed ?? (await promptForOptional(terminal, question, parse))
  if (options.callbackUrl === undefined) {
    terminal.note(
      t`The callback URL is where the gateway reports that a payment was made, failed or came back. Without one, every charge, refund and transfer needs \`--callback-url\`.`,
    )
  }
  return {
    callbackUrl: await optional(options.callbackUrl, t`Callback URL (Enter: none)`, readTargetUrl),
    maxAmount: await optional(options.maxAmount, t`Largest amount of one payment (Enter: no limit)`, readAmount),
    maxDay: await optional(options.maxDay, t`Largest total per day (Enter: no limit)`, readAmount),
    company: await optional(options.company, t`Company that the account belongs to (Enter: none)`, readText),
    companyDocument: await optional(
      options.companyDocument,
      t`CPF or CNPJ of the company (Enter: none)`,
      readTaxDocument,
    ),
  }
}
