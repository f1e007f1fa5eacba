import type { CommandDefinition, CommandNode, GroupNode, OptionDefinition } from '../commandDefinition.ts'
import { COMMAND_TREE } from './commandTree.ts'
import type { CompletedCommand, CompletionTable } from './complete.ts'
import { HELP_COMMAND, TOPICS } from './help/helpPage.ts'
import { TOPIC_TEXTS } from './help/topics.ts'
import { GLOBAL_OPTIONS } from './options.ts'

type Empty = Pick<CompletedCommand, 'options' | 'arguments'>
const EMPTY: Empty = { options: [], arguments: [] }

/** Loads all commands for what completion needs of them. The build writes it down, and JSON leaves out what is not in the type. */
export async function completionTable(): Promise<CompletionTable> {
  const tree = await completed(COMMAND_TREE)
  const topics = TOPICS.map((topic) => [topic, { summary: TOPIC_TEXTS[topic]().title, ...EMPTY }])
  const help = {
    summary: HELP_COMMAND.summary,
    options: [HELP_COMMAND.manOption],
    arguments: [],
    commands: { ...Object.fromEntries(topics), ...namesOf(tree).commands },
  }
  return {
    ...tree,
    commands: { ...tree.commands, help },
    options: [{ flags: '-V, --version', description: 'output the version number' }],
    globals: [...GLOBAL_OPTIONS, { flags: '-h, --help', description: 'show this help' }],
  }
}

async function completed(node: CommandNode | GroupNode): Promise<CompletedCommand> {
  const { summary } = node
  if (!('commands' in node)) return { summary, ...shown(await node.load()) }
  const own = 'bare' in node ? shown(await node.bare.load()) : EMPTY
  const commands = Object.entries(node.commands).map(async ([name, child]) => [name, await completed(child)])
  return { summary, ...own, commands: Object.fromEntries(await Promise.all(commands)) }
}

function shown(definition: CommandDefinition): Empty {
  // An option that is hidden exists to be rejected.
  const options = definition.options.filter(({ hidden }: OptionDefinition) => !hidden)
  return { options, arguments: definition.arguments }
}

/** The names of commands, which `help` takes. */
function namesOf({ summary, commands }: CompletedCommand): CompletedCommand {
  const below = Object.entries(commands ?? {}).map(([name, child]) => [name, namesOf(child)])
  return { summary, ...EMPTY, ...(commands && { commands: Object.fromEntries(below) }) }
}
