import type { Context } from '../../context.ts'
import { parseProfileName, profileEnvironment, type StoredProfile } from '../../profiles/profile.ts'
import { isNoEdit, type ProfileSetting } from '../../profiles/settings.ts'
import type { Choice } from '../../terminal/prompts.ts'
import { displayWidth, truncateCells } from '../../text/cellLayout.ts'
import { safeText } from '../../text/safeText.ts'
import { t } from '../../text/translate.ts'
import { profileSettings } from '../../views/profileView.ts'
import { readBaseAddress } from '../../wire/baseAddress.ts'
import { AuthError } from '../../wire/errors.ts'
import { promptFor } from '../requiredValue.ts'
import {
  askEnvironment,
  chooseSecretPlace,
  failureOfTest,
  isKeptHere,
  type NewSecret,
  readableSecret,
  readNewSecret,
} from './newSecret.ts'
import { applyEdit, askSetting, changesOrigin, type ProfileEdit } from './profileOptions.ts'
import type { Warnings } from './profileStore.ts'

/** What a person changes in the dialog; nothing is stored yet. */
export interface DialogEdit {
  newName: string
  values: ProfileEdit
  newSecret: NewSecret | undefined
}

interface EditedProfile {
  name: string
  /** A new secret is not in the keychain yet. */
  profile: StoredProfile
  /** True for one that is not stored yet: it is tested first, and the list is only shown if that fails. */
  isNew: boolean
  /** Throws UsageError for a name that another profile has. */
  assertNameIsFree(newName: string): void
}

const END = 'end'
const NAME = 'name'

type Line = typeof END | EditedLine
type EditedLine = typeof NAME | 'secret' | ProfileSetting

/** What the gateway judges. */
const TESTED: readonly Line[] = ['baseUrl', 'clientId', 'secret']

/** Around a line of the list. */
const MARK_COLUMNS = 3

/**
 * Shows the settings of a profile and lets a person change them one by one until they are to be stored. Tests the address and the credentials
 * if they were changed; what fails is marked. Throws Cancelled.
 */
export async function askForEdit(context: Context, edited: EditedProfile, warnings: Warnings): Promise<DialogEdit> {
  const { terminal } = context
  let edit: DialogEdit = { newName: edited.name, values: {}, newSecret: undefined }
  let isUntested = edited.isNew
  let marked: Line | undefined
  const choose = () => {
    const end = { value: END, name: endText(edited, edit) } as const
    const lines = [...settingChoices(context, edited, edit), end]
    return terminal.choose<Line>(t`What should be changed in ${edited.name}?`, lines, marked)
  }
  for (let key: Line = edited.isNew ? END : await choose(); ; key = await choose()) {
    if (key !== END) {
      edit = await change(context, key, edited, edit, warnings)
      isUntested ||= TESTED.includes(key)
      marked = END
      continue
    }
    const failure = isUntested ? await failureOfTest(context, edit.newName, profileAfter(edited, edit)) : undefined
    if (failure === undefined) return edit
    terminal.warn(failure.message)
    isUntested = false
    marked = failure instanceof AuthError ? 'clientId' : 'baseUrl'
  }
}

function profileAfter({ profile }: EditedProfile, { values, newSecret }: DialogEdit): StoredProfile {
  return { ...applyEdit(profile, values), secret: newSecret === undefined ? profile.secret : readableSecret(newSecret) }
}

function endText({ name, isNew }: EditedProfile, edit: DialogEdit): string {
  if (isNew) return t`Store the profile`
  return isNothing(name, edit) ? t`Change nothing` : t`Store these changes`
}

/** True if a person changed nothing in the dialog. */
export function isNothing(name: string, { newName, values, newSecret }: DialogEdit): boolean {
  return newName === name && newSecret === undefined && isNoEdit(values)
}

/** The lines of the list. A ledger is chosen with options only, because that takes records over and may ask. */
function settingChoices({ terminal }: Context, edited: EditedProfile, edit: DialogEdit): Choice<EditedLine>[] {
  const settings = profileSettings({ name: edited.name, profile: profileAfter(edited, edit) })
  const lines = [{ name: NAME, label: t`name`, value: edit.newName } as const, ...settings]
  const width = Math.max(...lines.map(({ label }) => displayWidth(label)))
  return lines.map(({ name, label, value }) => {
    const line = `${label.padEnd(width)}  ${safeText(value)}`
    return { value: name, name: truncateCells(line, terminal.columns - MARK_COLUMNS), short: label }
  })
}

/** Asks for the new value of one setting. Throws Cancelled. */
async function change(
  context: Context,
  key: EditedLine,
  edited: EditedProfile,
  edit: DialogEdit,
  warnings: Warnings,
): Promise<DialogEdit> {
  const askSecret = async () => readNewSecret(context, await chooseSecretPlace(context), warnings)
  if (key === NAME) return { ...edit, newName: await askName(context, edited) }
  if (key === 'secret') return { ...edit, newSecret: await askSecret() }
  const before = profileAfter(edited, edit)
  const address = readBaseAddress(before.baseUrl, 'baseUrl')
  const changed =
    key === 'environment'
      ? { environment: await askEnvironment(context, address, profileEnvironment(before)) }
      : await askSetting(context, key, before[key])
  const values = { ...edit.values, ...changed }
  if (edited.isNew || !changesOrigin(before, changed) || !isKeptHere(before.secret)) return { ...edit, values }
  context.terminal.note(t`A stored secret belongs to one address; type the secret of the new one`)
  return { ...edit, values, newSecret: await askSecret() }
}

function askName({ terminal }: Context, { assertNameIsFree }: EditedProfile): Promise<string> {
  return promptFor(terminal, t`New name`, (typed) => {
    const newName = parseProfileName(typed)
    assertNameIsFree(newName)
    return newName
  })
}
