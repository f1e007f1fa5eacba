import { Command } from 'commander'
import type { Run } from '../../context.ts'
import { examples } from '../examples.ts'
import { batchList } from './list.ts'
import { batchRefund } from './refund.ts'
import { batchResume } from './resume.ts'
import { batchShow } from './show.ts'
import { batchTransfer } from './transfer.ts'

/** `pixgate batch`: transfers and refunds from a file. */
export function batchGroup(run: Run): Command {
  return new Command('batch')
    .summary('send transfers or refunds from a CSV file')
    .description('Send transfers or refunds from a CSV file; nothing is paid twice, and nothing is lost')
    .addCommand(batchTransfer(run))
    .addCommand(batchRefund(run))
    .addCommand(batchList(run))
    .addCommand(batchShow(run))
    .addCommand(batchResume(run))
    .addHelpText('after', examples(['pixgate batch transfer payroll.csv --dry-run', 'check the file first']))
}
