import type { Command } from 'commander'
import type { HelpBlock, HelpItem } from '../../commandDefinition.ts'
import { VERSION } from '../../programInfo.ts'
import { wrapWords } from '../../text/cellLayout.ts'
import { t } from '../../text/translate.ts'
import { DefinedArgument, DefinedOption, DocumentedCommand, isGlobal } from '../options.ts'
import { loadProgram } from '../program.ts'
import { optionMeaning, pathOf, TOPICS } from './helpPage.ts'
import { TOPIC_TEXTS } from './topics.ts'

/** The date on every page, in the form that man programs read. A release changes it. */
const DATE = '2026-11-23'
/** Programs that check man pages complain about lines of 80 bytes. */
const COLUMNS_MAX = 72

/** All man pages in the language of man(7), by the names of their files without `.1`: `pixgate-qr-create`. */
export async function manPages(): Promise<ReadonlyMap<string, string>> {
  return new Map(withDescendants(await loadProgram()).map((command) => [pageName(command), manPage(command)]))
}

function withDescendants(command: Command): DocumentedCommand[] {
  const own = command instanceof DocumentedCommand ? [command] : []
  return [...own, ...command.commands.flatMap(withDescendants)]
}

function pageName(command: Command): string {
  return pathOf(command).replaceAll(' ', '-')
}

/** The page of a command with all its options. That of the program has the global options and the topics too. */
function manPage(command: DocumentedCommand): string {
  const helper = command.createHelp()
  const isRoot = command.parent === null
  const summary = isRoot ? t`the command line for an instant-payment (PIX) gateway` : command.summary()
  const options = helper.visibleOptions(command).filter((option) => isRoot || !isGlobal(option))
  const children = helper.visibleCommands(command)
  return [
    `.TH ${escaped(pageName(command).toUpperCase())} 1 ${DATE} "pixgate ${VERSION}" "${t`pixgate manual`}"`,
    ...section(t`NAME`, textLines(`${pageName(command)} - ${summary}`)),
    ...section(t`SYNOPSIS`, [
      `.B ${escaped(pathOf(command))}`,
      ...textLines(helper.commandUsage(command).slice(pathOf(command).length + 1)),
    ]),
    ...section(t`DESCRIPTION`, descriptionLines(command)),
    ...section(t`COMMANDS`, itemLines(children.map((child) => [`${pageName(child)}(1)`, child.summary()]))),
    ...section(
      t`ARGUMENTS`,
      itemLines(command.registeredArguments.map((each) => [each.name(), withChoices(each, each.description)])),
    ),
    ...section(
      t`OPTIONS`,
      itemLines(options.map((option) => [option.flags, withChoices(option, optionMeaning(option))])),
    ),
    ...section(t`VALUES`, blockLines(command.details)),
    ...(isRoot ? topicSections() : []),
    ...section(
      t`EXAMPLES`,
      command.examples.flatMap(([line, purpose]) => exampleLines(line, purpose)),
    ),
    ...section(t`SEE ALSO`, seeAlsoLines(command)),
    '',
  ].join('\n')
}

/** A heading and its lines; nothing without lines. */
function section(heading: string, lines: readonly string[]): string[] {
  return lines.length === 0 ? [] : [`.SH ${escaped(heading)}`, ...lines.slice(lines[0] === '.PP' ? 1 : 0)]
}

function descriptionLines(command: DocumentedCommand): string[] {
  const lines = textLines(`${command.description().replace(/\.$/, '')}.`)
  if (command.bareName === undefined) return lines
  return [...lines, '.PP', ...textLines(t`Without a command it runs ${`${pageName(command)}-${command.bareName}`}(1).`)]
}

/** What an option or argument means, with its choices if the text does not name all of them. */
function withChoices(target: object, meaning: string): string {
  const isDefined = target instanceof DefinedOption || target instanceof DefinedArgument
  const choices = isDefined ? (target.definition.choices ?? []) : []
  return choices.every((each) => meaning.includes(each)) ? meaning : t`${meaning}; one of ${choices.join(', ')}`
}

function topicSections(): string[] {
  return TOPICS.filter((topic) => topic !== 'global').flatMap((topic) => {
    const { title, blocks } = TOPIC_TEXTS[topic]()
    return section(headingOf(topic), [...textLines(`${title}.`), ...blockLines(blocks)])
  })
}

/** The usual names of sections of man pages, where there are any. */
function headingOf(topic: string): string {
  if (topic === 'exit-codes') return t`EXIT STATUS`
  return topic.replace('-', ' ').toUpperCase()
}

function blockLines(blocks: readonly HelpBlock[]): string[] {
  return blocks.flatMap((block) => {
    if (typeof block === 'string') return ['.PP', ...textLines(block)]
    return [...(block.heading === undefined ? [] : ['.PP', ...textLines(block.heading)]), ...itemLines(block.items)]
  })
}

function itemLines(items: readonly HelpItem[]): string[] {
  return items.flatMap(([term, meaning]) => ['.TP', `\\fB${escaped(term)}\\fR`, ...textLines(meaning)])
}

function exampleLines(commandLine: string, purpose: string): string[] {
  return ['.PP', ...textLines(purpose), '.PP', '.RS 4', '.nf', escaped(commandLine), '.fi', '.RE']
}

function seeAlsoLines(command: Command): string[] {
  const others = command.parent === null ? command.commands : [command.parent, ...siblingsOf(command)]
  return others.map((each, index) => `.BR ${escaped(pageName(each))} (1)${index < others.length - 1 ? ',' : ''}`)
}

/** The other commands of the group; those of the program are on its own page. */
function siblingsOf(command: Command): Command[] {
  const group = command.parent
  if (group === null || group.parent === null) return []
  return group.commands.filter((each) => each !== command)
}

function textLines(text: string): string[] {
  return wrapWords(escaped(text), COLUMNS_MAX)
    .split('\n')
    .map((line) => line.replace(/^(?=[.'])/, '\\&'))
}

/** Text that formatters print as it is: a hyphen can be copied as an option, no word is a macro, and all of it is ASCII. */
function escaped(text: string): string {
  return text
    .replaceAll('\\', '\\e')
    .replaceAll('-', '\\-')
    .replace(/[^\x20-\x7e]/gu, (letter) => `\\[u${letter.codePointAt(0)?.toString(16).toUpperCase().padStart(4, '0')}]`)
    .replace(/^(?=[.'])/, '\\&')
}
