import { defineCommand } from '../../commandDefinition.ts'
import type { Context } from '../../context.ts'
import type { LedgerRecord, SettingRecord } from '../../ledger/records.ts'
import { withLedgerOf } from '../../openLedgers.ts'
import { chooseAccount, LOCAL_PROFILE } from '../../profiles/account.ts'
import { ledgerOfProfile } from '../../profiles/accountLedger.ts'
import { noActiveProfile } from '../../profiles/credentialErrors.ts'
import type { ProfileStore } from '../../profiles/profile.ts'
import { OPTIONAL_SETTINGS, settingKey } from '../../profiles/settings.ts'
import {
  builtInProfile,
  type NamedProfile,
  profileDocument,
  settingsTable,
  shownSettings,
} from '../../steps/profiles/profileDocument.ts'
import { collectWarnings, loadProfiles, requireProfile } from '../../steps/profiles/profileStore.ts'
import { rulesInForce } from '../../steps/profiles/ruleOptions.ts'
import { type Column, cellText, type Document, valueAt } from '../../terminal/printer.ts'
import { t, translated } from '../../text/translate.ts'
import { profileChangeDocument, profileChangeLines, ruleLines, rulesDocument } from '../../views/accountRuleText.ts'
import type { OfflineDocument } from '../../views/outputSchemas.ts'
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
  const sources = Object.fromEntries(shownSettings(named).map(({ key, source }) => [key, source]))
  const { baseUrl: url, clientId } = named.profile
  const rules = await rulesInForce(context, { url, clientId }, (line) => context.terminal.warn(line))
  const changes = rules === null ? null : await newestChanges(context, named)
  const document: OfflineDocument<'profile-show'> = {
    ...profileDocument(named),
    sources,
    rules: rules === null ? null : rulesDocument(rules),
    changes: changes?.map(profileChangeDocument) ?? null,
  }
  const settings = await settingsTable(context, named)
  context.print.one(document, () => [
    named.isActive ? t`${named.name}, active` : named.name,
    settings,
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

const COLUMNS: readonly Column[] = [
  { path: 'active', header: 'active', text: (document) => (document.active === true ? '*' : '') },
  { path: 'name', header: 'name', text: nameText },
  { path: 'environment', header: 'environment', isWord: true },
  { path: 'baseUrl', header: 'baseUrl' },
]
/** Shown if an account shares its ledger. */
const LEDGER_COLUMN: Column = {
  path: 'ledger',
  header: 'ledger',
  text: ({ ledger }) => (ledger === null ? t`of this machine` : String(ledger)),
  short: ({ ledger }) => (ledger === null ? t`of this machine` : String(ledger).replace(/^.*@/, '')),
  drop: 1,
}
/** Shown if a profile has no secret. */
const SECRET_COLUMN: Column = {
  path: 'secret.source',
  header: 'secret',
  text: (document) =>
    valueAt(document, 'secret.source') === 'none' ? t`no secret` : cellText(valueAt(document, 'secret.source')),
  drop: 2,
}
const CSV_COLUMNS: readonly Column[] = [
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
  const documents = stored.map((named) => profileDocument(named))
  const hasShared = stored.some(({ ledger }) => ledger !== null)
  const lacksSecret = stored.some(({ profile }) => profile.secret.source === 'none')
  const columns = [...COLUMNS, ...(lacksSecret ? [SECRET_COLUMN] : []), ...(hasShared ? [LEDGER_COLUMN] : [])]
  await context.print.list(documents, isText ? columns : CSV_COLUMNS)
  if (profiles.size > 0 && active === null) {
    context.terminal.note(t`No profile is active; choose one with \`pixgate profile use\``)
  }
  if (profiles.size === 0) {
    context.terminal.note(t`No profiles are stored; add one with \`pixgate profile add\``)
  }
  return 0
}

function nameText({ name }: Document): string {
  return name === LOCAL_PROFILE.name ? t`local (built-in)` : String(name)
}
