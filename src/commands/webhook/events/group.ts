import { Command } from 'commander'
import type { Run } from '../../../context.ts'
import { addEntries, type Entry, type Words } from '../../entries.ts'
import { eventsList, listing } from './list.ts'

const ENTRIES: readonly Entry[] = [
  ['list', 'the webhooks that were recorded on this machine', async () => eventsList],
  ['show', 'everything that is known of one recorded webhook', async () => (await import('./show.ts')).eventsShow],
]

/** `pixgate webhook events`: the webhooks that were recorded on this machine; called bare it lists. */
export async function eventsGroup(run: Run, words: Words): Promise<Command> {
  const group = new Command('events').description(
    'The webhooks that were recorded on this machine, and the results of forwarding them',
  )
  return listing(await addEntries(group, ENTRIES, run, words), run)
}
