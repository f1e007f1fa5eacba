import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { defineCommand, defineOptions, type OptionsOf } from '../../commandDefinition.ts'
import type { Context } from '../../context.ts'
import { newSecret } from '../../ids.ts'
import { LOCAL_PROFILE } from '../../profiles/account.ts'
import { immediateSecret } from '../../profiles/signer.ts'
import { readProfiles } from '../../profiles/store.ts'
import { SANDBOX_DEFAULTS, type SandboxOptions } from '../../sandbox/sandboxOptions.ts'
import type { LogEntry } from '../../schemas/sandboxAnswers.ts'
import { accountOptions } from '../../settings.ts'
import { PORT_OPTION, untilAborted } from '../../steps/foregroundServer.ts'
import { labelledLines } from '../../terminal/terminal.ts'
import { safeText } from '../../text/safeText.ts'
import { t } from '../../text/translate.ts'
import { type AnswerAdvice, answerAdvice } from '../../views/events/eventText.ts'
import { logLine, receiverLines, refusalLines } from '../../views/sandboxText.ts'
import { isLoopbackHost, reachableHost } from '../../wire/baseAddress.ts'
import { Failure, UsageError } from '../../wire/errors.ts'
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
  const account = await signingAccount(context, options)
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

/** The options of a profile that signs as this sandbox does, whatever profile is active; null if there is none. */
async function signingAccount(context: Context, { clientSecret }: SandboxOptions): Promise<string | null> {
  const optionsOf = (profile: string) => accountOptions({ profile, baseUrl: undefined })
  if (clientSecret === LOCAL_PROFILE.clientSecret) return optionsOf(LOCAL_PROFILE.name)
  try {
    const { profiles } = await readProfiles(context.configFolder())
    const same = [...profiles].find(([, { secret }]) => immediateSecret(secret, context.runtime.env) === clientSecret)
    return same === undefined ? null : optionsOf(same[0])
  } catch (error) {
    // A sandbox needs no profiles.
    if (error instanceof Failure) return null
    throw error
  }
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
function showEntry({ print, terminal, settings }: Context, entry: LogEntry, account: string | null): void {
  if (print.format === 'json') {
    print.item({ ...entry }, () => [])
    return
  }
  terminal.note(logLine(entry))
  for (const line of undeliveredLines(entry, account)) terminal.note(line)
  if (settings.verbose) for (const line of errorLines(entry)) terminal.note(line)
}

function usage(url: string, asLocal: boolean): string {
  if (!isLoopbackHost(new URL(url).hostname)) return t`programs on other machines and in other containers`
  if (asLocal && url === LOCAL_PROFILE.baseUrl) return t`every command, as the profile local`
  if (asLocal) return t`every command with --base-url ${url}`
  return t`PIXGATE_BASE_URL=${url}, PIXGATE_CLIENT_ID and PIXGATE_CLIENT_SECRET`
}

/** Why a request failed: the code, the description and the body that was sent. Empty for any other entry. */
function errorLines(entry: LogEntry): string[] {
  if (entry.type !== 'request' || entry.code === null) return []
  return [...refusalLines(entry), ...(entry.requestBody === '' ? [] : [safeText(entry.requestBody)])].map(indented)
}

/** What the server answered to a webhook that it did not receive, and what may have caused it. */
function undeliveredLines(entry: LogEntry, account: string | null): string[] {
  if (entry.type !== 'delivery' || entry.status === null || entry.status === 200) return []
  // The causes of the first attempt are those of all.
  // The sandbox waits as long as the service does, so an answer that it has came in time.
  const answer = { status: entry.status, ms: 0, body: entry.answer ?? '' }
  const { texts, command } = entry.attempt === 1 ? answerAdvice(answer, { url: entry.url, account }) : NO_ADVICE
  return [...receiverLines(entry), ...texts, ...(command === null ? [] : [safeText(command)])].map(indented)
}

function indented(line: string): string {
  return `  ${line}`
}
