import { Command } from 'commander'
import type { Run } from '../../context.ts'
import { addEntries, type Entry, type Words } from '../entries.ts'
import { historyList, listing } from './list.ts'

const ENTRIES: readonly Entry[] = [
  ['list', 'the payments of the active account, each in its last state', async () => historyList],
  ['find', 'search by names, keys, ids, amounts and days', async () => (await import('./find.ts')).historyFind],
  ['show', 'everything that is known of one payment', async () => (await import('./show.ts')).historyShow],
  [
    'check',
    'check the ledger, and compare open payments with the gateway or all with a statement',
    async () => (await import('./check.ts')).historyCheck,
  ],
  ['import', 'take in events that your own receiver kept', async () => (await import('./import.ts')).historyImport],
  ['settle', 'record what you found out about a payment', async () => (await import('./settle.ts')).historySettle],
  ['backup', 'copy the ledger to a new file', async () => (await import('./backup.ts')).historyBackup],
  ['export', 'print all records as NDJSON', async () => (await import('./export.ts')).historyExport],
]

/** `pixgate history`: what was sent from this machine and what became of it; called bare it lists. */
export async function historyGroup(run: Run, words: Words): Promise<Command> {
  const group = new Command('history').description(
    'What was sent from this machine, what the gateway answered, and what people found out',
  )
  return listing(await addEntries(group, ENTRIES, run, words), run)
}
