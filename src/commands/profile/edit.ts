import type { Context } from '../../context.ts'
import { ledgerOfProfile } from '../../profiles/accountLedger.ts'
import { profileEnvironment } from '../../profiles/addressEnvironment.ts'
import { type ProfileStore, parseProfileName, type StoredProfile } from '../../profiles/profile.ts'
import { t, translated } from '../../text/translate.ts'
import { UsageError } from '../../wire/errors.ts'
import { defineCommand } from '../command.ts'
import type { LedgerUpdate } from '../ledger/changeLedger.ts'
import { PLAN_OPTIONS, type PlanOptions } from '../plan/planOptions.ts'
import { askForEdit, isNothing } from './editDialog.ts'
import { assertHostConfirmed, confirmHost } from './hostConfirmation.ts'
import { choosesLedger, storeWithLedger } from './ledgerChoice.ts'
import {
  chosenSecretSource,
  deleteSecret,
  isKeptHere,
  type NewSecret,
  type NoSecret,
  readNewSecret,
  readProfileSecret,
  type SavedSecret,
  storeProfileSecret,
} from './newSecret.ts'
import {
  applyEdit,
  CLEARING_OPTIONS,
  changesOrigin,
  isEmptyEdit,
  PROFILE_OPTIONS,
  type ProfileEdit,
  type ProfileOptions,
  typedAddressOf,
} from './options.ts'
import { changedDocument, type NamedProfile, settingsTable } from './profileDocument.ts'
import { collectWarnings, loadProfiles, requireProfile, updateProfiles, type Warnings } from './profileStore.ts'
import { type ConfirmedRules, confirmRules, isNoRule, noteRules, typedRules } from './ruleOptions.ts'

interface EditOptions extends ProfileOptions, PlanOptions {
  name?: string
}

/** Everything that one edit changes. */
interface Edit {
  name: string
  newName: string
  values: ProfileEdit
  newSecret: NewSecret | NoSecret | undefined
  confirmedHost: string | undefined
  rules: ConfirmedRules
}

export const profileEdit = defineCommand({
  arguments: [{ name: '<profile>', description: 'a stored profile', completes: 'profiles' }],
  options: [
    { flags: '--name <new-name>', description: 'new name', parse: parseProfileName },
    ...PROFILE_OPTIONS,
    ...CLEARING_OPTIONS,
    ...PLAN_OPTIONS,
  ],
  describedBy: { options: PROFILE_OPTIONS, command: 'pixgate profile add' },
  examples: [
    ['pixgate profile edit shop', 'asks what to change, on a terminal'],
    ['pixgate profile edit shop --max-amount 500 --max-day 5000', 'limits'],
    ['pixgate profile edit shop --environment sandbox', 'asks to confirm the host, unless it is local'],
    ['pixgate profile edit shop --client-secret-stdin', 'a new secret, from a hidden prompt or a pipe'],
    ['pixgate profile edit shop --name shop-br --no-callback-url', 'rename it and remove the callback URL'],
  ],
  run: editProfile,
})

async function editProfile(
  context: Context,
  { profile: name, ...options }: EditOptions & { profile: string },
): Promise<number> {
  // Throws: `local` is reserved.
  if (name === 'local') parseProfileName(name)
  const warnings = collectWarnings(context)
  const store = await loadProfiles(context, warnings)
  const earlier = requireProfile(store, name)
  const typed = { ...options, baseUrl: typedAddressOf(context, options) }
  const typedRule = await typedRules(options)
  if (options.plan !== undefined) {
    if (!isEmptyEdit(typed) || options.name !== undefined || chosenSecretSource(options) !== undefined)
      throw onlyRules()
    const { planRules } = await import('./planRules.ts')
    return planRules(context, { name, profile: earlier }, typedRule, options)
  }
  const isDialog =
    isEmptyEdit(typed) &&
    isNoRule(typedRule) &&
    options.name === undefined &&
    chosenSecretSource(options) === undefined &&
    !choosesLedger(options)
  if (isDialog && !context.terminal.canAsk) {
    throw new UsageError(t`No option changes the profile \`${name}\``, {
      hint: t`See \`pixgate profile edit --help\``,
    })
  }
  const assertNameIsFree = (newName: string) => assertNewNameIsFree(store, name, newName)
  const edit = isDialog
    ? await askForEdit(context, { name, profile: earlier, assertNameIsFree }, warnings)
    : { newName: options.name ?? name, values: typed, newSecret: undefined }
  if (isDialog && isNothing(name, edit)) {
    context.terminal.note(t`Nothing was changed`)
    return 0
  }
  assertNameIsFree(edit.newName)
  const after = applyEdit(earlier, edit.values)
  const change = { name, before: earlier, after }
  const confirmedHost = await confirmHost(context, change, options.confirmHost)
  const rules = await confirmRules(context, after, typedRule, options.confirmHost)
  const newSecret = edit.newSecret ?? (await secretForEdit(context, earlier, edit.values, options, warnings))

  const toStore = { ...edit, name, newSecret, confirmedHost, rules }
  const changed = await storeEdit(context, toStore, { earlier, options }, warnings)
  const shown = await settingsTable(context, changed)
  context.print.one(changedDocument(context, changed, warnings), () => [shown])
  const environment = profileEnvironment(changed.profile)
  context.terminal.note(
    environment === profileEnvironment(earlier)
      ? t`Changed the profile \`${edit.newName}\``
      : t`Changed the profile \`${edit.newName}\`; its environment is now ${translated(environment)}`,
  )
  if (!isNoRule(rules.edit)) noteRules(context)
  return 0
}

function onlyRules(): UsageError {
  return new UsageError(t`A plan changes the rules of the account only`, {
    details: [t`Nothing was changed`],
    hint: t`Omit \`--plan\` to change the profile itself, in a command of its own`,
  })
}

/** The new secret, typed or prompted for; undefined if the edit needs none. Throws UsageError. */
async function secretForEdit(
  context: Context,
  earlier: StoredProfile,
  values: ProfileEdit,
  options: EditOptions,
  warnings: Warnings,
): Promise<NewSecret | NoSecret | undefined> {
  const input = chosenSecretSource(options)
  if (input !== undefined) return readProfileSecret(context, input, warnings)
  if (!needsSecret(earlier, values)) return undefined
  if (context.terminal.canAsk) return readNewSecret(context, { from: 'prompt' }, warnings)
  throw secretIsElsewhere(earlier)
}

async function storeEdit(
  context: Context,
  edit: Edit,
  { earlier: shown, options }: { earlier: StoredProfile; options: EditOptions },
  warnings: Warnings,
): Promise<NamedProfile> {
  const { name, newName, values, newSecret, confirmedHost, rules } = edit
  let earlier: StoredProfile | undefined
  let savedSecret: SavedSecret | undefined
  let changed: NamedProfile | undefined
  const apply = async (store: ProfileStore, update: LedgerUpdate | undefined) => {
    earlier = requireProfile(store, name)
    assertNewNameIsFree(store, name, newName)
    const after = applyEdit(earlier, values)
    assertHostConfirmed({ name, before: earlier, after }, confirmedHost)
    if (newSecret === undefined && needsSecret(earlier, values)) throw secretIsElsewhere(earlier)
    savedSecret = newSecret === undefined ? undefined : await storeProfileSecret(context, newName, newSecret, warnings)
    const isActive = store.active === name
    const profile = { ...after, secret: savedSecret?.source ?? earlier.secret }
    const { ledgers = store.ledgers, change: ledger } = update?.(store) ?? {}
    changed = { name: newName, isActive, profile, ledger: ledgerOfProfile({ ledgers }, profile) }
    // A renamed profile keeps its position in the list.
    const profiles = [...store.profiles].map(([each, value]) =>
      each === name ? ([newName, profile] as const) : ([each, value] as const),
    )
    return {
      store: { active: isActive ? newName : store.active, profiles: new Map(profiles), ledgers },
      before: { name, profile: earlier },
      after: { name: newName, profile },
      rules,
      ledger,
    }
  }
  try {
    await storeWithLedger(context, { name, profile: applyEdit(shown, values) }, options, warnings, (update) =>
      updateProfiles(context, (store) => apply(store, update), warnings),
    )
  } catch (error) {
    await savedSecret?.undo()
    throw error
  }
  if (changed === undefined) throw new Error('The store was changed without the edit')
  if (savedSecret !== undefined && earlier !== undefined) await deleteSecret(context, earlier.secret, warnings)
  return changed
}

/** A secret that pixgate stores belongs to one address, so a new address needs a new secret. */
function needsSecret(profile: StoredProfile, values: ProfileEdit): boolean {
  return isKeptHere(profile.secret) && changesOrigin(profile, values)
}

function secretIsElsewhere({ baseUrl }: StoredProfile): UsageError {
  return new UsageError(t`The stored secret belongs to ${baseUrl}; another address needs its own secret`, {
    details: [t`Nothing was changed`],
    hint: t`Add \`--client-secret-stdin\`, \`--client-secret-env\`, \`--client-secret-command\` or \`--keychain\` to set the new secret`,
  })
}

function assertNewNameIsFree({ profiles }: ProfileStore, name: string, newName: string): void {
  if (newName === name || !profiles.has(newName)) return
  throw new UsageError(t`A profile \`${newName}\` already exists`, {
    hint: t`Choose another name, or remove that one with \`pixgate profile remove ${newName}\``,
  })
}
