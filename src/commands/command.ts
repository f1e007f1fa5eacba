import type { Context } from '../context.ts'

/** What completion offers for a value: these words, files, a command line, stored profiles or known ids. */
export type Completes = readonly string[] | 'files' | 'command' | 'profiles' | 'ids'

export interface OptionDefinition {
  /** As in help: `--name`, `--no-name`, `--name <value>`, or `--name [value]` for a value that may be omitted. */
  readonly flags: string
  readonly description: string
  /** As the user would type it. */
  readonly default?: string
  /** Parses a typed value. Throws UsageError. */
  readonly parse?: (typed: string) => unknown
  /** May be given several times; the values are collected. */
  readonly repeatable?: true
  /** Not shown in help or completion. */
  readonly hidden?: true
  /** The default is files for a `<file>` placeholder, and nothing for any other. */
  readonly completes?: Completes
}

export interface ArgumentDefinition {
  /** As in help: `<name>`, `[name]` for one that may be omitted, `<name...>` or `[name...]` for several. */
  readonly name: string
  readonly description: string
  readonly completes?: Completes
}

/** A working command line and what it is for. */
export type Example = readonly [commandLine: string, purpose: string]

/** A command without its name and summary, which are in the command tree. */
export interface CommandDefinition {
  readonly description: string
  readonly arguments: readonly ArgumentDefinition[]
  readonly options: readonly OptionDefinition[]
  /** More about the values, in lines as they are printed in help before the examples. */
  readonly details?: string
  readonly examples: readonly Example[]
  /** Runs the command and returns the exit code. `input` holds the arguments and options by name in camel case. */
  run(context: Context, input: Input): Promise<number>
}

type Input = Readonly<Record<string, unknown>>

type CamelCase<Text extends string> = Text extends `${infer Head}-${infer Tail}`
  ? `${Head}${Capitalize<CamelCase<Tail>>}`
  : Text

type OptionName<Flags extends string> = Flags extends `--no-${infer Name} ${string}` | `--no-${infer Name}`
  ? CamelCase<Name>
  : Flags extends `--${infer Name} ${string}`
    ? CamelCase<Name>
    : Flags extends `--${infer Name}`
      ? CamelCase<Name>
      : never

type OptionValue<Option extends OptionDefinition> = Option extends { repeatable: true }
  ? string[]
  : Option extends { parse: (typed: string) => infer Value }
    ? Value
    : Option['flags'] extends `--no-${string}`
      ? false
      : Option['flags'] extends `${string} <${string}`
        ? string
        : Option['flags'] extends `${string} [${string}`
          ? string | true
          : true

type ArgumentName<Name extends string> = Name extends `${'<' | '['}${infer Bare}...${'>' | ']'}`
  ? CamelCase<Bare>
  : Name extends `${'<' | '['}${infer Bare}${'>' | ']'}`
    ? CamelCase<Bare>
    : never

type ArgumentValue<Name extends string> = Name extends `${string}...${string}`
  ? string[]
  : Name extends `[${string}`
    ? string | undefined
    : string

type WithDefault<Option> = Option extends { default: string } ? Option : never

/** The input of `run` for these arguments and options. */
export type InputOf<Arguments extends readonly ArgumentDefinition[], Options extends readonly OptionDefinition[]> = {
  [Each in Arguments[number] as ArgumentName<Each['name']>]: ArgumentValue<Each['name']>
} & {
  [Each in WithDefault<Options[number]> as OptionName<Each['flags']>]: OptionValue<Each>
} & { [Each in Options[number] as OptionName<Each['flags']>]?: OptionValue<Each> }

/** The values of options by name in camel case, as `run` gets them. */
export type OptionsOf<Options extends readonly OptionDefinition[]> = InputOf<readonly [], Options>

/** Defines a command. The input type of `run` follows from its options and arguments. */
export function defineCommand<
  const Arguments extends readonly ArgumentDefinition[] = readonly [],
  const Options extends readonly OptionDefinition[] = readonly [],
>(definition: {
  description: string
  arguments?: Arguments
  options?: Options
  details?: string
  examples: readonly Example[]
  run: (context: Context, input: InputOf<Arguments, Options>) => Promise<number>
}): CommandDefinition {
  return { arguments: [], options: [], ...definition }
}

/** Defines options that several commands share. */
export function defineOptions<const Options extends readonly OptionDefinition[]>(...options: Options): Options {
  return options
}
