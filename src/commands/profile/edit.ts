import { defineCommand } from '../../commandDefinition.ts'
import type { Context } from '../../context.ts'
import { readText } from '../../optionParsers.ts'
import { ledgerOfProfile } from '../../profiles/accountLedger.ts'
import { type ProfileStore, parseProfileName, type StoredProfile } from '../../profiles/profile.ts'
import { isNoEdit, PROFILE_SETTINGS, typedSettings } from '../../profiles/settings.ts'
import { PLAN_OPTIONS, type PlanOptions } from '../../steps/optionSets.ts'
import { assertHostConfirmed, confirmHost } from '../../steps/profiles/hostConfirmation.ts'
import {
  chosenSecretSource,
  isKeptHere,
  type NewSecret,
  type NoSecret,
  readNewSecret,
  readProfileSecret,
} from '../../steps/profiles/newSecret.ts'
import { askForEdit, isNothing } from '../../steps/profiles/profileDialog.ts'
import {
  applyEdit,
  CLEARING_OPTIONS,
  changesOrigin,
  PROFILE_OPTIONS,
  type ProfileEdit,
  type ProfileOptions,
  typedAddressOf,
  typedRules,
} from '../../steps/profiles/profileOptions.ts'
import { collectWarnings, loadProfiles, requireProfile, type Warnings } from '../../steps/profiles/profileStore.ts'
import { confirmRules, revokeApprover, ruleRows } from '../../steps/profiles/ruleOptions.ts'
import { choosesLedger, storeProfile } from '../../steps/profiles/storeProfile.ts'
import { type LabelledRow, labelledLines } from '../../terminal/terminal.ts'
import { t } from '../../text/translate.ts'
import { changedDocument, type NamedProfile, shownSettings } from '../../views/profileView.ts'
import { UsageError } from '../../wire/errors.ts'

type EditOptions = ProfileOptions & PlanOptions & { name?: string; revoke?: string; because?: string }

export const profileEdit = defineCommand({
  arguments: [{ name: '<profile>', description: 'a stored profile', completes: 'stored profiles' }],
  options: [
    { flags: '--name <new-name>', description: 'new name', parse: parseProfileName },
    ...PROFILE_OPTIONS,
    ...CLEARING_OPTIONS,
    {
      flags: '--revoke <principal>',
      description: 'account: a person of the list may approve nothing from now on',
      parse: readText,
      requires: { option: '--because', hint: () => t`Add \`--because "left the company"\` so that others know why` },
    },
    {
      flags: '--because <text>',
      description: 'with --revoke: why, for the ledger',
      parse: readText,
      requires: { option: '--revoke', hint: () => t`Add \`--revoke\` with the name of the person` },
    },
    ...PLAN_OPTIONS,
  ],
  describedBy: { options: PROFILE_OPTIONS, command: 'pixgate profile add' },
  examples: [
    ['pixgate profile edit shop', 'asks what to change, on a terminal'],
    ['pixgate profile edit shop --max-amount 500 --max-day 5000', 'limits'],
    ['pixgate profile edit shop --environment sandbox', 'asks to confirm the host, unless it is local'],
    ['pixgate profile edit shop --client-secret-stdin', 'a new secret, from a hidden prompt or a pipe'],
    ['pixgate profile edit shop --name shop-br --no-callback-url', 'rename it and remove the callback URL'],
    ['pixgate profile edit shop --revoke bruno --because "left in May"', 'bruno approves nothing any more'],
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
  const given = { ...options, baseUrl: typedAddressOf(context, options.baseUrl) }
  const typedValues = typedSettings(given, PROFILE_SETTINGS)
  const ruleEdit = await typedRules(given)
  const changesProfile =
    !isNoEdit(typedValues) || options.name !== undefined || chosenSecretSource(options) !== undefined
  if (options.revoke !== undefined) {
    if (changesProfile || !isNoEdit(ruleEdit) || choosesLedger(options) || options.plan !== undefined) {
      throw onlyRevocation()
    }
    const { revoke, because = '' } = options
    await revokeApprover(context, { name, profile: earlier }, revoke, because)
    const { active } = store
    const named = { name, isActive: active === name, profile: earlier, ledger: ledgerOfProfile(store, earlier) }
    context.print.one(changedDocument(named, warnings), () => [
      t`${revoke} may approve nothing from now on, on every machine of this account`,
    ])
    return 0
  }
  if (options.plan !== undefined) {
    if (changesProfile) throw onlyRules()
    const { planRules } = await import('../../steps/plans/makePlan.ts')
    return planRules(context, { name, profile: earlier }, ruleEdit, options)
  }
  const isDialog = !changesProfile && isNoEdit(ruleEdit) && !choosesLedger(options)
  if (isDialog && !context.terminal.canAsk) {
    throw new UsageError(t`No option changes the profile \`${name}\``, {
      hint: t`See \`pixgate profile edit --help\``,
    })
  }
  const assertNameIsFree = (newName: string) => assertNewNameIsFree(store, name, newName)
  const edit = isDialog
    ? await askForEdit(context, { name, profile: earlier, isNew: false, assertNameIsFree }, warnings)
    : { newName: options.name ?? name, values: typedValues, newSecret: undefined }
  if (isDialog && isNothing(name, edit)) {
    context.terminal.note(t`Nothing was changed`)
    return 0
  }
  assertNameIsFree(edit.newName)
  const after = applyEdit(earlier, edit.values)
  const change = { name, before: earlier, after }
  const confirmedHost = await confirmHost(context, change, options.confirmHost)
  const rules = await confirmRules(context, after, ruleEdit, options.confirmHost)
  const newSecret = edit.newSecret ?? (await secretForEdit(context, earlier, edit.values, options, warnings))

  const shownEdit = { name, profile: after }
  const changed = await storeProfile(context, shownEdit, options, warnings, (current) => {
    const profile = requireProfile(current, name)
    assertNewNameIsFree(current, name, edit.newName)
    const values = applyEdit(profile, edit.values)
    assertHostConfirmed({ name, before: profile, after: values }, confirmedHost)
    if (newSecret === undefined && needsSecret(profile, edit.values)) throw secretIsElsewhere(profile)
    return { before: { name, profile }, name: edit.newName, values, newSecret, rules }
  })
  const { terminal, print } = context
  const before = { name, isActive: false, profile: earlier, ledger: ledgerOfProfile(store, earlier) }
  const rows = [...changedRows(before, changed, newSecret !== undefined), ...ruleRows(rules)]
  print.one(changedDocument(changed, warnings), () =>
    rows.length === 0 ? [t`Nothing was changed`] : labelledLines(rows, terminal.out, terminal.textColumns),
  )
  return 0
}

/** What was changed of a profile: each setting from what to what. */
function changedRows(before: NamedProfile, after: NamedProfile, isNewSecret: boolean): LabelledRow[] {
  const earlier = new Map(shownSettings(before).map(({ name, value }) => [name, value]))
  const renamed = before.name === after.name ? [] : [[t`name`, `${before.name} → ${after.name}`] as const]
  const changed = shownSettings(after).flatMap(({ name, label, value }): LabelledRow[] => {
    const from = earlier.get(name) ?? ''
    if (name === 'secret' && isNewSecret) return [[label, t`replaced`]]
    return from === value ? [] : [[label, `${from} → ${value}`]]
  })
  return [...renamed, ...changed]
}

function onlyRevocation(): UsageError {
  return new UsageError(t`\`--revoke\` changes nothing else, and needs no plan`, {
    details: [t`Nothing was changed`],
    hint: t`Use \`--revoke\` and \`--because\` alone, and make other changes in a command of their own`,
  })
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
  if (context.terminal.canAsk) return readNewSecret(context, { source: 'stored' }, warnings)
  throw secretIsElsewhere(earlier)
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
