import type { Context } from '../../context.ts'
import { type LedgerAddress, readLedgerAddress } from '../../ledger/team/ledgerAddress.ts'
import { ledgerOfProfile } from '../../profiles/accountLedger.ts'
import {
  type ProfileSecret,
  type ProfileStore,
  type ProfileValues,
  profileEnvironment,
} from '../../profiles/profile.ts'
import type { NamedSettings } from '../../profiles/settingChanges.ts'
import { t } from '../../text/translate.ts'
import type { NamedProfile } from '../../views/profileView.ts'
import { UsageError } from '../../wire/errors.ts'
import type { LedgerUpdate } from '../ledger/changeLedger.ts'
import { chosenPasswordSource } from '../ledger/passwordOptions.ts'
import { deleteSecret, type NewSecret, type NoSecret, type SavedSecret, storeSecret } from './newSecret.ts'
import type { ProfileOptions } from './profileOptions.ts'
import { loadProfiles, updateProfiles, type Warnings } from './profileStore.ts'
import type { ConfirmedRules } from './ruleOptions.ts'

/** True if options choose the ledger of the account, or its password. */
export function choosesLedger(options: Partial<ProfileOptions>): boolean {
  return options.ledger !== undefined || chosenPasswordSource(options) !== undefined
}

/** A profile that is added (`before` is undefined) or changed; without a new secret it keeps the one that it has. */
interface ProfileToStore {
  before?: NamedSettings
  name: string
  values: ProfileValues
  newSecret: NewSecret | NoSecret | undefined
  rules: ConfirmedRules
}

/**
 * Stores a profile, its secret, the ledger that options choose for its account and the rules of the account. `shown` is what was confirmed; `decide` makes
 * of the store as it is by then what is stored, or throws. Throws UsageError, Cancelled, and what the ledgers throw; then nothing was changed.
 */
export async function storeProfile(
  context: Context,
  shown: { name: string; profile: ProfileValues },
  options: Partial<ProfileOptions>,
  warnings: Warnings,
  decide: (store: ProfileStore) => ProfileToStore,
): Promise<NamedProfile> {
  let saved: SavedSecret | undefined
  let replaced: ProfileSecret | undefined
  let stored: NamedProfile | undefined
  const apply = async (store: ProfileStore, update: LedgerUpdate | undefined) => {
    const { before, name, values, newSecret, rules } = decide(store)
    const earlier = before?.profile.secret ?? { source: 'none' }
    saved = newSecret && newSecret.source !== 'none' ? await storeSecret(context, name, newSecret, warnings) : undefined
    replaced = newSecret && earlier
    const secret = saved?.source ?? (newSecret?.source === 'none' ? newSecret : earlier)
    const profile = { ...values, secret }
    const isActive = before === undefined ? store.profiles.size === 0 : store.active === before.name
    const { ledgers = store.ledgers, change: ledger } = update?.(store) ?? {}
    stored = { name, isActive, profile, ledger: ledgerOfProfile({ ledgers }, profile) }
    // A renamed profile keeps its position in the list.
    const others = [...store.profiles].map(([each, value]) =>
      each === before?.name ? ([name, profile] as const) : ([each, value] as const),
    )
    const profiles = new Map(others).set(name, profile)
    const active = isActive ? name : store.active
    return { store: { active, profiles, ledgers }, before, after: { name, profile }, rules, ledger }
  }
  try {
    await storeWithLedger(context, shown, options, warnings, (update) =>
      updateProfiles(context, (store) => apply(store, update), warnings),
    )
  } catch (error) {
    await saved?.undo()
    throw error
  }
  if (stored === undefined) throw new Error('The store was changed without the profile')
  if (replaced !== undefined) await deleteSecret(context, replaced, warnings)
  return stored
}

/**
 * Stores a profile, together with the ledger that options choose for its account; `--ledger` is `ledger join`, and `--no-ledger` is `ledger leave`. `name` is
 * what `--confirm` takes, and `store` stores the profile and what the update gives. Throws UsageError, Cancelled, and what the ledgers throw; then nothing was
 * changed.
 */
async function storeWithLedger(
  context: Context,
  { name, profile }: { name: string; profile: ProfileValues },
  options: Partial<ProfileOptions>,
  warnings: Warnings,
  store: (update?: LedgerUpdate) => Promise<void>,
): Promise<void> {
  if (!choosesLedger(options)) return store()
  const { baseUrl: url, clientId } = profile
  const account = { environment: profileEnvironment(profile), url, clientId, confirmName: name }
  if (options.ledger === false) {
    const { leaveLedger } = await import('../ledger/changeLedger.ts')
    const { left, brought } = await leaveLedger(context, account, options.confirmHost, warnings, store)
    context.terminal.note(t`${clientId} no longer uses ${left}; records of it that were taken over: ${brought}`)
    return
  }
  const address = options.ledger ?? joinedLedger(await loadProfiles(context, warnings), profile)
  const { joinLedger } = await import('../ledger/changeLedger.ts')
  const { brought } = await joinLedger(context, account, { address, options }, warnings, store)
  context.terminal.note(
    t`${clientId} uses the shared ledger ${address.url}; records of this machine that were taken over: ${brought}`,
  )
}

/** The ledger that a new source of the password is for. Throws UsageError. */
function joinedLedger(store: ProfileStore, profile: ProfileValues): LedgerAddress {
  const address = ledgerOfProfile(store, profile)
  if (address !== null) return readLedgerAddress(address)
  throw new UsageError(
    t`A password of a shared ledger is given, but ${profile.clientId} uses the ledger of this machine`,
    {
      details: [t`Nothing was changed`],
      hint: t`Add \`--ledger postgres://maria@db.example.com/payments\``,
    },
  )
}
