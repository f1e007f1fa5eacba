import { readDuration, readLanguage } from './optionParsers.ts'
import { blankAround } from './profiles/credentialText.ts'
import type { EnvironmentVariables } from './programInfo.ts'
import { OUTPUT_FORMATS, type OutputFormat, type SelectedField } from './terminal/printer.ts'
import type { Language } from './text/languages.ts'
import { shellWord } from './text/shellWord.ts'
import { t } from './text/translate.ts'
import { QUOTED } from './wire/baseAddress.ts'
import { UsageError } from './wire/errors.ts'

/** The global options, resolved in this order: option, environment variable, default. */
export type Settings = ReturnType<typeof readSettings>

/** The options that selected the account on the command line, as the words of another command before its arguments: `-p dev `, or nothing. */
export function accountOptions({ profile, baseUrl }: Pick<Settings, 'profile' | 'baseUrl'>): string {
  const words = [
    ...(profile === undefined ? [] : [`-p ${shellWord(profile)} `]),
    ...(baseUrl === undefined ? [] : [`--base-url ${shellWord(baseUrl)} `]),
  ]
  return words.join('')
}

/** The global options that were given on the command line. */
export interface GlobalOptions {
  profile?: string
  baseUrl?: string
  output?: OutputFormat
  json?: boolean
  fields?: readonly string[]
  yes?: boolean
  confirm?: string
  input?: boolean
  timeout?: number
  quiet?: boolean
  verbose?: boolean
  color?: boolean
  lang?: Language
}

const DEFAULT_TIMEOUT_MS = 30_000

/** Variables that name something, whose value is never quoted. With white space behind it a folder would be another one, whose ledger knows of no payment. */
const NAMING_VARIABLES = [
  ...['PIXGATE_DATA_DIR', 'PIXGATE_CONFIG_DIR', 'PIXGATE_PROFILE', 'PIXGATE_CALLBACK_URL', 'PIXGATE_LANG'],
  ...['PIXGATE_TIMEOUT', 'PIXGATE_OUTPUT'],
]
const TRIMMED_VARIABLES = ['PIXGATE_LANG', 'PIXGATE_TIMEOUT', 'PIXGATE_OUTPUT']

/** Throws UsageError for what a file of variables leaves around a value. */
function assertPlainVariables(env: EnvironmentVariables): void {
  for (const name of NAMING_VARIABLES) {
    const value = env[name] ?? ''
    if (QUOTED.test(value.trim())) {
      throw new UsageError(t`\`${name}\` has quotes around its value`, {
        hint: t`Remove the quotes around it, which \`docker --env-file\` keeps`,
      })
    }
    if (value.trim() !== value && value.trim() !== '' && !TRIMMED_VARIABLES.includes(name)) {
      throw blankAround(name)
    }
  }
}

/** Resolves the global options from the command line and the environment. Throws UsageError for an invalid value. */
export function readSettings(typed: GlobalOptions, env: EnvironmentVariables) {
  assertPlainVariables(env)
  if (env.PIXGATE_LANG) readLanguage(env.PIXGATE_LANG, 'PIXGATE_LANG')
  return {
    profile: typed.profile,
    baseUrl: typed.baseUrl,
    output: formatOf(typed, env),
    fields: typed.fields?.map((each): SelectedField => ({ typed: each, path: each })),
    yes: typed.yes === true,
    confirm: typed.confirm,
    /** False if prompts are not allowed. */
    input: typed.input !== false && (env.CI === undefined || env.CI === '' || env.CI === 'false' || env.CI === '0'),
    timeoutMs: timeoutOf(typed, env),
    quiet: typed.quiet === true,
    verbose: typed.verbose === true,
    colour: typed.color !== false,
    /** As typed. */
    lang: typed.lang,
  }
}

/** Settings for reporting an error in the command line itself: only the output format and `--no-color` are read from it. */
export function settingsBeforeParsing(argv: readonly string[], env: EnvironmentVariables): Settings {
  const words = beforeEnd(argv)
  const typed = words.includes('--json') ? 'json' : typedValue(argv, '--output', '-o')
  const output = (typed ?? env.PIXGATE_OUTPUT) === 'json' ? 'json' : 'text'
  return { ...readSettings({}, {}), output, colour: !words.includes('--no-color'), quiet: false }
}

/** The first value of an option in a command line that is not parsed yet; undefined if it is not there. */
export function typedValue(argv: readonly string[], long: string, short?: string): string | undefined {
  const words = beforeEnd(argv)
  for (const [index, word] of words.entries()) {
    if (word === long || word === short) return words[index + 1]
    if (word.startsWith(`${long}=`)) return word.slice(long.length + 1)
    if (short !== undefined && /^-\w/.test(word) && word.startsWith(short)) return word.slice(2).replace(/^=/, '')
  }
  return undefined
}

function beforeEnd(argv: readonly string[]): readonly string[] {
  const end = argv.indexOf('--')
  return end === -1 ? argv : argv.slice(0, end)
}

function formatOf({ json, output }: GlobalOptions, env: EnvironmentVariables): OutputFormat {
  if (json !== true) return output ?? readOutputFormat(env.PIXGATE_OUTPUT || 'text', 'PIXGATE_OUTPUT')
  if (output === undefined || output === 'json') return 'json'
  throw new UsageError(t`\`--json\` and \`--output ${output}\` conflict`, {
    hint: t`Use only one of them`,
  })
}

function timeoutOf({ timeout }: GlobalOptions, env: EnvironmentVariables): number {
  if (timeout !== undefined) return timeout
  return env.PIXGATE_TIMEOUT ? readDuration(env.PIXGATE_TIMEOUT, 'PIXGATE_TIMEOUT') : DEFAULT_TIMEOUT_MS
}

/** Reads the name of an output format. `name` is the option or variable to name in the error. Throws UsageError. */
export function readOutputFormat(typed: string, name: string): OutputFormat {
  const format = OUTPUT_FORMATS.find((each) => each === typed)
  if (format !== undefined) return format
  throw new UsageError(t`\`${typed}\` is not a valid output format for \`${name}\``, {
    hint: t`Use \`text\`, \`json\` or \`csv\``,
  })
}

/** Reads the names of fields, separated by commas. Throws UsageError. */
export function readFields(typed: string): string[] {
  const paths = typed.split(',').map((path) => path.trim())
  if (paths.every((path) => path !== '')) return paths
  throw new UsageError(t`\`--fields ${typed}\` contains an empty field name`, {
    hint: t`Separate the names with commas: \`--fields idTransaction,status\``,
  })
}
