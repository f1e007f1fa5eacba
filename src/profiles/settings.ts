import {
  camelCase,
  readAmount,
  readAmountOrZero,
  readBaseUrl,
  readDuration,
  readLanguage,
  readTaxDocument,
  readText,
} from '../optionParsers.ts'
import { AMOUNT_CENTS_MAX, formatReais, reaisFromCents } from '../pix/amount.ts'
import { DURATION_MS_MAX, plainDuration } from '../pix/duration.ts'
import { isTaxDocument } from '../pix/taxDocument.ts'
import {
  ADDRESS,
  BOOLEAN,
  describe,
  enumOf,
  type JsonSchema,
  list,
  objectOf,
  orNull,
  REAIS,
  TEXT,
} from '../schemas/jsonSchema.ts'
import { LANGUAGE_CHOICE, LANGUAGES, type Language } from '../text/languages.ts'
import { hasControlCharacter } from '../text/safeText.ts'
import { commandArgument } from '../text/shellWord.ts'
import { declared, t, translated } from '../text/translate.ts'
import { keysOf } from '../wire/answers.ts'
import { isBaseUrl, isHttpUrl, readTargetUrl } from '../wire/baseAddress.ts'
import {
  type Approver,
  approversOf,
  approversText,
  changedApproversText,
  isApproversValue,
  isSameList,
} from './approvers.ts'
import { clientIdText, isCredentialText } from './credentialText.ts'

export const ENVIRONMENTS = ['sandbox', 'production'] as const
export type EnvironmentKind = (typeof ENVIRONMENTS)[number]

/** The value of a setting in records and JSON: text, a number, or yes and no; null if it is not set. */
export type SettingValue = string | number | boolean | null

/** The same in JSON, where a list of approvers names its people. */
type SettingJson = SettingValue | Approver[]

interface Kind<Value, Json> {
  /** True for what the file of the profiles, or the record of a rule, may hold. */
  isValid(value: unknown): value is Value
  schema: JsonSchema<Json>
  json(value: Value): Json
  /** What JSON, records and accounts have if it is not set. */
  unset: false | null
  /** What people read. */
  text(value: Value): string
  /** The same if it is not set. */
  none: string
}

type Setting<Value> = Kind<Value, SettingJson> & {
  /** Its name in JSON is that of the option. */
  option: {
    flags: `--${string}`
    description: string
    parse?: (typed: string, name?: string) => Value
    choices?: readonly Value[]
    completes?: readonly string[] | 'files'
  }
  label: string
  /** True if `profile add` asks for it as well. */
  isOffered?: true
  /** The answers, if it is not typed; null removes it. */
  answers?: readonly { value: Value | null; name: string; description?: string }[]
  /**
   * Whether another value lets more be sent, which somebody must confirm, like the end of the setting; null if it limits nothing. The ledger records changes
   * of limits, and of the settings that every profile has.
   */
  isWeaker: ((from: Value, to: Value) => boolean) | null
  /** True for a command, of which only the program is recorded, because its arguments may contain a secret. */
  isCommand?: true
} & (OfEveryProfile | OfProfile | OfAccount)

/** The question of `profile edit` is null if it depends on other settings. */
interface OfEveryProfile {
  of: 'profile'
  isRequired: true
  question: string | null
  removal?: never
}

interface OfProfile {
  of: 'profile'
  isRequired?: never
  question: string
  removal: Removal
}

/** A rule is kept in the ledger of its account, and binds every profile of it and every variable that names it. */
interface OfAccount {
  of: 'account'
  isRequired?: never
  question?: never
  removal: Removal | null
}

interface Removal {
  flags: `--no-${string}`
  description: string
}

/** Who may approve, in JSON. */
export const APPROVER_LIST = list(objectOf({ principal: TEXT, fingerprint: TEXT }))

const AMOUNT: Kind<number, number | null> = {
  isValid: (value): value is number =>
    Number.isInteger(value) && Number(value) >= 0 && Number(value) <= AMOUNT_CENTS_MAX,
  schema: orNull(REAIS),
  json: reaisFromCents,
  unset: null,
  text: formatReais,
  none: declared`no limit`,
}

const SWITCH: Kind<boolean, boolean> = {
  isValid: (value) => typeof value === 'boolean',
  schema: BOOLEAN,
  json: (value) => value,
  unset: false,
  text: (value) => (value ? t`yes` : t`no`),
  none: declared`no`,
}

const FORCE: Kind<true, boolean> = { ...SWITCH, isValid: (value) => value === true }

function textKind<Value extends string>(
  isValid: (text: string) => boolean,
  schema: JsonSchema<string | null> = orNull(TEXT),
): Kind<Value, string | null> {
  return {
    isValid: (value): value is Value => typeof value === 'string' && isValid(value),
    schema,
    json: (value) => value,
    unset: null,
    text: (value) => value,
    none: declared`none`,
  }
}

/**
 * All settings of a profile and rules of an account, in the order in which they are shown, by their names in the file of the profiles, in records and in
 * the code. Their types, options, questions, validity, JSON, records, confirmations and texts follow from it; `secret` and the ledger are chosen by
 * options of their own.
 */
const TABLE = {
  environment: {
    ...textKind<EnvironmentKind>((text) => ENVIRONMENTS.some((kind) => kind === text), enumOf(...ENVIRONMENTS)),
    of: 'profile',
    isRequired: true,
    option: {
      flags: '--environment <kind>',
      description: 'sandbox or production (default: by the address)',
      choices: ENVIRONMENTS,
    },
    label: declared`environment`,
    question: null,
    text: translated,
    isWeaker: (from: EnvironmentKind, to: EnvironmentKind) => from === 'production' && to === 'sandbox',
  },
  baseUrl: {
    ...textKind(isBaseUrl, ADDRESS),
    of: 'profile',
    isRequired: true,
    option: { flags: '--base-url <url>', description: "the gateway's base address", parse: readBaseUrl },
    label: declared`base URL`,
    question: declared`Base URL of the gateway`,
    isWeaker: null,
  },
  clientId: {
    ...textKind(isCredentialText, TEXT),
    of: 'profile',
    isRequired: true,
    option: { flags: '--client-id <id>', description: 'client id of the account (the ci header)', parse: clientIdText },
    label: declared`client id`,
    question: declared`Client id`,
    isWeaker: null,
  },
  callbackUrl: {
    ...textKind(isHttpUrl, orNull(ADDRESS)),
    of: 'profile',
    option: { flags: '--callback-url <url>', description: 'default URL for webhook events', parse: readTargetUrl },
    removal: { flags: '--no-callback-url', description: 'remove the callback URL' },
    label: declared`callback URL`,
    question: declared`Callback URL`,
    isOffered: true,
    isWeaker: null,
  },
  /** Amounts are integer cents. */
  maxAmountCents: {
    ...AMOUNT,
    of: 'profile',
    option: { flags: '--max-amount <amount>', description: 'largest amount of one payment', parse: readAmount },
    removal: { flags: '--no-max-amount', description: 'remove the limit per payment' },
    label: declared`limit per payment`,
    question: declared`Largest amount of one payment`,
    isOffered: true,
    isWeaker: isHigher,
  },
  /** In São Paulo time. */
  maxDayCents: {
    ...AMOUNT,
    of: 'profile',
    option: { flags: '--max-day <amount>', description: 'largest total per day (São Paulo time)', parse: readAmount },
    removal: { flags: '--no-max-day', description: 'remove the limit per day' },
    label: declared`limit per day`,
    question: declared`Largest total per day`,
    isOffered: true,
    isWeaker: isHigher,
  },
  /** Every command that moves money or signs is refused. */
  readOnly: {
    ...SWITCH,
    of: 'profile',
    option: { flags: '--read-only', description: 'refuse every command that moves money or signs' },
    removal: { flags: '--no-read-only', description: 'allow commands that move money or sign' },
    label: declared`read-only`,
    question: declared`May this profile move money?`,
    answers: [
      { value: false, name: declared`yes` },
      { value: true, name: declared`no`, description: declared`Every command that moves money or signs is refused` },
    ],
    isWeaker: (from: boolean, to: boolean) => from && !to,
  },
  company: {
    ...textKind((name) => isNotBlank(name) && !hasControlCharacter(name)),
    of: 'profile',
    option: {
      flags: '--company <name>',
      description: 'company that the account belongs to',
      parse: (typed: string, name?: string) => readText(typed, name).trim(),
    },
    removal: { flags: '--no-company', description: 'remove the company' },
    label: declared`company`,
    question: declared`Company that the account belongs to`,
    isOffered: true,
    isWeaker: null,
  },
  /** A CPF or CNPJ without punctuation. */
  companyDocument: {
    ...textKind(isTaxDocument),
    of: 'profile',
    option: {
      flags: '--company-document <document>',
      description: 'CPF or CNPJ of the company',
      parse: readTaxDocument,
    },
    removal: { flags: '--no-company-document', description: 'remove the CPF or CNPJ of the company' },
    label: declared`company document`,
    question: declared`CPF or CNPJ of the company`,
    isOffered: true,
    isWeaker: null,
  },
  /** Of what people read while the profile is used. */
  lang: {
    ...textKind<Language>(
      (text) => LANGUAGES.some((language) => language === text),
      describe('The language of what people read; null if the profile does not say', orNull(enumOf(...LANGUAGES))),
    ),
    of: 'profile',
    option: {
      flags: '--lang <language>',
      description: `language of what people read: ${LANGUAGE_CHOICE}`,
      parse: readLanguage,
      completes: LANGUAGES,
    },
    removal: { flags: '--no-lang', description: 'use the language of other commands' },
    label: declared`language`,
    none: declared`as chosen elsewhere`,
    question: declared`Language of what people read`,
    answers: [
      { value: null, name: declared`as chosen elsewhere` },
      ...LANGUAGES.map((value) => ({ value, name: value })),
    ],
    isWeaker: null,
  },
  /** Run by the shell. */
  checkCommand: {
    ...textKind(isNotBlank),
    of: 'profile',
    option: {
      flags: '--check-command <cmd>',
      description: 'shell command that must allow what is sent',
      parse: readText,
    },
    removal: { flags: '--no-check-command', description: 'send without asking a command' },
    label: declared`check command`,
    question: declared`Command that must allow what is sent`,
    isCommand: true,
    isWeaker: isOther,
  },
  /** Transfers to keys that are not those of a payee are refused. */
  payeesOnly: {
    ...FORCE,
    of: 'account',
    option: { flags: '--payees-only', description: 'account: refuse transfers to keys of no payee' },
    removal: { flags: '--no-payees-only', description: 'account: allow any key' },
    label: declared`payees only`,
    isWeaker: () => false,
  },
  /** For how many ms nothing is sent to a payee that is new, or whose key was changed. */
  payeeWaitMs: {
    isValid: (value: unknown): value is number => typeof value === 'number' && value > 0 && value <= DURATION_MS_MAX,
    schema: orNull(TEXT),
    json: plainDuration,
    unset: null,
    text: plainDuration,
    none: declared`none`,
    of: 'account',
    option: {
      flags: '--payee-wait <duration>',
      description: 'account: how long new or changed payees wait',
      parse: readDuration,
    },
    removal: { flags: '--no-payee-wait', description: 'account: pay new and changed payees at once' },
    label: declared`wait for new payees`,
    isWeaker: (from: number, to: number) => isHigher(to, from),
  },
  /** Transfers under an id that pixgate made up are refused. */
  requireExternalId: {
    ...FORCE,
    of: 'account',
    option: { flags: '--require-external-id', description: 'account: refuse transfers whose id would be made up' },
    removal: { flags: '--no-require-external-id', description: 'account: allow ids that pixgate makes up' },
    label: declared`external id required`,
    isWeaker: () => false,
  },
  /** From this sum on, in cents, payments need a plan that a second person approved; 0 for all. */
  approvalFromCents: {
    ...AMOUNT,
    none: declared`none`,
    of: 'account',
    option: {
      flags: '--approval-from <amount>',
      description: 'account: from this sum on a second person approves',
      parse: readAmountOrZero,
    },
    removal: { flags: '--no-approval-from', description: 'account: no approval by a second person' },
    label: declared`approval from`,
    isWeaker: isHigher,
  },
  /** Who may make and approve plans: a file with its text, see `approversValue`. */
  approvers: {
    ...textKind(isApproversValue),
    schema: orNull(APPROVER_LIST),
    json: approversOf,
    text: approversText,
    none: declared`none`,
    of: 'account',
    option: {
      flags: '--approvers <file>',
      description: 'account: who may approve (OpenSSH allowed_signers)',
      parse: readText,
      completes: 'files',
    },
    removal: null,
    label: declared`approvers`,
    isWeaker: (from: string, to: string) => !isSameList(from, to),
  },
} as const

type Table = typeof TABLE
export type SettingName = keyof Table

/** The value that each of them has if it is set. */
export type SettingValues = {
  [Name in SettingName]: Table[Name]['isValid'] extends (value: unknown) => value is infer Value ? Value : never
}

type NamesWith<Trait> = { [Name in SettingName]: Table[Name] extends Trait ? Name : never }[SettingName]
export type ProfileSetting = NamesWith<{ of: 'profile' }>
export type AccountRule = NamesWith<{ of: 'account' }>
export type RequiredSetting = NamesWith<{ isRequired: true }>
type OptionalSetting = Exclude<ProfileSetting, RequiredSetting>
/** What a profile allows, beside the rules of its account. */
export type LimitSetting = OptionalSetting & NamesWith<{ isWeaker: (...values: never[]) => boolean }>

/** What somebody wants to set, or to end with null; what is absent stays. */
export type SettingEdit<Name extends SettingName = SettingName> = { [Each in Name]?: SettingValues[Each] | null }

export const SETTINGS: { readonly [Name in SettingName]: Setting<SettingValues[Name]> } = TABLE

const NAMES = keysOf(TABLE)
export const PROFILE_SETTINGS = NAMES.filter((name): name is ProfileSetting => SETTINGS[name].of === 'profile')
export const ACCOUNT_RULES = NAMES.filter((name): name is AccountRule => SETTINGS[name].of === 'account')
export const REQUIRED_SETTINGS = NAMES.filter((name): name is RequiredSetting => SETTINGS[name].isRequired === true)
export const OPTIONAL_SETTINGS = PROFILE_SETTINGS.filter(
  (name): name is OptionalSetting => SETTINGS[name].isRequired !== true,
)
export const LIMIT_SETTINGS = OPTIONAL_SETTINGS.filter((name): name is LimitSetting => SETTINGS[name].isWeaker !== null)

/** The options that set them. */
export const SETTING_OPTIONS = Object.values(TABLE).map(({ option }) => option)
/** The options that end them. */
export const REMOVAL_OPTIONS = Object.values(TABLE).flatMap((setting) =>
  'removal' in setting && setting.removal !== null ? [setting.removal] : [],
)

/** An object with a value for each of these settings. */
export function settingsBy<Values extends object>(
  names: readonly (keyof Values)[],
  make: <Name extends keyof Values>(name: Name) => Values[Name],
): Values {
  const values: Partial<Values> = {}
  for (const name of names) values[name] = make(name)
  if (hasAll(values, names)) return values
  throw new Error('a setting is missing')
}

function hasAll<Values extends object>(values: Partial<Values>, names: readonly (keyof Values)[]): values is Values {
  return names.every((name) => name in values)
}

/** What a command line sets and ends of these settings, by the names of their options; a flag that `profile edit` turns off is false. */
export function typedSettings<Name extends SettingName>(
  options: Readonly<Record<string, unknown>>,
  names: readonly Name[],
): SettingEdit<Name> {
  const edit: SettingEdit<Name> = {}
  for (const name of names) {
    const typed = options[settingKey(name)]
    if (SETTINGS[name].isValid(typed)) edit[name] = typed
    else if (typed === false) edit[name] = null
    else if (typed !== undefined) throw new Error(`${name} was read as what it cannot be`)
  }
  return edit
}

/** True if nothing is set or ended. */
export function isNoEdit(edit: SettingEdit): boolean {
  return Object.values(edit).every((value) => value === undefined)
}

/** The name of a setting in JSON and of the value of its option. */
export function settingKey(name: SettingName): string {
  const [flag = ''] = SETTINGS[name].option.flags.slice('--'.length).split(' ')
  return camelCase(flag)
}

/** What people call a setting. */
export function settingLabel(name: SettingName): string {
  return translated(SETTINGS[name].label)
}

/** The question for a setting. */
export function settingQuestion(name: SettingName): string {
  return translated(SETTINGS[name].question ?? '')
}

/** What people read of a value, which a record may hold although it is not valid now; null or undefined is one that is not set. */
export function settingText<Name extends SettingName>(name: Name, value: SettingValue | undefined): string {
  const { isValid, text, none } = SETTINGS[name]
  return isValid(value) ? text(value) : value == null ? translated(none) : String(value)
}

/** What people read of a change: of a list of approvers, who is removed and who is added. */
export function settingChangeText<Name extends SettingName>(name: Name, from: SettingValue, to: SettingValue): string {
  const isList = (value: SettingValue): value is string | null => value === null || SETTINGS.approvers.isValid(value)
  if (name === 'approvers' && isList(from) && isList(to)) return changedApproversText(from, to)
  return t`${settingText(name, from)} → ${settingText(name, to)}`
}

/** What a person types to give a setting of a profile a value; null ends it. */
export function settingCommand(profile: string, name: SettingName, value: SettingValue): string {
  const { option, removal, isValid, unset } = SETTINGS[name]
  const [flag = '', operand] = option.flags.split(' ')
  const typed = name === 'approvers' ? 'approvers.txt' : String(settingJson(name, value))
  const isEnded = !isValid(value) || value === unset
  const words = isEnded ? (removal?.flags ?? '') : operand === undefined ? flag : `${flag} ${commandArgument(typed)}`
  return `pixgate profile edit ${commandArgument(profile)} ${words}`
}

/** A value as JSON. */
export function settingJson<Name extends SettingName>(name: Name, value: SettingValue | undefined): SettingJson {
  const { isValid, json, unset } = SETTINGS[name]
  return isValid(value) ? json(value) : (value ?? unset)
}

/** What JSON shows of these settings, by their names there: the schema of each, and how it is read from what has its value. */
export function settingMembers<Source, Name extends SettingName>(
  names: readonly Name[],
  valuesOf: (source: Source) => { readonly [Each in Name]?: SettingValue },
): Record<string, readonly [JsonSchema<SettingJson>, (source: Source) => SettingJson]> {
  const memberOf = (name: Name) =>
    [SETTINGS[name].schema, (source: Source) => settingJson(name, valuesOf(source)[name])] as const
  return Object.fromEntries(names.map((name) => [settingKey(name), memberOf(name)]))
}

/** True if a change lets more be sent than before, or ends what was set. */
export function isWeakerSetting<Name extends SettingName>(name: Name, from: unknown, to: unknown): boolean {
  const { isValid, isWeaker, unset } = SETTINGS[name]
  return isWeaker !== null && isValid(from) && from !== unset && (!isValid(to) || isWeaker(from, to))
}

function isHigher(from: number, to: number): boolean {
  return to > from
}

function isOther(from: string, to: string): boolean {
  return to !== from
}

function isNotBlank(text: string): boolean {
  return text.trim() !== ''
}
