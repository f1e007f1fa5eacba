import type { Command, Help, Option } from 'commander'
import type { ArgumentDefinition, Example, HelpBlock, HelpItem, OptionDefinition } from '../../commandDefinition.ts'
import { wrapWords } from '../../text/cellLayout.ts'
import { t } from '../../text/translate.ts'
import { DefinedOption, type DocumentedCommand, isGlobal } from '../options.ts'

const COLUMNS_MAX = 110
/** How far descriptions are from the left at most; one of a longer term begins on the next line. */
const TERM_COLUMNS_MAX = 28
/** Where fewer columns are left beside the terms, the meanings are below them. */
const MEANING_COLUMNS_MIN = 30
const MEANING_INDENT = 6
/** What fits a terminal of 24 lines above its prompt. */
const SHORT_LINES_MAX = 23

/** How a page is written: in how many columns, and its headings. */
export interface PageStyle {
  columns: number
  heading: (text: string) => string
}

/** The width of help in a terminal of this width; undefined for a pipe. */
export function helpColumns(columns: number | undefined): number {
  return Math.min(columns || 80, COLUMNS_MAX)
}

/** The help page of a command: what it does, its commands and own options, examples, and where the global options are. */
export function helpPage(command: DocumentedCommand, helper: Help, heading: PageStyle['heading']): string {
  const globals = command.parent === null ? topicList() : t`Global options: pixgate help global`
  return pageWith(command, helper, heading, { options: () => true, examples: command.examples, ending: globals })
}

/**
 * The page that `-h` shows: the usual options, and as many examples as fit a terminal. The whole page if that is as short, or if the
 * command says of none that it is usual and does not fit without.
 */
export function shortHelpPage(command: DocumentedCommand, helper: Help, heading: PageStyle['heading']): string {
  const { usualOptions, examples } = command
  const whole = helpPage(command, helper, heading)
  if (linesOf(whole) <= SHORT_LINES_MAX) return whole
  const shortPages = examples.map((_, index) =>
    pageWith(command, helper, heading, {
      options: ({ long }) => usualOptions === undefined || usualOptions.includes(long ?? ''),
      examples: examples.slice(0, examples.length - index),
      ending: t`The whole page: ${pathOf(command)} --help`,
    }),
  )
  const fitting = shortPages.find((page) => linesOf(page) <= SHORT_LINES_MAX)
  return fitting ?? (usualOptions === undefined ? whole : (shortPages.at(-1) ?? whole))
}

function linesOf(page: string): number {
  return page.split('\n').length - 1
}

/** What a page shows of a command: which of its options, which examples, and its last line. */
interface PageParts {
  options: (option: Option) => boolean
  examples: readonly Example[]
  ending: string
}

function pageWith(command: DocumentedCommand, helper: Help, heading: PageStyle['heading'], shown: PageParts): string {
  const columns = helper.helpWidth ?? 80
  const style = { columns, heading }
  const usage = wrapWords(t`Usage: ${usageOf(command, helper)}`, columns).replaceAll('\n', '\n  ')
  const parts = [
    usage.replace(/^[^:]+:/, (text) => heading(text)),
    wrapWords(command.description(), columns),
    ...commandLists(command, helper, style),
    list(t`Arguments:`, argumentItems(command, helper), style),
    list(t`Options:`, optionItems(command, helper, shown), style),
    optionsElsewhere(command, style),
    ...command.details.map((block) => blockText(block, style)),
    exampleList(shown.examples, style),
    wrapWords(shown.ending, columns),
  ]
  return `${parts.filter((part) => part !== '').join('\n\n')}\n`
}

/** The command line that a command takes; its arguments are called as errors name them. */
function usageOf(command: DocumentedCommand, helper: Help): string {
  return helper
    .commandUsage(command)
    .replace('[options]', () => t`[options]`)
    .replace('<command>', () => t`<command>`)
    .replace('[command]', () => t`[command]`)
}

/** The commands of a group below their headings, and what the group does without one of them. */
function commandLists(group: DocumentedCommand, helper: Help, style: PageStyle): string[] {
  const headings = new Map<string, HelpItem[]>()
  for (const child of helper.visibleCommands(group)) {
    const heading = child.helpGroup() || t`Commands:`
    headings.set(heading, [...(headings.get(heading) ?? []), [child.name(), child.summary()]])
  }
  const width = termColumns([...headings.values()].flat())
  const lists = [...headings].map(([heading, items]) => list(heading, items, style, width))
  if (group.bareName === undefined) return lists
  const path = `${pathOf(group)} ${group.bareName}`
  const bare = t`Without a command it runs \`${path}\`, and takes its options: see \`${path} --help\`.`
  return [...lists, wrapWords(bare, style.columns)]
}

function argumentItems(command: DocumentedCommand, helper: Help): HelpItem[] {
  if (command.bareName !== undefined) return []
  return helper.visibleArguments(command).map((argument) => [argument.name(), argument.description])
}

/** The options that this page has to describe. Aliases are named by the descriptions of their originals. */
function optionItems(command: DocumentedCommand, helper: Help, shown: PageParts): HelpItem[] {
  if (command.bareName !== undefined) return []
  const elsewhere = command.describedBy?.options ?? []
  const isElsewhere = ({ flags }: Option) => elsewhere.some((option) => option.flags === flags)
  const isAlias = (option: Option) => option instanceof DefinedOption && option.definition.aliasOf !== undefined
  return helper
    .visibleOptions(command)
    .filter((option) => !isGlobal(option) && !isElsewhere(option) && !isAlias(option) && shown.options(option))
    .map((option) => [option.flags, optionMeaning(option)])
}

/** What help says of an option. Commander would append the choices, which the descriptions name where they fit. */
export function optionMeaning({ description, defaultValueDescription }: Option): string {
  return defaultValueDescription === undefined ? description : t`${description} (default ${defaultValueDescription})`
}

function optionsElsewhere({ describedBy }: DocumentedCommand, style: PageStyle): string {
  if (describedBy === undefined) return ''
  const names = describedBy.options.filter(({ hidden }) => !hidden).map(({ flags }) => flags.replace(/[ ,].*/, ''))
  return list(t`Options that \`${describedBy.command} --help\` describes:`, [['', names.join(', ')]], style)
}

function exampleList(examples: readonly Example[], { columns, heading }: PageStyle): string {
  if (examples.length === 0) return ''
  const lines = examples.flatMap(([commandLine, purpose]) => [
    ...wrapWords(purpose, columns - 4)
      .split('\n')
      .map((line) => `  # ${line}`),
    `  $ ${continued(commandLine, columns - 4)}`,
  ])
  return [heading(t`Examples:`), ...lines].join('\n')
}

/** A part of a page as text. */
export function blockText(block: HelpBlock, style: PageStyle): string {
  return typeof block === 'string' ? wrapWords(block, style.columns) : list(block.heading ?? '', block.items, style)
}

function topicList(): string {
  return t`Topics of \`pixgate help\`: ${TOPICS.join(', ')}`
}

/** A command line, broken with a backslash if it is longer: before options, in a narrow terminal also before other words. */
function continued(commandLine: string, columns: number): string {
  const parts = commandLine
    .split(/ (?=--|&& )(?=(?:[^'"]|'[^']*'|"[^"]*")*$)/)
    .flatMap((part) => (part.length <= columns ? [part] : part.split(/ (?=(?:[^'"]|'[^']*'|"[^"]*")*$)/)))
  const lines: string[] = []
  for (const part of parts) {
    const last = lines.at(-1)
    if (last !== undefined && last.length + part.length + 3 <= columns) lines.splice(-1, 1, `${last} ${part}`)
    else lines.push(part)
  }
  return commandLine.length <= columns ? commandLine : lines.join(' \\\n      ')
}

/** A heading and its items, their meanings wrapped beside the terms; empty without items. */
function list(heading: string, items: readonly HelpItem[], style: PageStyle, width = termColumns(items)): string {
  if (items.length === 0) return ''
  const lines = items.map((item) => itemText(item, width, style.columns))
  return (heading === '' ? lines : [style.heading(wrapWords(heading, style.columns)), ...lines]).join('\n')
}

function itemText([term, meaning]: HelpItem, width: number, columns: number): string {
  const isBelow = columns - width - 4 < MEANING_COLUMNS_MIN
  const left = isBelow ? MEANING_INDENT : width + 4
  const indent = `\n${' '.repeat(left)}`
  const lines = wrapWords(meaning, columns - left).replaceAll('\n', indent)
  if (isBelow) return `  ${wrapWords(term, columns - 2).replaceAll('\n', '\n  ')}${indent}${lines}`
  return term.length > width ? `  ${term}${indent}${lines}` : `  ${term.padEnd(width)}  ${lines}`
}

function termColumns(items: readonly HelpItem[]): number {
  return Math.max(0, ...items.map(([term]) => term.length).filter((length) => length <= TERM_COLUMNS_MAX))
}

/** The words that call a command, such as `pixgate qr create`. */
export function pathOf(command: Command): string {
  return command.parent === null ? command.name() : `${pathOf(command.parent)} ${command.name()}`
}

/** The topics of `pixgate help`, in the order in which the main page lists them. */
export const TOPICS = [
  'amounts',
  'keys',
  'csv',
  'production',
  'unknown-outcomes',
  'webhooks',
  'team',
  'exit-codes',
  'states',
  'environment',
  'global',
] as const

export type Topic = (typeof TOPICS)[number]

/** What the command `help` takes. */
export const HELP_COMMAND = {
  summary: 'help on a command or a topic',
  heading: 'Set up:',
  description: 'Show the help of a command, or a page on a topic',
  argument: {
    name: '[name...]',
    description: `a command, such as qr create, or a topic: ${TOPICS.join(', ')}`,
  } satisfies ArgumentDefinition,
  manOption: {
    flags: '--man',
    description: 'print the man page of a command',
  } satisfies OptionDefinition,
  examples: [
    ['pixgate help qr create', 'the options of a command, and examples'],
    ['pixgate help keys', 'how PIX keys are written'],
    ['pixgate help --man transfer > pixgate-transfer.1', 'a page that the command `man` shows'],
  ] satisfies Example[],
}

/** Thrown while a command line is parsed that asks for the help of these words. */
export class HelpRequested extends Error {
  readonly words: readonly string[]
  readonly isMan: boolean

  constructor(words: readonly string[], isMan: boolean) {
    super('help was asked for')
    this.words = words
    this.isMan = isMan
  }
}
