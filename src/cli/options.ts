import { Argument, Command, Option } from 'commander'
import {
  type ArgumentDefinition,
  type DescribedOptions,
  defineOptions,
  type Example,
  type HelpBlock,
  type OptionDefinition,
} from '../commandDefinition.ts'
import { notAChoice, readDuration, readLanguage } from '../optionParsers.ts'
import { valueOrError } from '../pix/expectedError.ts'
import { readFields, readOutputFormat } from '../settings.ts'
import { BARE_WAIT } from '../steps/optionSets.ts'
import { OUTPUT_FORMATS } from '../terminal/printer.ts'
import { LANGUAGE_CHOICE, LANGUAGES } from '../text/languages.ts'
import { t, translated } from '../text/translate.ts'
import { withoutPassword } from '../wire/baseAddress.ts'
import { UsageError } from '../wire/errors.ts'

/** The heading of the options that every command has. Help pages name the topic that lists them. */
export const GLOBAL_GROUP = 'Global options:'

/** True for a global option, which every command has. */
export function isGlobal(option: Option): boolean {
  return option.helpGroupHeading === GLOBAL_GROUP
}

/** An option with its definition, and its value as it was typed. */
export class DefinedOption extends Option {
  readonly definition: OptionDefinition
  /** Undefined for a flag, null for a `[value]` that was omitted, and for an option that was not typed. */
  typed: string | null | undefined

  constructor(definition: OptionDefinition) {
    super(definition.flags, translated(definition.description))
    this.definition = definition
  }
}

/** An argument with its definition. */
export class DefinedArgument extends Argument {
  readonly definition: ArgumentDefinition

  constructor(definition: ArgumentDefinition) {
    super(definition.name, translated(definition.description))
    this.definition = definition
  }
}

/** A command of commander, with what its help page and its man page say beside the options. */
export class DocumentedCommand extends Command {
  examples: readonly Example[] = []
  /** More about the values. */
  details: readonly HelpBlock[] = []
  /** For a group that runs one of its commands when called without any: the name of that command. */
  bareName: string | undefined
  describedBy: DescribedOptions | undefined
  /** The names of the options that `-h` describes; undefined for all. */
  usualOptions: readonly string[] | undefined
}

/** What the options of a command line share while it is parsed. */
export interface ParsingState {
  /** The time of the command, for values like `today`. */
  nowMs: number
  onOption: OnOption
  /** What is wrong with values, in the order of the words. */
  faults: UsageError[]
}

/** Called for each option before commander stores its value. Throws UsageError. */
type OnOption = (option: DefinedOption, value: string | null | undefined) => void

/** Adds an argument to a command of commander. */
export function addArgument(command: Command, definition: ArgumentDefinition, state: ParsingState): void {
  const argument = new DefinedArgument(definition)
  if (definition.isPicked) argument.required = false
  argument.argParser(valueParser(definition, `<${argument.name()}>`, argument.variadic, state))
  command.addArgument(argument)
}

/** Adds an option to a command of commander, which parses its value and checks conflicts. */
export function addOption(command: Command, definition: OptionDefinition, state: ParsingState): DefinedOption {
  const { default: text, preset, parse, hidden, repeatable = false, conflicts } = definition
  const option = new DefinedOption(definition)
  const name = option.long ?? option.flags
  if (option.required || option.optional) option.argParser(valueParser(definition, name, repeatable, state))
  if (text !== undefined) option.default(parse === undefined ? text : parse(text, name, state.nowMs), text)
  if (preset !== undefined) option.preset(preset)
  if (conflicts !== undefined) option.conflicts(conflicts.options.map((each) => new Option(each).attributeName()))
  option.hideHelp(hidden === true)
  // Registered before addOption, because commander stores the value in a listener of the same event.
  command.on(`option:${option.name()}`, (value: string | null | undefined) => state.onOption(option, value))
  command.addOption(option)
  return option
}

/**
 * How a value is parsed. What is wrong with it is kept until commander has parsed all words, so that `--help` is shown whatever else was typed, and a
 * word too many (`--amount R$ 10`) is reported before the value that it belongs to. A hidden option exists to be rejected, which is reported first.
 */
function valueParser(
  { parse, choices, hidden }: Pick<OptionDefinition, 'parse' | 'choices' | 'hidden'>,
  name: string,
  isList: boolean,
  { faults, nowMs }: ParsingState,
) {
  const read = (typed: string): unknown => {
    if (choices?.includes(typed) === false) throw notAChoice(typed, name, choices)
    return parse === undefined ? typed : parse(typed, name, nowMs)
  }
  return (typed: string, earlier: unknown): unknown => {
    const value = valueOrError(UsageError, () => read(typed))
    if (!(value instanceof UsageError)) return isList ? [...(Array.isArray(earlier) ? earlier : []), value] : value
    faults.splice(hidden ? 0 : faults.length, 0, value)
    return typed
  }
}

/**
 * Creates a listener that rejects what commander accepts silently: an option given twice, of which only the last would count,
 * and an option used as the value of another (`--reason --amount 10`).
 */
export function rejectMisreadOptions(argv: readonly string[]): OnOption {
  const given = new Map<string, DefinedOption>()
  return (option, value) => {
    if (option.required && value && /^-[^\d]/.test(value) && !isAttached(argv, option, value)) {
      throw optionAsValue(option, value)
    }
    const earlier = given.get(option.attributeName())
    if (earlier !== undefined && !option.definition.repeatable) throw givenTwice(option, value, earlier)
    option.typed = value
    given.set(option.attributeName(), option)
  }
}

/** Checks that each option that was typed has the one that it requires, and none its alias. Throws UsageError. */
export function assertRequirements(command: Command, options: readonly DefinedOption[]): void {
  for (const option of options.filter((each) => isTyped(command, each))) {
    const { requires, aliasOf } = option.definition
    const [required, original] = [requires?.option, aliasOf].map((name) => options.find(({ long }) => long === name))
    if (requires !== undefined && (required === undefined || !isTyped(command, required))) {
      const message = requires.message?.() ?? t`\`${option.long ?? ''}\` is given without \`${requires.option}\``
      throw new UsageError(message, { hint: requires.hint() })
    }
    if (original !== undefined && isTyped(command, original)) {
      throw new UsageError(t`\`${asTyped(original)}\` and \`${asTyped(option)}\` conflict`, {
        hint: t`Use only one of them; they are the same option`,
      })
    }
  }
}

/** The parsed values of options by name in camel case; that of an alias has the name of its original. */
export function valuesByName(command: Command, options: readonly DefinedOption[]): Record<string, unknown> {
  const values: Record<string, unknown> = {}
  for (const option of options) {
    const { aliasOf } = option.definition
    const value = command.getOptionValue(option.attributeName())
    const name = aliasOf === undefined ? option.attributeName() : new Option(aliasOf).attributeName()
    values[name] ??= value ?? emptyValue(option, options)
  }
  return values
}

/** The value of an option that was not typed and has no default. */
function emptyValue(option: DefinedOption, options: readonly DefinedOption[]): unknown {
  if (option.definition.repeatable) return []
  const isPair = options.some((each) => each.negate && each.long === option.long?.replace('--', '--no-'))
  return option.isBoolean() && !isPair ? false : undefined
}

/** The error for two options that cannot be combined, from their flags. */
export function conflictFailure(option: DefinedOption, other: DefinedOption): UsageError {
  const { message, hint } = option.definition.conflicts ?? {}
  const name = other.long ?? ''
  return new UsageError(message?.(name) ?? t`\`${asTyped(option)}\` and \`${asTyped(other)}\` conflict`, {
    hint: hint?.(name) ?? t`Use only one of them`,
  })
}

function isTyped(command: Command, option: DefinedOption): boolean {
  return command.getOptionValueSource(option.attributeName()) === 'cli'
}

function asTyped(option: DefinedOption): string {
  const { long = '', typed } = option
  return typed ? `${long} ${shown(option, typed)}` : long
}

/**
 * Adds a value to a bare `--wait`, because commander would take the next word as the duration: `--wait <id>`.
 */
export function attachWaitDefault(argv: readonly string[]): string[] {
  const end = argv.includes('--') ? argv.indexOf('--') : argv.length
  return argv.map((word, index) => {
    if (word !== '--wait' || index > end) return word
    return /^\d+(?:ms|s|m|h|d)$/.test(argv[index + 1] ?? '') ? word : `--wait=${BARE_WAIT}`
  })
}

function isAttached(argv: readonly string[], { long, short }: Option, value: string): boolean {
  return argv.includes(`${long}=${value}`) || (short !== undefined && argv.includes(`${short}${value}`))
}

function optionAsValue(option: Option, value: string): UsageError {
  const name = option.long ?? option.flags
  return new UsageError(t`\`${name}\` needs a value, and \`${shown(option, value)}\` looks like an option`, {
    hint: t`Add the value after \`${name}\`, or, if it begins with \`-\`, write \`${name}=${shown(option, value)}\``,
  })
}

function givenTwice(option: DefinedOption, value: string | null | undefined, earlier: DefinedOption): UsageError {
  const name = option.long ?? option.flags
  if (earlier.negate !== option.negate) {
    return new UsageError(t`\`${earlier.long ?? ''}\` and \`${name}\` conflict`, {
      hint: t`Use only one of them`,
    })
  }
  const hint = t`Use \`${name}\` only once`
  if (!value || !earlier.typed || value === earlier.typed) {
    return new UsageError(t`\`${name}\` is given twice`, { hint })
  }
  const [first, second] = [shown(option, earlier.typed), shown(option, value)]
  return new UsageError(t`\`${name}\` is given twice, as \`${first}\` and as \`${second}\``, { hint })
}

/** Hides a secret that was typed in the wrong place, so that the error message does not repeat it. */
function shown({ long }: Option, value: string): string {
  if (/secret|token/.test(long ?? '')) return '••••'
  return long?.endsWith('-url') ? withoutPassword(value) : value
}

/** The options that every command takes, before or after its name. */
export const GLOBAL_OPTIONS = defineOptions(
  {
    flags: '-p, --profile <name>',
    description: 'credentials profile (env PIXGATE_PROFILE)',
    completes: 'profiles',
  },
  { flags: '--base-url <url>', description: "the gateway's base address (env PIXGATE_BASE_URL)" },
  {
    flags: '-o, --output <format>',
    description: 'text, json or csv (env PIXGATE_OUTPUT)',
    parse: readOutputFormat,
    completes: OUTPUT_FORMATS,
  },
  { flags: '--json', description: 'the same as -o json' },
  { flags: '--fields <a,b.c>', description: 'select and order columns or keys', parse: readFields },
  { flags: '-y, --yes', description: 'answer yes to the question; not enough in production' },
  { flags: '--confirm <profile>', description: 'answer yes in production, by naming the profile' },
  { flags: '--no-input', description: 'never prompt; a missing value is an error (env CI)' },
  {
    flags: '--timeout <duration>',
    description: 'longest time for one call (env PIXGATE_TIMEOUT, default 30s)',
    parse: readDuration,
  },
  { flags: '-q, --quiet', description: 'do not print notes on stderr' },
  { flags: '-v, --verbose', description: 'print request and response lines on stderr, secrets redacted' },
  {
    flags: '--lang <language>',
    description: `${LANGUAGE_CHOICE}: language of what people read (env PIXGATE_LANG)`,
    parse: readLanguage,
    completes: LANGUAGES,
  },
  { flags: '--no-color', description: 'disable colours (env NO_COLOR, FORCE_COLOR)' },
)
