import { defineCommand } from '../../commandDefinition.ts'
import type { Context } from '../../context.ts'
import { LOCAL_PROFILE } from '../../profiles/account.ts'
import { ledgerOfProfile } from '../../profiles/accountLedger.ts'
import { type ProfileStore, profileEnvironment } from '../../profiles/profile.ts'
import { collectWarnings, requireProfile, updateProfiles } from '../../steps/profiles/profileStore.ts'
import { t } from '../../text/translate.ts'
import { builtInProfile, changedDocument, type NamedProfile } from '../../views/profileView.ts'

export const profileUse = defineCommand({
  arguments: [{ name: '<name>', description: 'a stored profile, or local', completes: 'profiles' }],
  examples: [
    ['pixgate profile use shop', 'use it from now on'],
    ['pixgate profile use local', 'back to the sandbox on this machine'],
    ['pixgate status <id> --profile shop', 'for one command only'],
  ],
  run: useProfile,
})

async function useProfile(context: Context, { name }: { name: string }): Promise<number> {
  const warnings = collectWarnings(context)
  let used: NamedProfile | undefined
  await updateProfiles(
    context,
    (store) => {
      used = name === LOCAL_PROFILE.name ? builtInProfile(true, store) : storedProfile(store, name)
      return { store: { ...store, active: name } }
    },
    warnings,
  )
  if (used === undefined) throw new Error('The store was changed without choosing a profile')
  const { profile } = used
  context.print.one(changedDocument(used, warnings), () => [
    t`${name} is now the active profile: ${profileEnvironment(profile)}, ${profile.baseUrl}`,
  ])
  return 0
}

function storedProfile(store: ProfileStore, name: string): NamedProfile {
  const profile = requireProfile(store, name)
  return { name, isActive: true, profile, ledger: ledgerOfProfile(store, profile) }
}
