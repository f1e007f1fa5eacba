import type { Command } from 'commander'
import { collect } from '../optionValues.ts'
import { withWorkOptions } from './workOptions.ts'

/** Adds the options that `batch transfer` and `batch refund` share. */
export function withFileOptions(command: Command): Command {
  command
    .argument('<file>', 'a CSV file with a header, - for standard input')
    .option('--map <field=column>', 'the file calls a field by another name (repeatable, or with commas)', collect)
    .option('--ignore-column <name>', 'a column of amounts that is not to be used (repeatable)', collect)
    .option('--reference <text>', 'what these payments are for; the ids depend on it (default: the name of the file)')
    .option('--callback-url <url>', 'receives the events, listen for the running listener (default: of the profile)')
    .option('--file-changed', 'send although rows that were sent under this reference are missing from the file')
    .option('--dry-run', 'check the file, print the totals, and stop')
  return withWorkOptions(command)
}
