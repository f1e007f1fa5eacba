import type { ArgumentDefinition, Example, OptionDefinition } from '../../commands/command.ts'

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
