import { once } from 'node:events'
import { closeSync, openSync, writeSync } from 'node:fs'
import { chmod, mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises'
import { createServer } from 'node:net'
import { platform, tmpdir } from 'node:os'
import { delimiter, join } from 'node:path'
import type { Context, Runtime } from '../../context.ts'
import { newSecret } from '../../ids.ts'
import { readText } from '../../optionParsers.ts'
import { withoutAccount } from '../../profiles/childEnvironment.ts'
import { isVariableName } from '../../profiles/store.ts'
import type { EnvironmentVariables } from '../../programInfo.ts'
import type { LogEntry } from '../../schemas/sandboxAnswers.ts'
import { writeFailure } from '../../terminal/outputFile.ts'
import { t } from '../../text/translate.ts'
import { UsageError } from '../../wire/errors.ts'
import { defineCommand, defineOptions, type OptionsOf } from '../command.ts'
import { execPortFile, PORT_OPTION } from '../foregroundServer.ts'
import { runChild } from './child.ts'
import { showFailures } from './execFailures.ts'
import { launchSandbox, SANDBOX_OPTIONS, sandboxOptions } from './options.ts'

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
  const log = logPath === undefined ? undefined : openLogFile(logPath)
  const sandbox = await launchSandbox({ ...options, onLog: log?.write })
  try {
    const folder = await makeExecFolder(runtime.program)
    try {
      const callbackUrl = runtime.env.PIXGATE_CALLBACK_URL || (await folder.ownCallbackUrl())
      const code = await runChild(context, commandLine, folder.path, {
        ...withoutAccount(runtime.env),
        ...Object.fromEntries(variables.map((name) => [name, sandbox.url])),
        ...folder.pathVariable(runtime.env),
        PIXGATE_BASE_URL: sandbox.url,
        PIXGATE_CLIENT_ID: options.clientId,
        PIXGATE_CLIENT_SECRET: options.clientSecret,
        PIXGATE_CALLBACK_URL: callbackUrl,
        PIXGATE_DATA_DIR: folder.path,
        // A script that names a profile must not reach real money from inside a sandbox.
        PIXGATE_CONFIG_DIR: folder.path,
      })
      if (code !== 0 && !runtime.interrupt.aborted) showFailures(terminal, sandbox.controls)
      return code
    } finally {
      await folder.remove()
    }
  } finally {
    await sandbox.close()
    log?.close()
  }
}

function readVariableName(typed: string): string {
  if (isVariableName(typed)) return typed
  throw new UsageError(t`\`--env\`: \`${typed}\` is not the name of an environment variable`, {
    hint: t`Write the name alone, like \`--env GATEWAY_URL\``,
  })
}

/** The data and configuration folder of one `sandbox exec`, with `pixgate` in a folder for the PATH. */
export interface ExecFolder {
  path: string
  /** The PATH that finds this pixgate first. */
  pathVariable(env: EnvironmentVariables): Record<string, string>
  /** A callback URL with a free port, on which `webhook listen` listens in this run. */
  ownCallbackUrl(): Promise<string>
  remove(): Promise<void>
}

/** Makes the folder among the temporary files. `program` is how to start pixgate. */
export async function makeExecFolder(program: Runtime['program']): Promise<ExecFolder> {
  const path = await mkdtemp(join(tmpdir(), 'pixgate-exec-'))
  const bin = join(path, 'bin')
  await mkdir(bin)
  if (platform() === 'win32') {
    await writeFile(join(bin, 'pixgate.cmd'), `@${program.map((word) => `"${word}"`).join(' ')} %*\r\n`)
  } else {
    const shellArguments = program.map((word) => `'${word.replaceAll("'", "'\\''")}'`).join(' ')
    await writeFile(join(bin, 'pixgate'), `#!/bin/sh\nexec ${shellArguments} "$@"\n`)
    await chmod(join(bin, 'pixgate'), 0o755)
  }
  return {
    path,
    pathVariable(env) {
      // Windows calls it `Path`.
      const name = Object.keys(env).find((each) => each.toUpperCase() === 'PATH') ?? 'PATH'
      return { [name]: [bin, env[name] ?? ''].filter((part) => part !== '').join(delimiter) }
    },
    async ownCallbackUrl() {
      const callbackPort = await freePort()
      await writeFile(execPortFile(path), String(callbackPort))
      return `http://127.0.0.1:${callbackPort}/`
    },
    remove: () => rm(path, { recursive: true, force: true, maxRetries: 3 }),
  }
}

async function freePort(): Promise<number> {
  const server = createServer().listen(0, '127.0.0.1')
  await once(server, 'listening')
  const address = server.address()
  await new Promise((resolve) => server.close(resolve))
  return typeof address === 'object' && address !== null ? address.port : 0
}

/** A file to which the sandbox's log is written, one line of JSON per entry. */
export interface LogFile {
  write(entry: LogEntry): void
  close(): void
}

/** Creates the file of `--log`, or empties it. Throws UsageError if it cannot be written. */
export function openLogFile(path: string): LogFile {
  const handle = openForWriting(path)
  return {
    write: (entry) => void writeSync(handle, `${JSON.stringify(entry)}\n`),
    close: () => closeSync(handle),
  }
}

function openForWriting(path: string): number {
  try {
    // Bodies hold names and tax documents.
    return openSync(path, 'w', 0o600)
  } catch (error) {
    throw writeFailure('--log', path, error)
  }
}
