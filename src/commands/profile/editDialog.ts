import type { Context } from '../../context.ts'
import { readAmount, readTaxDocument, readText } from '../../optionParsers.ts'
import { profileEnvironment } from '../../profiles/addressEnvironment.ts'
import { clientIdText, parseProfileName, type StoredProfile } from '../../profiles/profile.ts'
import type { Choice } from '../../terminal/prompts.ts'
import { displayWidth, truncateCells } from '../../text/cellLayout.ts'
import { LANGUAGES, type Language } from '../../text/languages.ts'
import { safeText } from '../../text/safeText.ts'
import { t } from '../../text/translate.ts'
import { readBaseAddress, readTargetUrl } from '../../wire/address.ts'
import { promptFor, promptForOptional } from '../requiredValue.ts'
import { failureOfTest, readableSecret } from './credentialTest.ts'
import { isKeptHere, type NewSecret, readNewSecret } from './newSecret.ts'
import { applyEdit, changesOrigin, isEmptyEdit, type ProfileEdit, readTypedAddress } from './options.ts'
import { profileSettings } from './profileDocument.ts'
import { addressQuestion, askEnvironment, chooseSecretPlace, clientIdQuestion } from './profileQuestions.ts'
import type { Warnings } from './profileStore.ts'

/** What a person changes in the dialog; nothing is stored yet. */
export interface DialogEdit {
  newName: string
  values: ProfileEdit
  newSecret: NewSecret | undefined
}

/** The profile that the dialog changes. */
export interface EditedProfile {
  name: string
  profile: StoredProfile
  /** Throws UsageError for a name that another profile has. */
  assertNameIsFree(newName: string): void
}

const END = 'end'
const NAME = 'name'
/** Around a line of the list. */
const MARK_COLUMNS = 3

/**
 * Shows the settings of a profile and lets a person change them one by one until they are to be stored. Tests the address and the credentials
 * if they were changed. Throws Cancelled.
 */
export async function askForEdit(context: Context, edited: EditedProfile, warnings: Warnings): Promise<DialogEdit> {
  const { terminal } = context
  const nothing: DialogEdit = { newName: edited.name, values: {}, newSecret: undefined }
  let edit = nothing
  let tested = nothing
  for (;;) {
    const end = endOf(edited, edit, tested)
    const question = t`What should be changed in ${edited.name}?`
    const key = await terminal.choose(
      question,
      [...settingChoices(context, edited, edit), end],
      edit === nothing ? undefined : END,
    )
    if (key !== END) {
      edit = await change(context, key, edited, edit, warnings)
      continue
    }
    if (!hasOtherCredentials(edited, tested, edit)) return edit
    const failure = await failureOfTest(context, edit.newName, profileAfter(edited, edit))
    if (failure === undefined) return edit
    terminal.warn(failure.message)
    tested = edit
  }
}

/** The profile as it will be stored; a new secret is not in the keychain yet. */
function profileAfter({ profile }: EditedProfile, { values, newSecret }: DialogEdit): StoredProfile {
  return { ...applyEdit(profile, values), secret: newSecret === undefined ? profile.secret : readableSecret(newSecret) }
}

function hasOtherCredentials(edited: EditedProfile, tested: DialogEdit, edit: DialogEdit): boolean {
  const [before, after] = [profileAfter(edited, tested), profileAfter(edited, edit)]
  return before.baseUrl !== after.baseUrl || before.clientId !== after.clientId || tested.newSecret !== edit.newSecret
}

/** The last line of the list. */
function endOf(edited: EditedProfile, edit: DialogEdit, tested: DialogEdit): Choice<string> {
  if (isNothing(edited.name, edit)) return { value: END, name: t`Change nothing` }
  const hasFailed = tested.newSecret !== undefined || !isEmptyEdit(tested.values)
  const name =
    hasFailed && !hasOtherCredentials(edited, tested, edit)
      ? t`Store these changes all the same`
      : t`Store these changes`
  return { value: END, name }
}

/** True if the profile with this name stays as it is. */
export function isNothing(name: string, { newName, values, newSecret }: DialogEdit): boolean {
  return newName === name && newSecret === undefined && isEmptyEdit(values)
}

/** One line for each setting, with what it was if it is changed. */
function settingChoices(context: Context, edited: EditedProfile, edit: DialogEdit): Choice<string>[] {
  const settingsOf = (name: string, profile: StoredProfile) => [
    { key: NAME, label: t`name`, value: name },
    // The ledger of an account is chosen with options: that takes records over, and may ask.
    ...profileSettings(context, { name, isActive: false, profile, ledger: null }).filter(({ key }) => key !== 'ledger'),
  ]
  const before = settingsOf(edited.name, edited.profile)
  const after = settingsOf(edit.newName, profileAfter(edited, edit))
  const width = Math.max(...after.map(({ label }) => displayWidth(label)))
  return after.map(({ key, label, value }, place) => {
    const earlier = before[place]?.value ?? ''
    const text =
      key === 'secret' && edit.newSecret !== undefined
        ? t`${value} (new)`
        : value === earlier
          ? value
          : t`${value} (was ${earlier})`
    const line = `${label.padEnd(width)}  ${safeText(text)}`
    return { value: key, name: truncateCells(line, context.terminal.columns - MARK_COLUMNS), short: label }
  })
}

/** Asks for the new value of one setting. Throws Cancelled. */
async function change(
  context: Context,
  key: string,
  edited: EditedProfile,
  edit: DialogEdit,
  warnings: Warnings,
): Promise<DialogEdit> {
  if (key === NAME) return { ...edit, newName: await askName(context, edited) }
  if (key === 'secret') return { ...edit, newSecret: await askSecret(context, warnings) }
  const before = profileAfter(edited, edit)
  const changed = await changedValue(context, key, before, edit.values)
  const values = { ...edit.values, ...changed }
  if (!changesOrigin(before, changed) || !isKeptHere(before.secret)) return { ...edit, values }
  context.terminal.note(t`A stored secret belongs to one address; type the secret of the new one`)
  return { ...edit, values, newSecret: await askSecret(context, warnings) }
}

async function changedValue(
  context: Context,
  key: string,
  profile: StoredProfile,
  values: ProfileEdit,
): Promise<ProfileEdit> {
  const { terminal } = context
  /** Asks for a setting that a profile may lack: false removes it, undefined keeps it. */
  const optional = <Value>(question: string, earlier: unknown, parse: (typed: string) => Value) =>
    earlier === undefined
      ? promptForOptional<Value | false>(terminal, t`${question} (Enter: none)`, parse)
      : promptForOptional<Value | false>(terminal, t`${question} (Enter keeps it, - removes it)`, (typed) =>
          typed === '-' ? false : parse(typed),
        )
  switch (key) {
    case 'environment': {
      const address = readBaseAddress(profile.baseUrl, 'baseUrl')
      return { environment: await askEnvironment(context, address, profileEnvironment(profile)) }
    }
    case 'baseUrl':
      return { baseUrl: await promptFor(terminal, addressQuestion(), readTypedAddress) }
    case 'clientId':
      return { clientId: await promptFor(terminal, clientIdQuestion(), clientIdText) }
    case 'callbackUrl': {
      const callbackUrl = await optional(t`Callback URL`, profile.callbackUrl, readTargetUrl)
      return { callbackUrl: callbackUrl ?? values.callbackUrl }
    }
    case 'maxAmount': {
      const maxAmount = await optional(t`Largest amount of one payment`, profile.maxAmountCents, readAmount)
      return { maxAmount: maxAmount ?? values.maxAmount }
    }
    case 'maxDay': {
      const maxDay = await optional(t`Largest total per day`, profile.maxDayCents, readAmount)
      return { maxDay: maxDay ?? values.maxDay }
    }
    case 'checkCommand': {
      const checkCommand = await optional(t`Command that must allow what is sent`, profile.checkCommand, readText)
      return { checkCommand: checkCommand ?? values.checkCommand }
    }
    case 'readOnly':
      return { readOnly: await askReadOnly(context, profile.readOnly === true) }
    case 'company': {
      const company = await optional(t`Company that the account belongs to`, profile.company, readText)
      return { company: company ?? values.company }
    }
    case 'companyDocument': {
      const document = await optional(t`CPF or CNPJ of the company`, profile.companyDocument, readTaxDocument)
      return { companyDocument: document ?? values.companyDocument }
    }
    case 'lang':
      return { lang: await askLanguage(context, profile.lang ?? false) }
    default:
      throw new Error(`No question for the setting ${key}`)
  }
}

function askReadOnly({ terminal }: Context, isReadOnly: boolean): Promise<boolean> {
  return terminal.choose(
    t`May this profile move money?`,
    [
      { value: false, name: t`yes` },
      { value: true, name: t`no`, description: t`Every command that moves money or signs is refused` },
    ],
    isReadOnly,
  )
}

/** False for the language that other settings choose. */
function askLanguage({ terminal }: Context, lang: Language | false): Promise<Language | false> {
  const languages = LANGUAGES.map((value): Choice<Language | false> => ({ value, name: value }))
  return terminal.choose(
    t`Language of what people read`,
    [{ value: false, name: t`as chosen elsewhere` }, ...languages],
    lang,
  )
}

function askName({ terminal }: Context, { assertNameIsFree }: EditedProfile): Promise<string> {
  return promptFor(terminal, t`New name`, (typed) => {
    const newName = parseProfileName(typed)
    assertNameIsFree(newName)
    return newName
  })
}

async function askSecret(context: Context, warnings: Warnings): Promise<NewSecret> {
  return readNewSecret(context, await chooseSecretPlace(context), warnings)
}
