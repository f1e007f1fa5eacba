import type { Context, Runtime } from './context.ts'

/** What this machine knows the names of; `stored profiles` are those without the built-in one. */
export type NamedKind = 'profiles' | 'stored profiles' | 'payees' | 'runs' | 'ids'

/** What completion offers for a value: these words, files, a command line, or known names. */
export type Completes = readonly string[] | 'files' | 'command' | NamedKind

/**
 * Turns the text of a value into what the command gets. `name` is the option or argument to name in an error, such as `--amount` or
 * `<id>`; `nowMs` is the time of the command, for values like `today`. Throws UsageError.
 */
type ParseValue<Value> = (typed: string, name: string, nowMs: number) => Value

interface ValueDefinition {
  readonly parse?: ParseValue<unknown>
  /** The only words that are allowed; completion offers them too. */
  readonly choices?: readonly string[]
  /** The default is the choices, then files for a `<file>` placeholder, and nothing for any other. */
  readonly completes?: Completes
}

export interface OptionDefinition extends ValueDefinition {
  /** As in help: `--name`, `--no-name`, `--name <value>`, or `--name [value]` for a value that may be omitted. */
  readonly flags: string
  readonly description: string
  /** As the user would type it. */
  readonly default?: string
  /** The value of a `[value]` that is omitted, as the user would type it. */
  readonly preset?: string
  /** May be given several times; the values are collected in a list. */
  readonly repeatable?: true
  /** Not shown in help or completion. */
  readonly hidden?: true
  /** The option, such as `--amount`, whose value this one sets under another name. */
  readonly aliasOf?: string
  readonly conflicts?: Conflict
  readonly requires?: Requirement
}

/** Options such as `--results` that an option cannot be combined with, and what the error says about the first that is typed. */
interface Conflict {
  readonly options: readonly string[]
  readonly message?: (other: string) => string
  readonly hint?: (other: string) => string
}

interface Requirement {
  readonly option: string
  readonly message?: () => string
  readonly hint: () => string
}

export interface ArgumentDefinition extends ValueDefinition {
  /** As in help: `<name>`, `[name]` for one that may be omitted, `<name...>` or `[name...]` for several. */
  readonly name: string
  /** May be omitted on a terminal, where a person picks the value from a list. */
  readonly isPicked?: true
  readonly description: string
}

/** A working command line and what it is for. */
export type Example = readonly [commandLine: string, purpose: string]

/** A term, such as an option with the name of its value, and what it means. */
export type HelpItem = readonly [term: string, meaning: string]

/** A part of a help page: a paragraph, or terms and their meanings, with a heading if it has one. */
export type HelpBlock = string | { readonly heading?: string; readonly items: readonly HelpItem[] }

/** Options that the help page of another command describes, and that command, such as `pixgate sandbox start`. */
export interface DescribedOptions {
  readonly options: readonly OptionDefinition[]
  readonly command: string
}

/** A command in the tree, by its name. Its module is loaded when a command line names it: all of them take longer than most commands run. */
export interface CommandNode {
  /** Its line in the help of its group. */
  readonly summary: string
  /** What the help of its group lists it below; `Commands:` if it has none. */
  readonly heading?: string
  /** The first sentences of its own help, if they say more. */
  readonly description?: string
  readonly load: () => Promise<CommandDefinition>
}

/** A group of commands. Without a subcommand it runs `bare`, or reports that a subcommand is required. */
export type GroupNode = {
  readonly summary: string
  /** As of a command. */
  readonly heading?: string
  readonly description?: string
  /** By name, in the order of help. */
  readonly commands: Readonly<Record<string, CommandNode | GroupNode>>
} & ({ readonly bare: CommandNode } | { readonly examples: readonly Example[] })

/** What a command takes and does. */
export interface CommandDefinition {
  readonly arguments: readonly ArgumentDefinition[]
  readonly options: readonly OptionDefinition[]
  /** The names of the options that `-h` describes; without them it describes all. */
  readonly usualOptions?: readonly string[]
  /** More about the values, which help prints before the examples. */
  readonly details?: readonly HelpBlock[]
  /** Options that the help page of another command describes. */
  readonly describedBy?: DescribedOptions
  readonly examples: readonly Example[]
  /** Accepts `-o csv`, which is otherwise rejected before anything happens. */
  readonly acceptsCsv?: true
  /** Sends what is recorded in the ledger first. */
  readonly sendsPayments?: true
  /** Runs the command and returns the exit code. `input` holds the parsed arguments and options by name in camel case. */
  run(context: Context, input: Input, runLine: RunCommandLine): Promise<number>
}

/** Runs one command line in this process and returns its exit code. */
export type RunCommandLine = (argv: readonly string[], runtime: Runtime) => Promise<number>

export type Input = Readonly<Record<string, unknown>>

type CamelCase<Text extends string> = Text extends `${infer Head}-${infer Tail}`
  ? `${Head}${Capitalize<CamelCase<Tail>>}`
  : Text

type OptionName<Option extends OptionDefinition> = Option extends { aliasOf: string }
  ? never
  : Option['flags'] extends `--no-${infer Name} ${string}` | `--no-${infer Name}`
    ? CamelCase<Name>
    : Option['flags'] extends `--${infer Name} ${string}`
      ? CamelCase<Name>
      : Option['flags'] extends `--${infer Name}`
        ? CamelCase<Name>
        : never

type ParsedText<Definition extends ValueDefinition> = Definition extends { parse: (...given: never[]) => infer Value }
  ? Value
  : Definition extends { choices: readonly (infer Choice)[] }
    ? Choice
    : string

type OptionValue<Option extends OptionDefinition> = Option extends { repeatable: true }
  ? ParsedText<Option>[]
  : Option['flags'] extends `--no-${string}`
    ? false
    : Option['flags'] extends `${string} <${string}`
      ? ParsedText<Option>
      : Option['flags'] extends `${string} [${string}`
        ? ParsedText<Option> | (Option extends { preset: string } ? never : true)
        : boolean

type ArgumentName<Name extends string> = Name extends `${'<' | '['}${infer Bare}...${'>' | ']'}`
  ? CamelCase<Bare>
  : Name extends `${'<' | '['}${infer Bare}${'>' | ']'}`
    ? CamelCase<Bare>
    : never

type ArgumentValue<Argument extends ArgumentDefinition> = Argument['name'] extends `${string}...${string}`
  ? ParsedText<Argument>[]
  : Argument extends { name: `[${string}` } | { isPicked: true }
    ? ParsedText<Argument> | undefined
    : ParsedText<Argument>

type LongName<Flags extends string> = Flags extends `${infer Long} ${string}` ? Long : Flags

/** Options that always have a value: those with a default, lists, and flags that no `--no-` flag turns off. */
type AlwaysSet<Option, Flags extends string> = Option extends { default: string } | { repeatable: true }
  ? Option
  : Option extends { flags: `--no-${string}` | `${string} ${string}` }
    ? never
    : Option extends { flags: `--${infer Name}` }
      ? `--no-${Name}` extends Flags
        ? never
        : Option
      : never

type InputOf<Arguments extends readonly ArgumentDefinition[], Options extends readonly OptionDefinition[]> = {
  [Each in Arguments[number] as ArgumentName<Each['name']>]: ArgumentValue<Each>
} & {
  [Each in AlwaysSet<Options[number], Options[number]['flags']> as OptionName<Each>]: OptionValue<Each>
} & { [Each in Options[number] as OptionName<Each>]?: OptionValue<Each> }

/** The values of options by name in camel case, as `run` gets them. */
export type OptionsOf<Options extends readonly OptionDefinition[]> = InputOf<readonly [], Options>

/** Defines a command. The input type of `run` follows from its options and arguments. */
export function defineCommand<
  const Arguments extends readonly ArgumentDefinition[] = readonly [],
  const Options extends readonly OptionDefinition[] = readonly [],
>(
  definition: Omit<CommandDefinition, 'arguments' | 'options' | 'usualOptions' | 'run'> & {
    arguments?: Arguments
    options?: Options
    usualOptions?: readonly LongName<Options[number]['flags']>[]
    run: (context: Context, input: InputOf<Arguments, Options>, runLine: RunCommandLine) => Promise<number>
  },
): CommandDefinition {
  return { arguments: [], options: [], ...definition }
}

/** Defines options that several commands share. */
export function defineOptions<const Options extends readonly OptionDefinition[]>(...options: Options): Options {
  return options
}
