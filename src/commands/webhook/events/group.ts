import { Command } from 'commander'
import type { Run } from '../../../context.ts'
import { eventsList, listing } from './list.ts'
import { eventsShow } from './show.ts'

/** `pixgate webhook events`: the webhooks that were recorded on this machine; called bare it lists. */
export function eventsGroup(run: Run): Command {
  const group = new Command('events')
    .summary('the webhooks that were recorded on this machine')
    .description('The webhooks that were recorded on this machine, and what became of passing them on')
    .addCommand(eventsList(run))
    .addCommand(eventsShow(run))
  return listing(group, run)
}
