import { setTimeout as sleep } from 'node:timers/promises'
import { defineCommand } from '../../commandDefinition.ts'
import type { Context } from '../../context.ts'
import { readText } from '../../optionParsers.ts'
import { LOCAL_PROFILE } from '../../profiles/account.ts'
import { typedAddress } from '../../profiles/profile.ts'
import { isHistoryStep } from '../../schemas/sandboxAnswers.ts'
import {
  CONTROL_TOKEN_OPTION,
  callSandbox,
  controlAnswerLines,
  noteSandbox,
  showSandboxList,
  withControlToken,
} from '../../steps/callSandbox.ts'
import { withTransaction } from '../../steps/sandboxTransaction.ts'
import { type Column, cellText } from '../../terminal/printer.ts'
import { type TableColumn, tableWriter } from '../../terminal/tableWriter.ts'
import { safeText } from '../../text/safeText.ts'
import { t } from '../../text/translate.ts'
import { stepLines, wireLabel, wireText } from '../../views/sandboxText.ts'
import { instantText, shortInstantText } from '../../views/valueText.ts'
import { type AnswerFields, isObject, objectsIn } from '../../wire/answers.ts'
import { Cancelled } from '../../wire/errors.ts'

export const sandboxState = defineCommand({
  arguments: [
    {
      name: '[id]',
      description:
        'only this transaction, with its requests, events and deliveries in order; as for `pixgate sandbox pay`',
      completes: 'ids',
      parse: readText,
    },
  ],
  examples: [
    ['pixgate sandbox state', 'at a glance'],
    ['pixgate sandbox state -o json', 'the complete state, for a script'],
    ['pixgate sandbox state order-1005', 'what happened to it, and what your receiver answered'],
  ],
  options: [CONTROL_TOKEN_OPTION],
  run: (context, { id, controlToken }) => {
    const own = withControlToken(context, controlToken)
    return id === undefined ? showState(own) : showHistory(own, id)
  },
})

async function showHistory(context: Context, typed: string): Promise<number> {
  const use = { name: 'history', command: 'pixgate sandbox state' } as const
  const history = await withTransaction(context, typed, use, (id) => callSandbox(context, 'history', { id }))
  const { transaction, steps } = history
  context.print.one(history, () => [
    ...(isObject(transaction) ? controlAnswerLines(context, transaction) : []),
    '',
    ...objectsIn(steps)
      .filter(isHistoryStep)
      .flatMap((step) => {
        const at = instantText(Date.parse(step.at))
        return stepLines(step).map((line, place) => `${place === 0 ? at : ' '.repeat(at.length)}  ${line}`)
      }),
  ])
  await noteSandbox(context)
  return 0
}

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
    const cells = rows.map((row) =>
      columns.map((column) => ({ text: row[column] === false ? '' : wireText(row, column) })),
    )
    const table = await tableWriter(terminal, columns.map(tableColumn))
    return [terminal.out.bold(title), ...table.lines(cells), '']
  }
  return [
    `${terminal.out.bold(t`Balance`)}  ${wireText(state, 'balance')}`,
    '',
    ...(await section(t`Payments`, 'payments', ['idTransaction', 'status', 'amount'])),
    ...(await section(t`Refunds`, 'refunds', ['idTransaction', 'status', 'amount', 'refundReason'])),
    ...(await section(t`Transfers`, 'transfers', ['idTransaction', 'status', 'value', 'key'])),
    ...(await section(t`Deliveries`, 'deliveries', ['event', 'outcome', 'attempts', 'idTransaction'])),
    ...(await section(t`Faults`, 'faults', ['kind', 'on', 'times', 'async'])),
    `${terminal.out.bold(t`Clock`)}  ${wireText(state, 'now')}`,
  ]
}

const NUMBERS: readonly string[] = ['amount', 'value', 'attempts', 'times']
const PROSE: readonly string[] = ['refundReason', 'key']

function tableColumn(header: string): TableColumn {
  return {
    header: wireLabel(header),
    align: NUMBERS.includes(header) ? 'right' : undefined,
    isProse: PROSE.includes(header),
  }
}

/** How often new requests are asked for. */
const FOLLOW_MS = 300

export const sandboxRequests = defineCommand({
  options: [
    { flags: '--failed', description: 'only those that were refused or not answered' },
    { flags: '--follow', description: 'go on with those that come, until Ctrl-C; JSON is one line each' },
    CONTROL_TOKEN_OPTION,
  ],
  examples: [
    ['pixgate sandbox requests --failed', 'why does my request fail?'],
    ['pixgate sandbox requests -o json', 'with the bodies, secrets redacted'],
  ],
  acceptsCsv: true,
  run: async (context, { controlToken, follow, failed }) => {
    const own = withControlToken(context, controlToken)
    if (follow === true) return followRequests(own, failed)
    const answer = await callSandbox(own, 'requests', { failed })
    return showSandboxList(own, answer, 'requests', requestColumns(own.now()))
  },
})

async function followRequests(context: Context, failed: boolean | undefined): Promise<number> {
  const { print, terminal, runtime } = context
  await noteSandbox(context)
  let after = 0
  while (!runtime.interrupt.aborted) {
    try {
      const found = objectsIn((await callSandbox(context, 'requests', { failed, after })).requests)
      for (const request of found) print.item(request, () => requestLines(request))
      if (!(await terminal.flush())) return 0
      after = Number(found.at(-1)?.n ?? after)
      await sleep(FOLLOW_MS, undefined, { signal: runtime.interrupt })
    } catch (error) {
      if (error instanceof Cancelled || runtime.interrupt.aborted) return 0
      throw error
    }
  }
  return 0
}

function requestLines({ at, method, path, status, code, details }: AnswerFields): string[] {
  const answer = status === null ? t`dropped` : cellText(status)
  const line = `${instantText(Date.parse(cellText(at)))}  ${cellText(method)} ${cellText(path)}: ${answer}`
  return [safeText(line), ...(code === null ? [] : [`  ${safeText(`${cellText(code)}: ${cellText(details)}`)}`])]
}

function requestColumns(nowMs: number): readonly Column<AnswerFields>[] {
  const atMs = ({ at }: AnswerFields) => Date.parse(cellText(at))
  return [
    { path: 'n', header: 'n', align: 'right' },
    {
      path: 'at',
      header: 'at',
      text: (row) => instantText(atMs(row)),
      short: (row) => shortInstantText(atMs(row), nowMs),
    },
    { path: 'method', header: 'method' },
    { path: 'path', header: 'path', short: ({ path }) => cellText(path).replace(/^.*\//, '') },
    { path: 'status', header: 'status', text: ({ status }) => (status === null ? t`dropped` : cellText(status)) },
    { path: 'code', header: 'code' },
    { path: 'details', header: 'details', isProse: true, drop: 1 },
  ]
}

export const sandboxOpenApi = defineCommand({
  examples: [['pixgate sandbox openapi > gateway.json', 'generate a client, or mock the gateway']],
  run: printOpenApi,
})

async function printOpenApi(context: Context): Promise<number> {
  const { openApi } = await import('../../sandbox/openApi.ts')
  const { settings, runtime } = context
  context.print.json(openApi(typedAddress(settings.baseUrl, runtime.env)?.url ?? LOCAL_PROFILE.baseUrl))
  return 0
}
