import { defineCommand } from '../../commandDefinition.ts'
import type { Context } from '../../context.ts'
import type { LedgerRecord, SettingRecord } from '../../ledger/records.ts'
import { withLedgerOf } from '../../openLedgers.ts'
import { chooseAccount, LOCAL_PROFILE } from '../../profiles/account.ts'
import { ledgerOfProfile } from '../../profiles/accountLedger.ts'
import { noActiveProfile } from '../../profiles/credentialErrors.ts'
import type { ProfileStore } from '../../profiles/profile.ts'
import { OPTIONAL_SETTINGS, settingKey } from '../../profiles/settings.ts'
import { collectWarnings, loadProfiles, requireProfile } from '../../steps/profiles/profileStore.ts'
import { rulesInForce } from '../../steps/profiles/ruleOptions.ts'
import type { Column } from '../../terminal/printer.ts'
import { table } from '../../terminal/tableWriter.ts'
import { t, translated } from '../../text/translate.ts'
import { PROFILE_CHANGE, profileChangeLines, RULES, ruleLines } from '../../views/accountRuleText.ts'
import { builtInProfile, type NamedProfile, PROFILE, shownSettings } from '../../views/profileView.ts'
import { Failure } from '../../wire/errors.ts'

/** Variables that take precedence over a profile. */
const OVERRIDING = ['PIXGATE_BASE_URL', 'PIXGATE_CLIENT_ID', 'PIXGATE_CLIENT_SECRET', 'PIXGATE_CALLBACK_URL'] as const

const SHOWN_CHANGES = 10

export const profileShow = defineCommand({
  arguments: [{ name: '[name]', description: 'default: the profile that a command would use', completes: 'profiles' }],
  examples: [
    ['pixgate profile show', 'the profile in use'],
    ['pixgate profile show shop -o json', 'for a script'],
  ],
  run: showProfile,
})

async function showProfile(context: Context, { name: typedName }: { name: string | undefined }): Promise<number> {
  const store = await loadProfiles(context, collectWarnings(context))
  const named = chooseProfile(
    store,
    typedName ?? context.settings.profile ?? (context.runtime.env.PIXGATE_PROFILE || undefined),
  )
  const settings = shownSettings(named)
  const { baseUrl: url, clientId } = named.profile
  const rules = await rulesInForce(context, { url, clientId }, (line) => context.terminal.warn(line))
  const changes = rules === null ? null : await newestChanges(context, named)
  const document = {
    ...PROFILE.documentOf(named),
    sources: Object.fromEntries(settings.map(({ key, source }) => [key, source])),
    rules: rules && RULES.documentOf(rules),
    changes: changes?.map(PROFILE_CHANGE.documentOf) ?? null,
  }
  const rows = settings.map(({ label, value, source }) => [label, value, source])
  const lines = await table(context.terminal, [t`setting`, t`value`, t`source`], rows)
  context.print.one(document, () => [
    named.isActive ? t`${named.name}, active` : named.name,
    lines,
    ...(rules === null ? [] : ruleLines(context.terminal, rules)),
    ...(changes === null || changes.length === 0 ? [] : ['', ...profileChangeLines(context.terminal, changes)]),
  ])
  for (const variable of OVERRIDING) {
    if (context.runtime.env[variable]) {
      context.terminal.note(
        t`\`${variable}\` is set and takes precedence, unless a profile is selected with \`--profile\``,
      )
    }
  }
  if (typedName === undefined) noteOtherAccount(context, store, named)
  return 0
}

/** The newest recorded changes of a profile and of the rules of its account. */
async function newestChanges(
  context: Context,
  { name, profile }: NamedProfile,
): Promise<LedgerRecord<SettingRecord>[]> {
  const { newestProfileChanges } = await import('../../ledger/rulesInForce.ts')
  const account = { url: profile.baseUrl, clientId: profile.clientId }
  return withLedgerOf(context, account, (ledger) =>
    ledger.read((database) => newestProfileChanges(database, account, name, SHOWN_CHANGES)),
  )
}

/** Tells the user if an option or variable makes commands use another address than the profile that is shown. */
function noteOtherAccount(
  { settings, runtime, terminal }: Context,
  store: ProfileStore,
  { profile }: NamedProfile,
): void {
  try {
    const { url, environment, sources } = chooseAccount({ ...settings, env: runtime.env }, store)
    if (url === profile.baseUrl) return
    terminal.note(t`Commands currently use another address: ${url}, ${translated(environment)} (${sources.address})`)
  } catch (error) {
    if (!(error instanceof Failure)) throw error
    terminal.note(t`Commands currently cannot use any account: ${error.message}`)
  }
}

function chooseProfile(store: ProfileStore, name: string | undefined): NamedProfile {
  const { active, profiles } = store
  const used = name ?? active ?? (profiles.size === 0 ? LOCAL_PROFILE.name : undefined)
  if (used === undefined) throw noActiveProfile([...profiles.keys()])
  if (used === LOCAL_PROFILE.name)
    return builtInProfile(active === used || (active === null && profiles.size === 0), store)
  const profile = requireProfile(store, used)
  return { name: used, isActive: used === active, profile, ledger: ledgerOfProfile(store, profile) }
}

const COLUMNS: readonly Column<NamedProfile>[] = [
  { path: 'active', header: 'active', text: ({ isActive }) => (isActive ? '*' : '') },
  { path: 'name', header: 'name', text: ({ name }) => (name === LOCAL_PROFILE.name ? t`local (built-in)` : name) },
  { path: 'environment', header: 'environment', isWord: true },
  { path: 'baseUrl', header: 'baseUrl' },
]
/** Shown if an account shares its ledger. */
const LEDGER_COLUMN: Column<NamedProfile> = {
  path: 'ledger',
  header: 'ledger',
  text: ({ ledger }) => ledger ?? t`of this machine`,
  short: ({ ledger }) => ledger?.replace(/^.*@/, '') ?? t`of this machine`,
  drop: 1,
}
/** Shown if a profile has no secret. */
const SECRET_COLUMN: Column<NamedProfile> = {
  path: 'secret.source',
  header: 'secret',
  text: ({ profile: { secret } }) => (secret.source === 'none' ? t`no secret` : secret.source),
  drop: 2,
}
const CSV_COLUMNS: readonly Column<NamedProfile>[] = [
  ...COLUMNS,
  ...['clientId', 'secret.source', 'secret.masked', ...OPTIONAL_SETTINGS.map(settingKey), 'ledger'].map((path) => ({
    path,
  })),
]

/**
 * `pixgate profile list`: lists all stored profiles. Text output includes the built-in one if nothing is stored or it is the
 * active one; JSON and CSV contain only stored profiles.
 */
export const profileList = defineCommand({
  examples: [
    ['pixgate profile list', 'list all profiles'],
    ['pixgate profile list -o json', 'all fields, for a script'],
  ],
  acceptsCsv: true,
  run: listProfiles,
})

async function listProfiles(context: Context): Promise<number> {
  const store = await loadProfiles(context, collectWarnings(context))
  const { active, profiles } = store
  const stored: NamedProfile[] = [...profiles].map(([name, profile]) => ({
    name,
    isActive: name === active,
    profile,
    ledger: ledgerOfProfile(store, profile),
  }))
  const isText = context.print.format === 'text'
  if (isText && (stored.length === 0 || active === LOCAL_PROFILE.name)) stored.unshift(builtInProfile(true, store))
  const hasShared = stored.some(({ ledger }) => ledger !== null)
  const lacksSecret = stored.some(({ profile }) => profile.secret.source === 'none')
  const columns = [...COLUMNS, ...(lacksSecret ? [SECRET_COLUMN] : []), ...(hasShared ? [LEDGER_COLUMN] : [])]
  await context.print.list(stored, { columns: isText ? columns : CSV_COLUMNS, documentOf: PROFILE.documentOf })
  if (profiles.size > 0 && active === null) {
    context.terminal.note(t`No profile is active; choose one with \`pixgate profile use\``)
  }
  if (profiles.size === 0) {
    context.terminal.note(t`No profiles are stored; add one with \`pixgate profile add\``)
  }
  return 0
}
