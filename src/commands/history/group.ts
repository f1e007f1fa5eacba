import { Command } from 'commander'
import type { Run } from '../../context.ts'
import { historyCheck } from './check.ts'
import { historyImport } from './import.ts'
import { historyList, listing } from './list.ts'
import { historySettle } from './settle.ts'
import { historyShow } from './show.ts'

/** `pixgate history`: what was asked for from this machine and what became of it; called bare it lists. */
export function historyGroup(run: Run): Command {
  const group = new Command('history')
    .summary('what was asked for from this machine, and what became of it')
    .description('What was asked for from this machine, what the gateway said, and what people found out')
    .addCommand(historyList(run))
    .addCommand(historyShow(run))
    .addCommand(historyCheck(run))
    .addCommand(historyImport(run))
    .addCommand(historySettle(run))
  return listing(group, run)
}
