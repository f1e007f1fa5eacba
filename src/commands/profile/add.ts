import type { Context } from '../../context.ts'
import { LOCAL_PROFILE } from '../../profiles/account.ts'
import { ledgerOfProfile } from '../../profiles/accountLedger.ts'
import { profileEnvironment } from '../../profiles/addressEnvironment.ts'
import { type ProfileStore, parseProfileName } from '../../profiles/profile.ts'
import { t } from '../../text/translate.ts'
import { readBaseAddress } from '../../wire/address.ts'
import { UsageError } from '../../wire/errors.ts'
import { defineCommand, type OptionsOf } from '../command.ts'
import type { LedgerUpdate } from '../ledger/changeLedger.ts'
import { PASSWORD_OPTIONS } from '../ledger/passwordOptions.ts'
import { storeWithLedger } from './ledgerChoice.ts'
import { type NewProfile, readNewProfile, testNewProfile } from './newProfile.ts'
import { type SavedSecret, storeProfileSecret } from './newSecret.ts'
import { PROFILE_OPTIONS } from './options.ts'
import { changedDocument, type NamedProfile, settingsTable } from './profileDocument.ts'
import { collectWarnings, loadProfiles, updateProfiles, type Warnings } from './profileStore.ts'
import { type ConfirmedRules, confirmRules, isNoRule, newRules, noteRules } from './ruleOptions.ts'

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
  { name, test, ...options }: AddOptions & { name: string },
): Promise<number> {
  const { print, terminal } = context
  const warnings = collectWarnings(context)
  assertNameIsFree(await loadProfiles(context, warnings), name)

  const typed = await readNewProfile(context, name, options, warnings)
  const isTested = terminal.canAsk && test !== false && typed.newSecret.source !== 'none'
  const { values, newSecret } = isTested ? await testNewProfile(context, name, typed, options, warnings) : typed

  const rules = await confirmRules(context, values, await newRules(options), options.confirmHost)
  const added = await store(context, { name, values, newSecret, rules }, options, warnings)
  const shown = await settingsTable(context, added)
  print.one(changedDocument(context, added, warnings), () => [shown])
  terminal.note(storedNotice(added))
  if (!isNoRule(rules.edit)) noteRules(context)
  if (!terminal.canAsk) return 0
  const { purpose, command } = nextStep(added)
  terminal.next(t`Run this next, to ${purpose}`, [command])
  return 0
}

function storedNotice({ name, isActive, profile }: NamedProfile): string {
  if (!isActive) return t`Stored the profile \`${name}\`, which is not the active one`
  return profileEnvironment(profile) === 'production'
    ? t`Stored the profile \`${name}\` and made it active: commands now use production and move real money`
    : t`Stored the profile \`${name}\` and made it active`
}

/** What to type after a profile was added. */
function nextStep({ name, isActive, profile }: NamedProfile): { purpose: string; command: string } {
  if (!isActive) return { purpose: t`make it the active profile`, command: `pixgate profile use ${name}` }
  if (profile.callbackUrl === undefined) {
    const url = readBaseAddress(profile.baseUrl, 'baseUrl').isLoopback
      ? LOCAL_PROFILE.callbackUrl
      : 'https://shop.example.com/pix'
    return { purpose: t`set the callback URL`, command: `pixgate profile edit ${name} --callback-url ${url}` }
  }
  if (profile.secret.source === 'none') {
    return { purpose: t`see the plans that wait for approval`, command: 'pixgate plan list' }
  }
  return { purpose: t`create a charge`, command: 'pixgate qr create --amount 10,00' }
}

async function store(
  context: Context,
  { name, values, newSecret, rules }: NewProfile & { name: string; rules: ConfirmedRules },
  options: AddOptions,
  warnings: Warnings,
): Promise<NamedProfile> {
  let savedSecret: SavedSecret | undefined
  let added: NamedProfile | undefined
  const add = async (before: ProfileStore, update: LedgerUpdate | undefined) => {
    assertNameIsFree(before, name)
    savedSecret = await storeProfileSecret(context, name, newSecret, warnings)
    const profile = { ...values, secret: savedSecret.source }
    const isActive = before.profiles.size === 0
    const profiles = new Map(before.profiles).set(name, profile)
    const { ledgers = before.ledgers, change: ledger } = update?.(before) ?? {}
    added = { name, isActive, profile, ledger: ledgerOfProfile({ ledgers }, profile) }
    const active = isActive ? name : before.active
    return { store: { active, profiles, ledgers }, after: { name, profile }, ledger, rules }
  }
  try {
    await storeWithLedger(context, { name, profile: values }, options, warnings, (update) =>
      updateProfiles(context, (before) => add(before, update), warnings),
    )
  } catch (error) {
    await savedSecret?.undo()
    throw error
  }
  if (added === undefined) throw new Error('The store was changed without the new profile')
  return added
}

function assertNameIsFree({ profiles }: ProfileStore, name: string): void {
  if (!profiles.has(name)) return
  throw new UsageError(t`A profile \`${name}\` already exists`, {
    hint: t`Choose another name; \`pixgate profile edit --help\` shows how to change this one`,
  })
}
