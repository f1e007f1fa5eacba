import { Command } from 'commander'
import type { Run } from '../../context.ts'
import { addEntries, type Entry, type Words } from '../entries.ts'
import { examples } from '../examples.ts'

const ENTRIES: readonly Entry[] = [
  ['transfer', 'send all the transfers of a CSV file', async () => (await import('./transfer.ts')).batchTransfer],
  ['refund', 'make all the refunds of a CSV file', async () => (await import('./refund.ts')).batchRefund],
  ['list', 'the batches of this machine', async () => (await import('./list.ts')).batchList],
  ['show', 'the rows of a batch and their states', async () => (await import('./show.ts')).batchShow],
  ['resume', 'continue a batch that was interrupted', async () => (await import('./resume.ts')).batchResume],
]

/** `pixgate batch`: transfers and refunds from a file. */
export function batchGroup(run: Run, words: Words): Promise<Command> {
  const group = new Command('batch')
    .description('Send transfers or refunds from a CSV file; nothing is paid twice, and nothing is lost')
    .addHelpText('after', examples(['pixgate batch transfer payroll.csv --dry-run', 'check the file first']))
  return addEntries(group, ENTRIES, run, words)
}
