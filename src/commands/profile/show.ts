import type { Context } from '../../context.ts'
import { chooseAccount, LOCAL_PROFILE } from '../../profiles/account.ts'
import { noActiveProfile } from '../../profiles/credentialErrors.ts'
import type { ProfileStore } from '../../profiles/profile.ts'
import type { Column, Document } from '../../terminal/printer.ts'
import { t } from '../../text/translate.ts'
import { Failure } from '../../wire/errors.ts'
import { defineCommand } from '../command.ts'
import {
  builtInProfile,
  type NamedProfile,
  profileDocument,
  profileSettings,
  settingsTable,
} from './profileDocument.ts'
import { collectWarnings, loadProfiles, requireProfile } from './profileStore.ts'

/** Variables that take precedence over a profile. */
const OVERRIDING = ['PIXGATE_BASE_URL', 'PIXGATE_CLIENT_ID', 'PIXGATE_CLIENT_SECRET', 'PIXGATE_CALLBACK_URL'] as const

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
  const sources = Object.fromEntries(profileSettings(context, named).map(({ key, source }) => [key, source]))
  context.print.one({ ...profileDocument(context, named), sources }, () => [
    t`${named.name}${named.isActive ? ', active' : ''}`,
    settingsTable(context, named),
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

/** Tells the user if an option or variable makes commands use another address than the profile that is shown. */
function noteOtherAccount(
  { settings, runtime, terminal }: Context,
  store: ProfileStore,
  { profile }: NamedProfile,
): void {
  try {
    const { url, environment, sources } = chooseAccount({ ...settings, env: runtime.env }, store)
    if (url === profile.baseUrl) return
    terminal.note(t`Commands currently use another address: ${url}, ${environment} (${sources.address})`)
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
  return { name: used, isActive: used === active, profile: requireProfile(store, used) }
}

const COLUMNS: readonly Column[] = [
  { path: 'active', text: (document) => (document.active === true ? '*' : '') },
  { path: 'name', text: nameText },
  { path: 'environment' },
  { path: 'baseUrl' },
]
const CSV_COLUMNS: readonly Column[] = [
  ...COLUMNS,
  ...[
    'clientId',
    'callbackUrl',
    'secret.source',
    'secret.masked',
    'maxAmount',
    'maxDay',
    'readOnly',
    'company',
    'companyDocument',
  ].map((path) => ({ path })),
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
  const stored: NamedProfile[] = [...profiles].map(([name, profile]) => ({ name, isActive: name === active, profile }))
  const isText = context.print.format === 'text'
  if (isText && (stored.length === 0 || active === LOCAL_PROFILE.name)) stored.unshift(builtInProfile(true, store))
  const documents = stored.map((named) => profileDocument(context, named))
  await context.print.list(documents, isText ? COLUMNS : CSV_COLUMNS)
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
