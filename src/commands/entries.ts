import { Command } from 'commander'
import type { Run } from '../context.ts'

/** What commands are made for; undefined makes all that there are. */
export type Words = WantedWords | undefined

interface WantedWords {
  /** A command line. */
  words: readonly string[]
  /** Whether the commands that it cannot mean are there at all: help, and whoever is told of an error, wants their names. */
  namesOthers: boolean
}

/** Makes a command, a group with those of its commands that the words may mean. */
type Maker = (run: Run, words: Words) => Command | Promise<Command>

/** A command of a group: its name, its line in the group's help, and what reads its file. */
export type Entry = readonly [name: string, summary: string, load: () => Promise<Maker>]

/**
 * Adds commands to their group, in the order of its help, and returns the group. Reading the files of all takes longer than
 * most commands do, so one whose name is not among the words has at most its name and its summary.
 */
export async function addEntries(group: Command, entries: readonly Entry[], run: Run, words: Words): Promise<Command> {
  const wanted = words?.namesOthers === false ? entries.filter(([name]) => isWanted(name, words)) : entries
  const commands = await Promise.all(
    wanted.map(async ([name, summary, load]) => {
      const command = isWanted(name, words) ? await (await load())(run, words) : new Command(name)
      return command.summary(summary)
    }),
  )
  for (const command of commands) group.addCommand(command)
  return group
}

/** False for a command that the words cannot mean. */
export function isWanted(name: string, words: Words): boolean {
  return words === undefined || words.words.includes(name)
}
