import type { GroupNode } from '../../commandDefinition.ts'
import { wrapWords } from '../../text/cellLayout.ts'
import { meantCommand, meantSubcommands, nearest } from '../../text/suggest.ts'
import { t } from '../../text/translate.ts'
import { UsageError } from '../../wire/errors.ts'
import { COMMAND_TREE } from '../commandTree.ts'
import { blockText, type PageStyle, TOPICS, type Topic } from './helpPage.ts'
import { TOPIC_TEXTS } from './topics.ts'

type HelpSubject = { readonly topic: Topic } | { readonly path: readonly string[] }

/** What the words after `pixgate help` ask about. The arguments of a command may follow it. Throws UsageError for unknown words. */
export function helpSubject(words: readonly string[]): HelpSubject {
  const topic = TOPICS.find((each) => words.length === 1 && each === words[0])
  if (topic !== undefined) return { topic }
  if (words[0] === 'help') return { path: ['help'] }
  const path: string[] = []
  let group: GroupNode = COMMAND_TREE
  for (const word of words) {
    const node = Object.hasOwn(group.commands, word) ? group.commands[word] : undefined
    if (node === undefined) throw noHelp(words, path, group)
    path.push(word)
    if (!('commands' in node)) break
    group = node
  }
  return { path }
}

function noHelp(words: readonly string[], path: readonly string[], group: GroupNode): UsageError {
  const typed = words[path.length] ?? ''
  const known = [...Object.keys(group.commands), ...(path.length === 0 ? TOPICS : [])]
  const others =
    path.length === 0 ? t`Run \`pixgate help\` for all commands and topics` : t`Run \`pixgate help ${path.join(' ')}\``
  const [first] = [...meantNames(typed, path, group), ...nearest(typed, known)]
  return new UsageError(t`There is no help on \`${words.slice(0, path.length + 1).join(' ')}\``, {
    hint: first === undefined ? others : t`Did you mean \`${['pixgate help', ...path, first].join(' ')}\`?`,
  })
}

/** The commands that a word such as `estornar` means, in a group or in the program. */
function meantNames(typed: string, path: readonly string[], group: GroupNode): string[] {
  if (path.length > 0) return meantSubcommands(typed).filter((name) => Object.hasOwn(group.commands, name))
  return [meantCommand(typed)?.path.join(' ') ?? []].flat()
}

/** The man page of a command; a topic is part of the program's. */
export async function manPageOf(subject: HelpSubject): Promise<string> {
  const { manPages } = await import('./manPage.ts')
  const pages = await manPages()
  const path = 'path' in subject ? subject.path : []
  return pages.get(['pixgate', ...path].join('-')) ?? ''
}

/** The page of a topic. */
export function topicPage(topic: Topic, style: PageStyle): string {
  const { title, blocks } = TOPIC_TEXTS[topic]()
  const parts = blocks.map((block) => blockText(block, style))
  return `${[style.heading(wrapWords(title, style.columns)), ...parts].join('\n\n')}\n`
}
