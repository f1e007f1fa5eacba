import { parseDuration } from './pix/duration.ts'
import { Malformed } from './pix/malformed.ts'
import type { EnvironmentVariables } from './programInfo.ts'
import { OUTPUT_FORMATS, type OutputFormat } from './terminal/printer.ts'
import { t } from './text/translate.ts'
import { UsageError } from './wire/errors.ts'

/** The global options, resolved in this order: option, environment variable, default. */
export interface Settings {
  profile: string | undefined
  baseUrl: string | undefined
  output: OutputFormat
  fields: readonly string[] | undefined
  yes: boolean
  confirm: string | undefined
  /** False if prompts are not allowed. */
  input: boolean
  timeoutMs: number
  quiet: boolean
  verbose: boolean
  colour: boolean
}

/** The global options that were given on the command line, as commander parses them. */
export interface GlobalOptions {
  profile?: string
  baseUrl?: string
  output?: string
  json?: boolean
  fields?: string
  yes?: boolean
  confirm?: string
  input?: boolean
  timeout?: string
  quiet?: boolean
  verbose?: boolean
  color?: boolean
}

const DEFAULT_TIMEOUT_MS = 30_000

/** Resolves the global options from the command line and the environment. Throws UsageError for an invalid value. */
export function readSettings(typed: GlobalOptions, env: EnvironmentVariables): Settings {
  return {
    profile: typed.profile,
    baseUrl: typed.baseUrl,
    output: readFormat(typed, env),
    fields: readFields(typed.fields),
    yes: typed.yes === true,
    confirm: typed.confirm,
    input: typed.input !== false && (env.CI === undefined || env.CI === '' || env.CI === 'false' || env.CI === '0'),
    timeoutMs: readTimeoutMs(typed, env),
    quiet: typed.quiet === true,
    verbose: typed.verbose === true,
    colour: typed.color !== false,
  }
}

/** Settings for reporting an error in the command line itself: only the output format and `--no-color` are read from it. */
export function settingsBeforeParsing(argv: readonly string[], env: EnvironmentVariables): Settings {
  const end = argv.indexOf('--')
  const typedArguments = end === -1 ? argv : argv.slice(0, end)
  const typed = typedArguments.flatMap((word, index) => {
    if (word === '--json') return ['json']
    if (word === '-o' || word === '--output') return [typedArguments[index + 1]]
    return /^(?:-o=?|--output=)(.+)$/.exec(word)?.slice(1) ?? []
  })
  const output = (typed.length > 0 ? typed : [env.PIXGATE_OUTPUT]).includes('json') ? 'json' : 'text'
  return { ...readSettings({}, {}), output, colour: !typedArguments.includes('--no-color'), quiet: false }
}

function readFormat(typed: GlobalOptions, env: EnvironmentVariables): OutputFormat {
  if (typed.json === true) {
    if (typed.output === undefined || typed.output === 'json') return 'json'
    throw new UsageError(t`\`--json\` and \`--output ${typed.output}\` conflict`, {
      hint: t`Use only one of them`,
    })
  }
  const [text, source] =
    typed.output !== undefined ? [typed.output, '--output'] : [env.PIXGATE_OUTPUT || 'text', 'PIXGATE_OUTPUT']
  const format = OUTPUT_FORMATS.find((each) => each === text)
  if (format !== undefined) return format
  throw new UsageError(t`\`${text}\` is not a valid output format for \`${source}\``, {
    hint: t`Use \`text\`, \`json\` or \`csv\``,
  })
}

function readFields(text: string | undefined): string[] | undefined {
  if (text === undefined) return undefined
  const paths = text.split(',').map((path) => path.trim())
  if (paths.every((path) => path !== '')) return paths
  throw new UsageError(t`\`--fields ${text}\` contains an empty field name`, {
    hint: t`Separate the names with commas: \`--fields idTransaction,status\``,
  })
}

function readTimeoutMs(typed: GlobalOptions, env: EnvironmentVariables): number {
  if (typed.timeout !== undefined) return durationOption(typed.timeout, '--timeout')
  if (env.PIXGATE_TIMEOUT) return durationOption(env.PIXGATE_TIMEOUT, 'PIXGATE_TIMEOUT')
  return DEFAULT_TIMEOUT_MS
}

/** Parses a duration in ms; `name` is the option or variable to name in the error. Throws UsageError. */
export function durationOption(text: string, name: string): number {
  return parseOption(name, () => parseDuration(text))
}

/** Parses an option's value, turning Malformed into a UsageError that names the option. */
export function parseOption<Value>(option: string, read: () => Value): Value {
  try {
    return read()
  } catch (error) {
    if (!(error instanceof Malformed)) throw error
    throw new UsageError(t`\`${option}\`: ${error.message}`, { hint: error.hint })
  }
}
