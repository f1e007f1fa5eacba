import { Command } from 'commander'
import type { Run } from '../../context.ts'
import { addEntries, type Entry, type Words } from '../entries.ts'
import { historyList, listing } from './list.ts'

const ENTRIES: readonly Entry[] = [
  ['list', 'everything that was asked for from this machine', async () => historyList],
  ['show', 'everything that is known of one transaction', async () => (await import('./show.ts')).historyShow],
  [
    'check',
    'compare open payments with the gateway, or the ledger with a statement',
    async () => (await import('./check.ts')).historyCheck,
  ],
  ['import', 'take in events that your own receiver kept', async () => (await import('./import.ts')).historyImport],
  [
    'settle',
    'record what you found out about a payment in doubt',
    async () => (await import('./settle.ts')).historySettle,
  ],
  [
    'repair',
    'put damaged files of the timeline and the events right, keeping a copy',
    async () => (await import('./repair.ts')).historyRepair,
  ],
]

/** `pixgate history`: what was asked for from this machine and what became of it; called bare it lists. */
export async function historyGroup(run: Run, words: Words): Promise<Command> {
  const group = new Command('history').description(
    'What was asked for from this machine, what the gateway said, and what people found out',
  )
  return listing(await addEntries(group, ENTRIES, run, words), run)
}
