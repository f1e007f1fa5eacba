import { Command } from 'commander'
import type { DescribedOptions, Example, HelpBlock } from '../../commands/command.ts'

/** A command of commander, with what its help page and its man page say beside the options. */
export class DocumentedCommand extends Command {
  examples: readonly Example[] = []
  /** More about the values. */
  details: readonly HelpBlock[] = []
  /** For a group that runs one of its commands when called without any: the name of that command. */
  bareName: string | undefined
  describedBy: DescribedOptions | undefined
}
