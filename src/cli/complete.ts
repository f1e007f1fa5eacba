import type { Completes, OptionDefinition } from '../commandDefinition.ts'
import { chosenLanguage, setLanguage } from '../language.ts'
import { readPackagedFile } from '../packagedFile.ts'
import type { EnvironmentVariables } from '../programInfo.ts'
import { typedValue } from '../settings.ts'
import { safeText } from '../text/safeText.ts'
import { translated } from '../text/translate.ts'
import type { Candidate } from './completedNames.ts'

type Declared = Partial<Pick<OptionDefinition, 'choices' | 'completes'>>
type CompletedOption = Declared &
  Pick<OptionDefinition, 'flags' | 'description' | 'repeatable' | 'aliasOf' | 'conflicts'>

/** A command as completion knows it, with its texts in English. */
export interface CompletedCommand {
  readonly summary: string
  readonly commands?: Readonly<Record<string, CompletedCommand>>
  /** Without those that every command has. */
  readonly options: readonly CompletedOption[]
  readonly arguments: readonly (Declared & { readonly name: string })[]
}

/** All commands, as the build writes them to `dist/completion.json`: to load a command takes longer than to complete a word. */
export interface CompletionTable extends CompletedCommand {
  readonly globals: readonly CompletedOption[]
}

/** What may come where the cursor is: words, and values of a kind behind a prefix such as `--output=`. */
interface Wanted {
  readonly words: readonly Candidate[]
  readonly values: Completes | undefined
  readonly prefix: string
  /** The place of the first argument, with which another command line begins. */
  readonly start: number
}

/**
 * The answer to `pixgate __complete -- <words>`, of which the last is completed: `words`, `files` or `command <words before it>` for what the shell has to
 * offer itself, and then a candidate a line with its meaning after a tab. It never fails and says nothing else, because the shell would insert that into
 * the command line. The shell leaves out what does not match.
 */
export async function answerCompletion(words: readonly string[], env: EnvironmentVariables): Promise<string> {
  try {
    const table: CompletionTable = JSON.parse(readPackagedFile('dist/completion.json'))
    const profile = typedValue(words, '--profile', '-p')
    setLanguage(chosenLanguage({ lang: typedValue(words, '--lang'), profile, env }).lang, false)
    const wanted = wantedAt(words, table)
    const candidates = [...wanted.words, ...(await valuesOf(wanted, profile, env))]
    const lines = candidates.map(
      ([word, meaning]) => `${word}${meaning && `\t${safeText(meaning).replace(/\s+/g, ' ')}`}\n`,
    )
    return [`${directive(wanted)}\n`, ...lines].join('')
  } catch {
    return ''
  }
}

function directive({ values, start }: Wanted): string {
  if (values === 'command') return `command ${start}`
  return values === 'files' ? 'files' : 'words'
}

function wantedAt(words: readonly string[], table: CompletionTable): Wanted {
  // Windows PowerShell passes no empty word on.
  const last = words.at(-1)?.replace(/^""$/, '') ?? ''
  const before = words.slice(0, -1)
  const given: CompletedOption[] = []
  let command: CompletedCommand = table
  let open: CompletedOption | undefined
  let isLiteral = false
  let count = 0
  let start = before.length
  for (const [index, word] of before.entries()) {
    const isValue = open !== undefined && (isRequired(open) || !word.startsWith('-'))
    const below = command.commands
    if (isValue) open = undefined
    else if (!isLiteral && /^-./.test(word)) {
      isLiteral = word === '--'
      const found = optionOf(word, command, table)
      open = found !== undefined && !found.isAttached && takesValue(found.option) ? found.option : undefined
      if (found !== undefined) given.push(found.option)
    } else {
      open = undefined
      if (!isLiteral && count === 0 && below !== undefined && Object.hasOwn(below, word))
        command = below[word] ?? command
      else if (count++ === 0) start = index
    }
  }
  const wanted: Wanted = { words: [], values: undefined, prefix: '', start }
  const isDashed = !isLiteral && last.startsWith('-')
  if (open !== undefined && (isRequired(open) || (!isDashed && completesOf(open) !== undefined))) {
    return { ...wanted, values: completesOf(open) }
  }
  const attached = isDashed ? optionOf(last, command, table) : undefined
  if (attached?.isAttached) return { ...wanted, values: completesOf(attached.option), prefix: attached.prefix }
  if (isDashed) return { ...wanted, words: optionWords(last, command, table, given) }
  const names = isLiteral || count > 0 ? [] : Object.entries(command.commands ?? {})
  const argument = command.arguments[count] ?? command.arguments.findLast(({ name }) => name.includes('...'))
  // Of another command line, only its shell knows more.
  const values = argument && completesOf(argument)
  if (names.length > 0 || values !== undefined || last !== '' || isLiteral) {
    return { ...wanted, words: names.map(([name, { summary }]) => [name, translated(summary)]), values }
  }
  return { ...wanted, words: optionWords(last, command, table, given) }
}

/** The option that a word is or begins with, and whether its value is in the same word, after the prefix. */
function optionOf(word: string, command: CompletedCommand, table: CompletionTable) {
  const [prefix = word] = /^--[^=]+=|^-[^-]/.exec(word) ?? []
  const name = prefix.replace('=', '')
  const option = optionsOf(command, table).find(({ flags }) => spellings(flags).includes(name))
  return option && { option, prefix, isAttached: prefix !== name || (prefix !== word && takesValue(option)) }
}

function optionsOf({ options }: CompletedCommand, { globals }: CompletionTable): readonly CompletedOption[] {
  return [...options, ...globals.filter(({ flags }) => !options.some((own) => longOf(own.flags) === longOf(flags)))]
}

/** The options that can still be given. Short ones are named to a person who types a hyphen. */
function optionWords(
  last: string,
  command: CompletedCommand,
  table: CompletionTable,
  given: readonly CompletedOption[],
): Candidate[] {
  return optionsOf(command, table)
    .filter((option) => given.every((other) => option.repeatable || !excludes(option, other)))
    .flatMap(({ flags, description }) =>
      spellings(flags)
        .filter((name) => last !== '' || name.startsWith('--'))
        .map((name): Candidate => [name, translated(description)]),
    )
}

function excludes(option: CompletedOption, other: CompletedOption): boolean {
  const [one, two] = [longOf(option.flags), longOf(other.flags)]
  const isSame = one.replace(/^--no-/, '--') === two.replace(/^--no-/, '--')
  return (
    isSame ||
    [option.aliasOf, ...(option.conflicts?.options ?? [])].includes(two) ||
    [other.aliasOf, ...(other.conflicts?.options ?? [])].includes(one)
  )
}

function spellings(flags: string): string[] {
  return flags.split(/[ ,]+/).filter((word) => word.startsWith('-'))
}

function longOf(flags: string): string {
  return spellings(flags).at(-1) ?? ''
}

function takesValue({ flags }: CompletedOption): boolean {
  return /[<[]/.test(flags)
}

function isRequired({ flags }: CompletedOption): boolean {
  return flags.includes('<')
}

function completesOf(declared: Declared & ({ flags: string } | { name: string })): Completes | undefined {
  const { choices, completes = choices } = declared
  const placeholder = 'flags' in declared ? declared.flags : declared.name
  return completes ?? (/<file(?:\.\.\.)?>|\[file(?:\.\.\.)?\]/.test(placeholder) ? 'files' : undefined)
}

/** The values of the kind that is wanted. Ids and names come from outside: only those are offered that a person sees whole and no shell takes apart. */
async function valuesOf({ values, prefix }: Wanted, profile: string | undefined, env: EnvironmentVariables) {
  const found = await candidatesOf(values, profile, env)
  return found.filter(([word]) => isSafeWord(word)).map(([word, meaning]): Candidate => [prefix + word, meaning])
}

async function candidatesOf(
  values: Completes | undefined,
  profile: string | undefined,
  env: EnvironmentVariables,
): Promise<readonly Candidate[]> {
  if (values === undefined || values === 'files' || values === 'command') return []
  if (typeof values === 'object') return values.map((word): Candidate => [word, ''])
  const { knownNames } = await import('./completedNames.ts')
  return knownNames(values, profile, env)
}

/** Bash inserts candidates into the command line without quoting them. */
function isSafeWord(text: string): boolean {
  return /^[\p{L}\p{N}_.:+][\p{L}\p{M}\p{N}_.:+-]*$/u.test(text) && safeText(text) === text
}
