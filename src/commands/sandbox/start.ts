import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { defineCommand, defineOptions, type OptionsOf } from '../../commandDefinition.ts'
import type { Context } from '../../context.ts'
import { newSecret } from '../../ids.ts'
import { LOCAL_PROFILE } from '../../profiles/account.ts'
import { SANDBOX_DEFAULTS } from '../../sandbox/sandboxOptions.ts'
import type { DeliveryEntry, LogEntry, RequestEntry } from '../../schemas/sandboxAnswers.ts'
import { PORT_OPTION, untilAborted } from '../../steps/foregroundServer.ts'
import { labelledLines } from '../../terminal/terminal.ts'
import { safeLines, safeText } from '../../text/safeText.ts'
import { t } from '../../text/translate.ts'
import { type AnswerAdvice, answerAdvice } from '../../views/events/eventText.ts'
import { isLoopbackHost, reachableHost } from '../../wire/baseAddress.ts'
import { UsageError } from '../../wire/errors.ts'
import { launchSandbox, SANDBOX_OPTIONS, sandboxOptions } from './launchSandbox.ts'
import { keptInFile, unusableFile } from './sandboxFile.ts'

const OPTIONS = defineOptions(
  { ...PORT_OPTION, description: `${PORT_OPTION.description} (default ${SANDBOX_DEFAULTS.port})` },
  {
    flags: '--fresh',
    description: 'begin anew, without what was kept',
    conflicts: { options: ['--memory'] },
  },
  { flags: '--memory', description: 'keep nothing, like --port 0' },
  ...SANDBOX_OPTIONS,
)

const ANSWER_LINES_MAX = 8
const NO_ADVICE: AnswerAdvice = { texts: [], command: null }

export const sandboxStart = defineCommand({
  options: OPTIONS,
  examples: [
    ['pixgate sandbox', 'the gateway at http://127.0.0.1:4010, which the built-in profile `local` uses'],
    ['pixgate sandbox --port 0 --auto-pay 3s -o json', 'on a free port, every code is paid after 3 seconds'],
    ['pixgate sandbox pay <id>', 'in another terminal: be the payer'],
    [
      'pixgate sandbox --host 0.0.0.0 --base-url-name gateway --allow-ip 172.16.0.0/12',
      'in Docker Compose, as the service `gateway`',
    ],
  ],
  run: start,
})

async function start(
  context: Context,
  { port = SANDBOX_DEFAULTS.port, fresh, memory, ...settings }: OptionsOf<typeof OPTIONS>,
): Promise<number> {
  const { terminal, print, runtime } = context
  context.serve()
  const path = memory === true || port === 0 ? undefined : join(context.dataFolder(), `sandbox-${port}.db`)
  let goesOn = path !== undefined && existsSync(path) && fresh !== true
  if (goesOn) assertNoBeginning(settings)
  const unkept = new AbortController()
  const keptIn =
    path === undefined
      ? undefined
      : await keptInFile({
          path,
          isFresh: fresh === true,
          onFailure: (error: Error) => unkept.abort(error),
          onReplaced: () => {
            goesOn = false
            terminal.warn(t`${path} was written by another build or is damaged, so the sandbox begins anew`)
          },
        })
  const asked = sandboxOptions(context, port, settings)
  const isReachable = !isLoopbackHost(reachableHost(asked.host)) || asked.host === '0.0.0.0' || asked.host === '::'
  const madeToken = isReachable && asked.controlToken === undefined ? newSecret() : undefined
  const options = { ...asked, controlToken: asked.controlToken ?? madeToken }
  const asLocal = options.clientId === LOCAL_PROFILE.clientId && options.clientSecret === LOCAL_PROFILE.clientSecret
  // Its own secret signs, whatever profile is active.
  const account = asLocal ? `-p ${LOCAL_PROFILE.name} ` : ''
  const sandbox = await launchSandbox({ ...options, keptIn, onLog: (entry) => showEntry(context, entry, account) })
  print.item({ type: 'ready', url: sandbox.url, controlToken: madeToken }, () => [
    t`The sandbox listens at ${sandbox.url}`,
    '',
    ...labelledLines(
      [
        [t`client id`, options.clientId],
        [t`secret`, asLocal ? LOCAL_PROFILE.clientSecret : t`as given`],
        ...(madeToken === undefined ? [] : [[t`control token`, madeToken] as const]),
        [t`in use by`, usage(sandbox.url, asLocal)],
      ],
      terminal.out,
    ),
  ])
  if (path === undefined) terminal.note(t`Ctrl-C stops it and discards all data`)
  else {
    terminal.note(t`Ctrl-C stops it; what it holds is kept in ${path}`)
    if (goesOn) terminal.note(t`It goes on with what it held; \`--fresh\` begins anew`)
  }
  if (isReachable) terminal.warn(t`Other machines can reach the sandbox with its client secret`)
  if (madeToken !== undefined) terminal.note(t`With the control token other machines can send control requests`)
  await untilAborted(AbortSignal.any([runtime.interrupt, unkept.signal]))
  await sandbox.close()
  if (unkept.signal.aborted) throw unusableFile(path ?? '', unkept.signal.reason)
  return 0
}

/** Throws UsageError for an option that says how a sandbox begins. */
function assertNoBeginning({ seed, now, balance }: Partial<OptionsOf<typeof OPTIONS>>): void {
  const options = Object.entries({ '--seed': seed, '--now': now, '--balance': balance })
  const name = options.find(([, value]) => value !== undefined)?.[0]
  if (name === undefined) return
  throw new UsageError(t`\`${name}\` says how a sandbox begins, and this one goes on with what it held`, {
    hint: t`Add \`--fresh\` to begin anew, or \`--memory\` for one that keeps nothing`,
  })
}

/** A line of JSON on stdout for a program, else words on stderr. */
function showEntry({ print, terminal, settings }: Context, entry: LogEntry, account: string): void {
  if (print.format === 'json') {
    print.item({ ...entry }, () => [])
    return
  }
  terminal.note(logLine(entry))
  for (const line of refusalLines(entry, account)) terminal.note(line)
  if (settings.verbose) for (const line of errorLines(entry)) terminal.note(line)
}

function usage(url: string, asLocal: boolean): string {
  if (!isLoopbackHost(new URL(url).hostname)) return t`programs on other machines and in other containers`
  if (asLocal && url === LOCAL_PROFILE.baseUrl) return t`every command, as the profile local`
  if (asLocal) return t`every command with --base-url ${url}`
  return t`PIXGATE_BASE_URL=${url}, PIXGATE_CLIENT_ID and PIXGATE_CLIENT_SECRET`
}

/** An entry of the sandbox's log as one line. */
export function logLine(entry: LogEntry): string {
  return entry.type === 'request' ? requestLine(entry) : deliveryLine(entry)
}

/** Why a request failed: the code, the description and the body that was sent. Empty for any other entry. */
function errorLines(entry: LogEntry): string[] {
  if (entry.type !== 'request' || entry.code === null) return []
  const reason = `  ${safeText(entry.code)}: ${safeText(entry.details ?? '')}`
  return entry.requestBody === '' ? [reason] : [reason, `  ${safeText(entry.requestBody)}`]
}

/** What the server answered to a webhook that it did not receive, and what may have caused it. */
function refusalLines(entry: LogEntry, account: string): string[] {
  if (entry.type !== 'delivery' || entry.status === null || entry.status === 200) return []
  const said = safeLines((entry.answer ?? '').trim()).filter((line) => line.trim() !== '')
  // The causes of the first attempt are those of all.
  // The sandbox waits as long as the service does, so an answer that it has came in time.
  const answer = { status: entry.status, ms: 0, body: entry.answer ?? '' }
  const { texts, command } = entry.attempt === 1 ? answerAdvice(answer, { url: entry.url, account }) : NO_ADVICE
  const lines = [...said.slice(0, ANSWER_LINES_MAX), ...texts, ...(command === null ? [] : [safeText(command)])]
  return lines.map((line) => `  ${line}`)
}

function requestLine({ method, path, status, ms }: RequestEntry): string {
  const result = status === null ? t`dropped` : String(status)
  return t`${method} ${safeText(path)}: ${result} (${ms} ms)`
}

function deliveryLine(entry: DeliveryEntry): string {
  const { event, eventStatus, url, attempt, attemptsMax } = entry
  if (entry.outcome === 'lost') return t`webhook ${event} ${eventStatus} to ${url}: not sent, because of a fault`
  const result = entry.status === null ? (entry.error ?? '') : String(entry.status)
  return t`webhook ${event} ${eventStatus} to ${url}: ${result} (attempt ${attempt} of ${attemptsMax})`
}
