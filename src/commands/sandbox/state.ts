import type { Context } from '../../context.ts'
import { centsFromJson } from '../../pix/amount.ts'
import { cellText } from '../../terminal/documentFields.ts'
import { type TableColumn, tableWriter } from '../../terminal/table.ts'
import { t } from '../../text/translate.ts'
import { amountText, instantText } from '../../views/valueText.ts'
import { type AnswerFields, objectsIn } from '../../wire/answers.ts'
import { defineCommand } from '../command.ts'
import { CONTROL_TOKEN_OPTION, callSandbox, controlDescription, noteSandbox, withControlToken } from './callSandbox.ts'

export const sandboxState = defineCommand({
  description: controlDescription('state'),
  examples: [
    ['pixgate sandbox state', 'at a glance'],
    ['pixgate sandbox state -o json', 'the complete state, for a script'],
  ],
  options: [CONTROL_TOKEN_OPTION],
  run: (context, { controlToken }) => showState(withControlToken(context, controlToken)),
})

async function showState(context: Context): Promise<number> {
  const state = await callSandbox(context, 'state', {})
  const lines = context.print.format === 'text' ? await stateLines(context.terminal, state) : []
  context.print.one(state, () => lines)
  await noteSandbox(context)
  return 0
}

async function stateLines(terminal: Context['terminal'], state: AnswerFields): Promise<string[]> {
  const section = async (title: string, key: string, columns: readonly string[]) => {
    const rows = objectsIn(state[key])
    if (rows.length === 0) return [`${terminal.out.bold(title)}  ${t`none`}`, '']
    const cells = rows.map((row) => columns.map((column) => ({ text: cell(row, column) })))
    const table = await tableWriter(terminal, columns.map(tableColumn))
    return [terminal.out.bold(title), ...table.lines(cells), '']
  }
  return [
    `${terminal.out.bold(t`Balance`)}  ${amountText(centsFromJson(state.balance) ?? null)}`,
    '',
    ...(await section(t`Payments`, 'payments', ['idTransaction', 'status', 'amount'])),
    ...(await section(t`Refunds`, 'refunds', ['idTransaction', 'status', 'amount', 'refundReason'])),
    ...(await section(t`Transfers`, 'transfers', ['idTransaction', 'status', 'value', 'key'])),
    ...(await section(t`Deliveries`, 'deliveries', ['event', 'outcome', 'attempts', 'idTransaction'])),
    ...(await section(t`Faults`, 'faults', ['kind', 'on', 'times', 'async'])),
    `${terminal.out.bold(t`Clock`)}  ${instantText(Date.parse(cellText(state.now)))}`,
  ]
}

const NUMBERS: readonly string[] = ['amount', 'value', 'attempts', 'times']
const PROSE: readonly string[] = ['refundReason', 'key']

function tableColumn(header: string): TableColumn {
  return { header, align: NUMBERS.includes(header) ? 'right' : undefined, isProse: PROSE.includes(header) }
}

function cell(row: AnswerFields, column: string): string {
  const value = row[column]
  if (column === 'amount' || column === 'value') return amountText(centsFromJson(value) ?? null)
  if (column === 'on') return cellText(value) || t`any`
  if (column === 'async') return value === true ? t`yes` : ''
  return Array.isArray(value) ? String(value.length) : cellText(value)
}
