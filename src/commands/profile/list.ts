import type { Context } from '../../context.ts'
import { LOCAL_PROFILE } from '../../profiles/account.ts'
import type { Column, Document } from '../../terminal/printer.ts'
import { t } from '../../text/words.ts'
import { defineCommand } from '../command.ts'
import { builtInProfile, type NamedProfile, profileDocument } from './document.ts'
import { collectWarnings, loadProfiles } from './profileStore.ts'

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
  description: 'List all stored profiles; * marks the active one, secrets are masked',
  examples: [
    ['pixgate profile list', 'list all profiles'],
    ['pixgate profile list -o json', 'all fields, for a script'],
  ],
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
