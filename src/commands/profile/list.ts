import type { Context } from '../../context.ts'
import { LOCAL_PROFILE } from '../../profiles/account.ts'
import type { Column, Document } from '../../terminal/printer.ts'
import { t } from '../../text/words.ts'
import { defineCommand } from '../command.ts'
import { builtInProfile, type NamedProfile, profileDocument } from './document.ts'
import { storedProfiles } from './place.ts'
import { noWarnings } from './warnings.ts'

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
 * `pixgate profile list`: all stored profiles. The built-in one is shown to people where nothing is stored or it is the
 * active one; JSON and CSV hold what is stored, no more.
 */
export const profileList = defineCommand({
  description: 'Show all stored profiles; * marks the active one, secrets are masked',
  examples: [
    ['pixgate profile list', 'at a glance'],
    ['pixgate profile list -o json', 'whole, for a script'],
  ],
  run: listProfiles,
})

async function listProfiles(context: Context): Promise<number> {
  const store = await storedProfiles(context, noWarnings(context))
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
    context.terminal.note(t`No profile is stored; add one with \`pixgate profile add shop\``)
  }
  return 0
}

function nameText({ name }: Document): string {
  return name === LOCAL_PROFILE.name ? t`local (built-in)` : String(name)
}
