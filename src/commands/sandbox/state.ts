import type { Context } from '../../context.ts'
import { centsFromJson } from '../../pix/amount.ts'
import type { Column } from '../../terminal/printer.ts'
import { table } from '../../terminal/table.ts'
import { t } from '../../text/translate.ts'
import { cellText } from '../../views/documentFields.ts'
import { amountText, instantText } from '../../views/valueText.ts'
import { type AnswerFields, objectsIn } from '../../wire/answers.ts'
import { defineCommand } from '../command.ts'
import { callSandbox, controlDescription } from './callSandbox.ts'

export const sandboxState = defineCommand({
  description: controlDescription('state'),
  examples: [
    ['pixgate sandbox state', 'at a glance'],
    ['pixgate sandbox state -o json', 'the complete state, for a script'],
  ],
  run: showState,
})

async function showState(context: Context): Promise<number> {
  const state = await callSandbox(context, 'state', {})
  const { terminal } = context
  const section = (title: string, key: string, columns: readonly string[]) => {
    const rows = objectsIn(state[key])
    if (rows.length === 0) return [`${terminal.out.bold(title)}  ${t`none`}`, '']
    const cells = rows.map((row) => columns.map((column) => cell(row, column)))
    return [terminal.out.bold(title), table(terminal, columns, cells), '']
  }
  context.print.one(state, () => [
    `${terminal.out.bold(t`Balance`)}  ${amountText(centsFromJson(state.balance) ?? null)}`,
    '',
    ...section(t`Payments`, 'payments', ['idTransaction', 'status', 'amount']),
    ...section(t`Refunds`, 'refunds', ['idTransaction', 'status', 'amount', 'refundReason']),
    ...section(t`Transfers`, 'transfers', ['idTransaction', 'status', 'value', 'key']),
    ...section(t`Deliveries`, 'deliveries', ['event', 'outcome', 'attempts', 'idTransaction']),
    `${terminal.out.bold(t`Clock`)}  ${cellText(state.now)}`,
  ])
  return 0
}

function cell(row: AnswerFields, column: string): string {
  const value = row[column]
  if (column === 'amount' || column === 'value') return amountText(centsFromJson(value) ?? null)
  return Array.isArray(value) ? String(value.length) : cellText(value)
}

const COLUMNS: readonly Column[] = [
  { path: 'n' },
  { path: 'at', text: ({ at }) => instantText(Date.parse(cellText(at))) },
  { path: 'method' },
  { path: 'path' },
  { path: 'status', text: ({ status }) => (status === null ? 'dropped' : cellText(status)) },
  { path: 'code' },
  { path: 'details' },
]

export const sandboxRequests = defineCommand({
  description: `${controlDescription('requests')}; JSON has their bodies`,
  options: [{ flags: '--failed', description: 'only those that were refused or not answered' }],
  examples: [
    ['pixgate sandbox requests --failed', 'why does my request fail?'],
    ['pixgate sandbox requests -o json', 'with the bodies, secrets redacted'],
  ],
  acceptsCsv: true,
  run: showRequests,
})

async function showRequests(context: Context, { failed }: { failed?: boolean }): Promise<number> {
  const answer = await callSandbox(context, 'requests', { failed })
  await context.print.list(objectsIn(answer.requests), COLUMNS)
  return 0
}
