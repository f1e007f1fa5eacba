import { durationOption } from '../../settings.ts'
import { defineCommand } from '../command.ts'
import { control } from './call.ts'

/** `pixgate sandbox advance` */
export const advance = defineCommand({
  description: 'Sandbox: move its clock forward; what falls due in between happens',
  arguments: [{ name: '<duration>', description: 'how far: 30s, 10m, 2h or 31d' }],
  examples: [['pixgate sandbox advance 31d', 'the 30 days for a refund are over']],
  run: (context, { duration }) => control(context, 'advance', { ms: durationOption(duration, '<duration>') }),
})

/** `pixgate sandbox reset` */
export const reset = defineCommand({
  description: 'Sandbox: forget all transactions, faults, requests and the moved clock',
  examples: [['pixgate sandbox reset', 'a clean start for the next test']],
  run: (context) => control(context, 'reset', {}),
})
