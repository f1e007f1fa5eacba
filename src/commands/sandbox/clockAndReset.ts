import { Command } from 'commander'
import type { Run } from '../../context.ts'
import { durationOption } from '../../settings.ts'
import { examples } from '../examples.ts'
import { control } from './call.ts'

/** `pixgate sandbox advance` */
export function advance(run: Run): Command {
  return new Command('advance')
    .description('Sandbox: move its clock forward; what falls due in between happens')
    .argument('<duration>', 'how far: 30s, 10m, 2h or 31d')
    .addHelpText('after', examples(['pixgate sandbox advance 31d', 'the 30 days for a refund are over']))
    .action(
      run((context, duration: string) => control(context, 'advance', { ms: durationOption(duration, '<duration>') })),
    )
}

/** `pixgate sandbox reset` */
export function reset(run: Run): Command {
  return new Command('reset')
    .description('Sandbox: forget all transactions, faults, requests and the moved clock')
    .addHelpText('after', examples(['pixgate sandbox reset', 'a clean start for the next test']))
    .action(run((context) => control(context, 'reset', {})))
}
