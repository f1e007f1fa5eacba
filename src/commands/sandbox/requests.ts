import type { Context } from '../../context.ts'
import type { Column } from '../../terminal/printer.ts'
import { cellText } from '../../views/fields.ts'
import { instantText } from '../../views/payment.ts'
import { isObject } from '../../wire/answers.ts'
import { defineCommand } from '../command.ts'
import { callSandbox } from './call.ts'

const COLUMNS: readonly Column[] = [
  { path: 'n' },
  { path: 'at', text: ({ at }) => instantText(Date.parse(cellText(at))) },
  { path: 'method' },
  { path: 'path' },
  { path: 'status', text: ({ status }) => (status === null ? 'dropped' : cellText(status)) },
  { path: 'code' },
  { path: 'details' },
]

/** `pixgate sandbox requests`: what was asked and answered. */
export const sandboxRequests = defineCommand({
  description: 'Sandbox: the last 1,000 requests to the gateway and their answers, oldest first; JSON has their bodies',
  options: [{ flags: '--failed', description: 'only those that were refused or not answered' }],
  examples: [
    ['pixgate sandbox requests --failed', 'why does my request fail?'],
    ['pixgate sandbox requests -o json', 'with the bodies, secrets redacted'],
  ],
  run: showRequests,
})

async function showRequests(context: Context, { failed }: { failed?: boolean }): Promise<number> {
  const answer = await callSandbox(context, failed === true ? 'requests?failed=true' : 'requests', undefined)
  const { requests } = answer
  await context.print.list(Array.isArray(requests) ? requests.filter(isObject) : [], COLUMNS)
  return 0
}
