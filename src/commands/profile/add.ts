import { defineCommand, type OptionsOf } from '../../commandDefinition.ts'
import type { Context } from '../../context.ts'
import { readBaseUrl } from '../../optionParsers.ts'
import { LOCAL_PROFILE } from '../../profiles/account.ts'
import { clientIdText } from '../../profiles/credentialText.ts'
import { type ProfileStore, type ProfileValues, parseProfileName, profileEnvironment } from '../../profiles/profile.ts'
import { PROFILE_SETTINGS, SETTINGS, settingQuestion, typedSettings } from '../../profiles/settings.ts'
import { PASSWORD_OPTIONS } from '../../steps/ledger/passwordOptions.ts'
import { confirmHost } from '../../steps/profiles/hostConfirmation.ts'
import {
  chooseSecretPlace,
  chosenSecretSource,
  environmentOf,
  missingSecret,
  type NewSecret,
  type NoSecret,
  readableSecret,
  readProfileSecret,
} from '../../steps/profiles/newSecret.ts'
import { askForEdit, type DialogEdit } from '../../steps/profiles/profileDialog.ts'
import {
  applyEdit,
  askSetting,
  PROFILE_OPTIONS,
  type ProfileEdit,
  typedAddressOf,
  typedRules,
  withoutFalse,
} from '../../steps/profiles/profileOptions.ts'
import { collectWarnings, loadProfiles, type Warnings } from '../../steps/profiles/profileStore.ts'
import { confirmRules, ruleRows } from '../../steps/profiles/ruleOptions.ts'
import { storeProfile } from '../../steps/profiles/storeProfile.ts'
import { typedOrPrompted } from '../../steps/requiredValue.ts'
import { labelledLines } from '../../terminal/terminal.ts'
import { t } from '../../text/translate.ts'
import { changedDocument, type NamedProfile, shownSettings } from '../../views/profileView.ts'
import { readBaseAddress } from '../../wire/baseAddress.ts'
import { UsageError } from '../../wire/errors.ts'

const OPTIONS = [
  ...PROFILE_OPTIONS,
  { flags: '--no-test', description: 'do not test the address and the credentials' },
] as const

export const profileAdd = defineCommand({
  arguments: [{ name: '<name>', description: 'lower-case letters, digits, - and _', parse: parseProfileName }],
  options: OPTIONS,
  describedBy: { options: PASSWORD_OPTIONS, command: 'pixgate ledger join' },
  examples: [
    ['pixgate profile add shop', 'asks for everything, and tests it'],
    [
      'pixgate profile add shop --client-secret-env SHOP_SECRET',
      'for a server that keeps secrets in environment variables',
    ],
    ["pixgate profile add shop --client-secret-command 'pass show shop'", 'for a password manager'],
    ['pixgate profile add joao --no-secret', 'for a person who plans and approves'],
    ['pixgate profile add audit --keychain --read-only', 'cannot send payments; secret in the system keychain'],
    [
      'pixgate profile add dev --base-url http://127.0.0.1:4010 --client-id dev --client-secret-env DEV_SECRET',
      'in a script, without prompts',
    ],
  ],
  run: addProfile,
})

type AddOptions = OptionsOf<typeof OPTIONS>

async function addProfile(
  context: Context,
  { name: typedName, test, ...options }: AddOptions & { name: string },
): Promise<number> {
  const { print, terminal } = context
  const warnings = collectWarnings(context)
  const store = await loadProfiles(context, warnings)
  assertNameIsFree(store, typedName)

  const given = withoutFalse({ ...options, baseUrl: typedAddressOf(context, options.baseUrl) })
  const typed = await readNewProfile(context, typedName, options, typedSettings(given, PROFILE_SETTINGS), warnings)
  let edit: DialogEdit | undefined
  if (terminal.canAsk && test !== false && typed.newSecret.source !== 'none') {
    const profile = { ...typed.values, secret: readableSecret(typed.newSecret) }
    const isFree = (newName: string) => assertNameIsFree(store, newName)
    edit = await askForEdit(context, { name: typedName, profile, isNew: true, assertNameIsFree: isFree }, warnings)
  }
  const { newName: name = typedName, newSecret = typed.newSecret } = edit ?? {}
  const values = applyEdit(typed.values, edit?.values ?? {})
  if (values.confirmedSandboxHost !== typed.values.confirmedSandboxHost) {
    await confirmHost(context, { name, before: undefined, after: values }, undefined)
  }

  const rules = await confirmRules(context, values, await typedRules(given), options.confirmHost)
  const added = await storeProfile(context, { name, profile: values }, options, warnings, (current) => {
    assertNameIsFree(current, name)
    return { name, values, newSecret, rules }
  })
  const rows = [
    ...shownSettings(added).flatMap(({ name, label, value, source, isSet }) => {
      // Where a secret is that pixgate does not store.
      const isElsewhere = name === 'secret' && !['stored', 'none'].includes(added.profile.secret.source)
      return isSet ? [[label, isElsewhere ? `${value} (${source})` : value] as const] : []
    }),
    ...ruleRows(rules),
  ]
  print.one(changedDocument(added, warnings), () => labelledLines(rows, terminal.out, terminal.textColumns))
  terminal.note(storedNotice(added))
  if (!terminal.canAsk) return 0
  const { purpose, command } = nextStep(added)
  terminal.next(t`Run this next, to ${purpose}`, [command])
  return 0
}

function storedNotice({ name, isActive, profile }: NamedProfile): string {
  if (!isActive) return t`Stored the profile \`${name}\`, which is not the active one`
  const isProduction = profileEnvironment(profile) === 'production'
  if (profile.readOnly === true) {
    return isProduction
      ? t`Stored the profile \`${name}\` and made it active: commands now use production, and only look up and check`
      : t`Stored the profile \`${name}\` and made it active: commands now only look up and check`
  }
  if (profile.secret.source === 'none') {
    return t`Stored the profile \`${name}\` and made it active: it has no secret, so commands send no payments`
  }
  return isProduction
    ? t`Stored the profile \`${name}\` and made it active: commands now use production and move real money`
    : t`Stored the profile \`${name}\` and made it active`
}

function nextStep({ name, isActive, profile }: NamedProfile): { purpose: string; command: string } {
  if (!isActive) return { purpose: t`make it the active profile`, command: `pixgate profile use ${name}` }
  // Who only reads, or only approves, needs no callback URL.
  if (profile.readOnly === true) return { purpose: t`see the payments in the ledger`, command: 'pixgate history' }
  if (profile.secret.source === 'none') {
    return { purpose: t`see the plans that wait for approval`, command: 'pixgate plan list' }
  }
  if (profile.callbackUrl === undefined) {
    const url = readBaseAddress(profile.baseUrl, 'baseUrl').isLoopback
      ? LOCAL_PROFILE.callbackUrl
      : 'https://shop.example.com/pix'
    return { purpose: t`set the callback URL`, command: `pixgate profile edit ${name} --callback-url ${url}` }
  }
  return { purpose: t`create a charge`, command: 'pixgate qr create --amount 10,00' }
}

function assertNameIsFree({ profiles }: ProfileStore, name: string): void {
  if (!profiles.has(name)) return
  throw new UsageError(t`A profile \`${name}\` already exists`, {
    hint: t`Choose another name; \`pixgate profile edit --help\` shows how to change this one`,
  })
}

type ProfileOptions = OptionsOf<typeof PROFILE_OPTIONS>

/** A profile whose secret has been read, but not stored. */
interface NewProfile {
  values: ProfileValues
  newSecret: NewSecret | NoSecret
}

/**
 * Reads a new profile from the options. On a terminal it asks for what is missing and, if anything was, offers the other settings.
 * Throws UsageError, Cancelled.
 */
async function readNewProfile(
  context: Context,
  name: string,
  options: ProfileOptions,
  settings: ProfileEdit,
  warnings: Warnings,
): Promise<NewProfile> {
  const { terminal } = context
  const typedSource = chosenSecretSource(options)
  const isIncomplete = [settings.baseUrl, settings.clientId, typedSource].includes(undefined)
  const isDialog = terminal.canAsk && isIncomplete

  const baseUrl = await typedOrPrompted(context, settings.baseUrl ?? undefined, '--base-url', {
    question: settingQuestion('baseUrl'),
    hint: t`Add \`--base-url https://gateway.example.com\`, or see \`--help\` for examples`,
    parse: readBaseUrl,
  })
  const environment = options.environment ?? (await environmentOf(context, baseUrl, settings.baseUrl === undefined))
  const clientId = await typedOrPrompted(context, options.clientId, '--client-id', {
    question: settingQuestion('clientId'),
    hint: t`Add \`--client-id shop-1\`, or see \`--help\` for examples`,
    parse: clientIdText,
  })
  if (typedSource === undefined && !isDialog) throw missingSecret()
  const values = applyEdit({ environment, baseUrl, clientId }, { ...settings, environment })
  await confirmHost(context, { name, before: undefined, after: values }, options.confirmHost)
  const input = typedSource ?? (await chooseSecretPlace(context))
  const newSecret = await readProfileSecret(context, input, warnings)
  return { values: isDialog ? applyEdit(values, await askForSettings(context, settings)) : values, newSecret }
}

/** Asks for the settings that a profile may lack and that no option says. */
async function askForSettings(context: Context, typed: ProfileEdit): Promise<ProfileEdit> {
  if (typed.callbackUrl === undefined) {
    context.terminal.note(
      t`The callback URL is where the gateway reports that a payment was made, failed or came back. Without one, every charge, refund and transfer needs \`--callback-url\`.`,
    )
  }
  let edit = typed
  for (const name of PROFILE_SETTINGS) {
    if (!SETTINGS[name].isOffered || typed[name] !== undefined) continue
    edit = { ...edit, ...(await askSetting(context, name, undefined)) }
  }
  return edit
}
