import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { closeSync, openSync, writeSync } from 'node:fs'
import { mkdir, rm, writeFile } from 'node:fs/promises'
import { createServer } from 'node:net'
import { constants, platform } from 'node:os'
import { delimiter, join } from 'node:path'
import type { Writable } from 'node:stream'
import { isatty } from 'node:tty'
import { defineCommand, defineOptions, type OptionsOf } from '../../commandDefinition.ts'
import type { Context, Runtime } from '../../context.ts'
import { newSecret } from '../../ids.ts'
import { readText } from '../../optionParsers.ts'
import { endProcessGroup, signalProcessGroup } from '../../processGroup.ts'
import { withoutAccount } from '../../profiles/childEnvironment.ts'
import { isVariableName } from '../../profiles/store.ts'
import type { EnvironmentVariables } from '../../programInfo.ts'
import type { RunningSandbox } from '../../sandbox/sandboxServer.ts'
import type { DeliveryView, LogEntry, RequestEntry } from '../../schemas/sandboxAnswers.ts'
import { execPortFile, PORT_OPTION } from '../../steps/foregroundServer.ts'
import { systemTrouble } from '../../storage/systemTrouble.ts'
import { makeTemporaryFolder, temporaryFailure } from '../../storage/temporaryFolder.ts'
import { writeFailure } from '../../terminal/outputFile.ts'
import type { Terminal } from '../../terminal/terminal.ts'
import { safeText } from '../../text/safeText.ts'
import { t } from '../../text/translate.ts'
import { receiverLines } from '../../views/sandboxText.ts'
import { UsageError, unlessSystem } from '../../wire/errors.ts'
import { launchSandbox, SANDBOX_OPTIONS, sandboxOptions } from './launchSandbox.ts'

const OPTIONS = defineOptions(
  {
    flags: '--env <name>',
    description: 'also set the address of the sandbox in this variable, repeatable',
    parse: readVariableName,
    repeatable: true,
  },
  {
    flags: '--log <file>',
    description: 'write its requests and deliveries to this file, one line of JSON each',
    parse: readText,
  },
  { ...PORT_OPTION, description: `${PORT_OPTION.description} (default 0)` },
  ...SANDBOX_OPTIONS,
)

type ExecOptions = OptionsOf<typeof OPTIONS>

export const sandboxExec = defineCommand({
  arguments: [{ name: '<command...>', description: 'the command and its arguments, after --', completes: 'command' }],
  options: OPTIONS,
  describedBy: { options: SANDBOX_OPTIONS, command: 'pixgate sandbox start' },
  examples: [
    ['pixgate sandbox exec -- npm test', 'your tests, each time with a fresh gateway'],
    ['pixgate sandbox exec --env GATEWAY_URL -- npm test', 'your program reads its address from GATEWAY_URL'],
    ['pixgate sandbox exec --auto-pay 1s -- pixgate qr create --amount 10 --wait', 'a payment from start to finish'],
  ],
  acceptsCsv: true,
  run: execute,
})

async function execute(
  context: Context,
  { command: commandLine, env: variables, log: logPath, port = 0, ...settings }: ExecOptions & { command: string[] },
): Promise<number> {
  readText(commandLine[0] ?? '', '<command>')
  const { runtime, terminal } = context
  // The secret of one run is of no use to another, whose webhooks might arrive here by mistake.
  const options = sandboxOptions(context, port, { ...settings, clientSecret: settings.clientSecret ?? newSecret() })
  const log = logPath === undefined ? undefined : openLog(logPath)
  const onLog = (entry: LogEntry) => {
    if (log !== undefined) writeSync(log, `${JSON.stringify(entry)}\n`)
  }
  const sandbox = await launchSandbox({ ...options, onLog })
  try {
    const folder = await makeTemporaryFolder('pixgate-exec-')
    try {
      const callbackUrl = runtime.env.PIXGATE_CALLBACK_URL || (await ownCallbackUrl(folder))
      const code = await runChild(context, commandLine, folder, {
        ...withoutAccount(runtime.env),
        ...Object.fromEntries(variables.map((name) => [name, sandbox.url])),
        ...pathVariable(runtime.env, await makeProgramFolder(folder, runtime.program)),
        PIXGATE_BASE_URL: sandbox.url,
        PIXGATE_CLIENT_ID: options.clientId,
        PIXGATE_CLIENT_SECRET: options.clientSecret,
        PIXGATE_CALLBACK_URL: callbackUrl,
        PIXGATE_DATA_DIR: folder,
        // A script that names a profile must not reach real money from inside a sandbox.
        PIXGATE_CONFIG_DIR: folder,
      })
      if (code !== 0 && !runtime.interrupt.aborted) showFailures(terminal, sandbox)
      return code
    } finally {
      await rm(folder, { recursive: true, force: true, maxRetries: 3 })
    }
  } finally {
    await sandbox.close()
    if (log !== undefined) closeSync(log)
  }
}

function readVariableName(typed: string): string {
  if (isVariableName(typed)) return typed
  throw new UsageError(t`\`--env\`: \`${typed}\` is not the name of an environment variable`, {
    hint: t`Write the name alone, like \`--env GATEWAY_URL\``,
  })
}

/** Makes a folder with a program `pixgate`, which is started with these words. */
async function makeProgramFolder(folder: string, words: Runtime['program']): Promise<string> {
  const path = join(folder, 'bin')
  try {
    await mkdir(path)
    if (platform() === 'win32') {
      await writeFile(join(path, 'pixgate.cmd'), `@${words.map((word) => `"${word}"`).join(' ')} %*\r\n`)
    } else {
      const shellArguments = words.map((word) => `'${word.replaceAll("'", "'\\''")}'`).join(' ')
      await writeFile(join(path, 'pixgate'), `#!/bin/sh\nexec ${shellArguments} "$@"\n`, { mode: 0o700 })
    }
  } catch (error) {
    throw temporaryFailure(error)
  }
  return path
}

/** The PATH in which this folder comes first. */
function pathVariable(env: EnvironmentVariables, folder: string): EnvironmentVariables {
  // Windows calls it `Path`.
  const name = Object.keys(env).find((each) => each.toUpperCase() === 'PATH') ?? 'PATH'
  return { [name]: [folder, env[name] ?? ''].filter((part) => part !== '').join(delimiter) }
}

/** A callback URL with a free port, on which `webhook listen` listens in this run. */
async function ownCallbackUrl(folder: string): Promise<string> {
  const callbackPort = await freePort()
  await writeFile(execPortFile(folder), String(callbackPort))
  return `http://127.0.0.1:${callbackPort}/`
}

async function freePort(): Promise<number> {
  const server = createServer().listen(0, '127.0.0.1')
  await once(server, 'listening')
  const address = server.address()
  await new Promise((resolve) => server.close(resolve))
  return typeof address === 'object' && address !== null ? address.port : 0
}

/** Creates the file of `--log`, or empties it. Throws UsageError if it cannot be written. */
function openLog(path: string): number {
  try {
    // Bodies hold names and tax documents.
    return openSync(path, 'w', 0o600)
  } catch (error) {
    throw writeFailure('--log', path, error)
  }
}

/** Less than the two seconds after which a process that got SIGTERM ends anyway. */
const KILL_MS = 800
const INTERRUPTED_EXIT = 130

/**
 * Reads the process to end, then a line that dismisses it. Its input ends before that line if pixgate is killed; then it
 * does what pixgate cannot do any more: it ends the command and removes the folder.
 */
const WATCHDOG =
  'read -r target && read -r line && exit; [ -n "$target" ] && kill -s TERM -- "$target" && sleep 1; [ -n "$target" ] && kill -s KILL -- "$target"; rm -rf -- "$1"'

/**
 * Runs a command with our streams and gives its exit code, or 128 and the number of the signal that ended it. Signals are
 * passed on, and when it has ended, so has everything that it started and that can still be reached. `folder` is removed if
 * pixgate is killed. Throws UsageError if the command cannot be started.
 */
async function runChild(
  context: Context,
  [file = '', ...args]: readonly string[],
  folder: string,
  env: NodeJS.ProcessEnv,
): Promise<number> {
  const { interrupt, abandon } = context.runtime
  if (abandon.aborted) return INTERRUPTED_EXIT
  // On a terminal the command must stay in our group, which gets Ctrl-C and may read what is typed.
  const hasOwnGroup = platform() !== 'win32' && ![0, 1, 2].some((descriptor) => isatty(descriptor))
  // The watchdog comes first, so that no command runs without one.
  const watchdog = startWatchdog(folder, context.runtime.env.PATH)
  const child = spawn(file, args, { stdio: 'inherit', env, detached: hasOwnGroup })
  const ended = exitOf(child, file)
  const { pid } = child
  if (pid === undefined) {
    const { code } = await ended.finally(watchdog.dismiss)
    return code ?? 0
  }
  watchdog.watch(hasOwnGroup ? -pid : pid)
  let killing: NodeJS.Timeout | undefined
  let ending: Promise<boolean> | undefined
  const passOn = () => {
    if (hasOwnGroup && !abandon.aborted) interruptGroup(pid)
  }
  const terminate = () => {
    if (hasOwnGroup) ending = endProcessGroup(pid, KILL_MS)
    else {
      child.kill('SIGTERM')
      killing = setTimeout(() => child.kill('SIGKILL'), KILL_MS)
    }
  }
  interrupt.addEventListener('abort', passOn)
  abandon.addEventListener('abort', terminate)
  try {
    const { code, endedBy } = await ended
    if (hasOwnGroup) await (ending ?? endProcessGroup(pid, KILL_MS))
    if (code !== null) return code
    return abandon.aborted ? INTERRUPTED_EXIT : 128 + (endedBy === null ? 0 : constants.signals[endedBy])
  } finally {
    clearTimeout(killing)
    interrupt.removeEventListener('abort', passOn)
    abandon.removeEventListener('abort', terminate)
    await watchdog.dismiss()
  }
}

function exitOf(child: ChildProcess, file: string): Promise<{ code: number | null; endedBy: NodeJS.Signals | null }> {
  return new Promise((resolve, reject) => {
    child.on('error', (error: NodeJS.ErrnoException) => {
      reject(cannotRun(file, error))
    })
    child.on('exit', (code, endedBy) => resolve({ code, endedBy }))
  })
}

function cannotRun(file: string, error: NodeJS.ErrnoException): UsageError {
  const nameHint = t`Check its name; words after \`--\` are the command and its arguments`
  if (error.code === 'ENOENT') return new UsageError(t`The command \`${file}\` was not found`, { hint: nameHint })
  const { reason, hint } = systemTrouble(error, '')
  return new UsageError(t`The command \`${file}\` cannot be run: ${reason}`, {
    // The command of pixgate itself is made among the temporary files.
    details:
      error.code === 'EACCES'
        ? [t`A disk that is mounted with \`noexec\`, such as that of \`TMPDIR\`, forbids it, too`]
        : [],
    hint: error.code === 'EAGAIN' ? hint : nameHint,
  })
}

function interruptGroup(pid: number): void {
  // The command may run as another user, whose processes pixgate may not signal.
  unlessSystem('EPERM', () => signalProcessGroup(pid, 'SIGINT'))
}

interface Watchdog {
  /** Names the process to end, or as a negative number its group. */
  watch(target: number): void
  dismiss(): Promise<void>
}

function startWatchdog(folder: string, path: string | undefined): Watchdog {
  if (platform() === 'win32') return { watch: () => undefined, dismiss: async () => undefined }
  const watchdog = spawn('/bin/sh', ['-c', WATCHDOG, 'sh', folder], {
    stdio: ['pipe', 'ignore', 'ignore'],
    env: { PATH: path },
    detached: true,
  })
  // Where too many files are open there is not even a pipe.
  const stdin: Writable | undefined = watchdog.stdin
  // Without a shell there is no watchdog; the command runs all the same.
  watchdog.on('error', () => undefined)
  if (stdin === undefined) return { watch: () => undefined, dismiss: async () => undefined }
  stdin.on('error', () => undefined)
  watchdog.unref()
  return {
    watch: (target) => stdin.write(`${target}\n`),
    // Two lines: without a target, the first one is read in its place.
    dismiss: () => new Promise((resolve) => stdin.end('\n\n', () => resolve())),
  }
}

/** As many of the last requests and deliveries are shown. */
const SHOWN_MAX = 20

function showFailures({ err, note }: Terminal, sandbox: RunningSandbox): void {
  const { requests } = sandbox.control('requests', { failed: true })
  const deliveries = sandbox.deliveries().filter(hasFailed)
  const show = (title: string, blocks: readonly string[][]) => {
    if (blocks.length === 0) return
    note(err.bold(title))
    const hidden = blocks.length - SHOWN_MAX
    if (hidden > 0) note(`  ${t`and ${hidden} before these`}`)
    for (const line of blocks.slice(-SHOWN_MAX).flat()) note(`  ${line}`)
  }
  show(t`Refused by the sandbox`, requests.map(requestLines))
  show(t`Webhooks that were not received`, deliveries.map(deliveryLines))
}

/** A delivery that was never tried, or is under way for the first time, has not failed. */
function hasFailed({ outcome, status, error }: DeliveryView): boolean {
  return outcome === 'given-up' || (outcome === 'waiting' && (status !== null || error !== null))
}

function requestLines({ method, path, status, code, details }: RequestEntry): string[] {
  const result = [status === null ? t`no answer` : String(status), code ?? ''].filter((part) => part !== '').join(' ')
  return [safeText(`${method} ${path}: ${result}`), ...(details === null ? [] : [`  ${safeText(details)}`])]
}

function deliveryLines({ event, idTransaction, url, status, error, attempts, answer }: DeliveryView): string[] {
  const { origin, pathname } = new URL(url)
  const line = t`${event} of ${idTransaction} to ${origin + pathname}: ${status ?? error ?? ''}, attempts: ${attempts}`
  return [safeText(line), ...receiverLines({ answer }).map((each) => `  ${each}`)]
}
