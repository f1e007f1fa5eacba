import { setTimeout as sleep } from 'node:timers/promises'
import type { Context } from '../../context.ts'
import { cellText } from '../../terminal/documentFields.ts'
import type { Column } from '../../terminal/printer.ts'
import { safeText } from '../../text/safeText.ts'
import { t } from '../../text/translate.ts'
import { instantText, shortInstantText } from '../../views/valueText.ts'
import { type AnswerFields, objectsIn } from '../../wire/answers.ts'
import { Cancelled } from '../../wire/errors.ts'
import { defineCommand } from '../command.ts'
import { CONTROL_TOKEN_OPTION, callSandbox, controlDescription, noteSandbox, withControlToken } from './callSandbox.ts'

/** How often new requests are asked for. */
const FOLLOW_MS = 300

export const sandboxRequests = defineCommand({
  description: `${controlDescription('requests')}; JSON has their bodies`,
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
  run: (context, { controlToken, follow, failed }) => {
    const own = withControlToken(context, controlToken)
    return follow === true ? followRequests(own, failed) : showRequests(own, failed)
  },
})

async function showRequests(context: Context, failed: boolean | undefined): Promise<number> {
  const { requests } = await callSandbox(context, 'requests', { failed })
  await context.print.list(objectsIn(requests), requestColumns(context.now()))
  await noteSandbox(context)
  return 0
}

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

function requestColumns(nowMs: number): readonly Column[] {
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
