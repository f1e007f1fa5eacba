import { Command } from 'commander'
import type { Run } from '../../context.ts'
import { sandboxControls } from './controls.ts'
import { sandboxExec } from './exec.ts'
import { sandboxStart, startable } from './start.ts'
import { sandboxState } from './state.ts'

/** `pixgate sandbox`: the gateway on your machine; called bare it starts. */
export function sandboxGroup(run: Run): Command {
  const group = new Command('sandbox')
    .summary('the gateway on your machine')
    .description('Run the whole gateway on your machine, and play payers, banks, time and mishap')
    .addCommand(sandboxStart(run))
    .addCommand(sandboxExec(run))
  for (const command of sandboxControls(run)) group.addCommand(command)
  group.addCommand(sandboxState(run))
  return startable(group, run)
}
