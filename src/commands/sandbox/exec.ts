import { spawn } from 'node:child_process'
import { mkdtemp, rm } from 'node:fs/promises'
import { constants, tmpdir } from 'node:os'
import { join } from 'node:path'
import type { Context } from '../../context.ts'
import { LOCAL_PROFILE } from '../../profiles/account.ts'
import { t } from '../../text/words.ts'
import { UsageError } from '../../wire/errors.ts'
import { defineCommand } from '../command.ts'
import { notBlank } from '../optionValues.ts'
import { launchSandbox } from './launch.ts'
import { readSandboxOptions, SANDBOX_OPTIONS, type TypedSandboxOptions } from './options.ts'

/** `pixgate sandbox exec -- <command>`: a command with a sandbox of its own. */
export const sandboxExec = defineCommand({
  description:
    'Run a command with PIXGATE_BASE_URL, PIXGATE_CLIENT_ID and PIXGATE_CLIENT_SECRET of a sandbox that lives as long as it',
  arguments: [{ name: '<command...>', description: 'the command and its arguments, after --', completes: 'command' }],
  options: [
    { flags: '--port <port>', description: 'port to listen on, 0 picks a free one (default 0)' },
    ...SANDBOX_OPTIONS,
  ],
  examples: [
    ['pixgate sandbox exec -- npm test', 'your tests, each time with a fresh gateway'],
    ['pixgate sandbox exec --auto-pay 1s -- pixgate qr create --amount 10 --wait', 'a payment from beginning to end'],
  ],
  run: execute,
})

async function execute(
  context: Context,
  { command: commandLine, ...typed }: TypedSandboxOptions & { command: string[] },
): Promise<number> {
  notBlank(commandLine[0] ?? '', '<command>')
  const options = await readSandboxOptions(context, typed, { port: 0 })
  const folder = await mkdtemp(join(tmpdir(), 'pixgate-exec-'))
  const sandbox = await launchSandbox(options)
  try {
    return await runChild(context, commandLine, {
      ...context.world.env,
      PIXGATE_BASE_URL: sandbox.url,
      PIXGATE_CLIENT_ID: options.clientId,
      PIXGATE_CLIENT_SECRET: options.clientSecret,
      PIXGATE_CALLBACK_URL: context.world.env.PIXGATE_CALLBACK_URL || LOCAL_PROFILE.callbackUrl,
      PIXGATE_DATA_DIR: folder,
      // A script that names a profile must not reach real money from inside a sandbox.
      PIXGATE_CONFIG_DIR: folder,
      PIXGATE_PROFILE: undefined,
    })
  } finally {
    await sandbox.close()
    await rm(folder, { recursive: true, force: true })
  }
}

/** Runs the command with our streams. Its exit code, or 128 and the number of the signal that ended it. */
function runChild(context: Context, commandLine: string[], env: NodeJS.ProcessEnv): Promise<number> {
  const [file = '', ...args] = commandLine
  return new Promise((resolve, reject) => {
    const child = spawn(file, args, { stdio: 'inherit', env })
    const terminate = () => child.kill('SIGTERM')
    context.world.abandon.addEventListener('abort', terminate)
    child.on('error', (error: NodeJS.ErrnoException) => {
      const hint = t`Check its name; words after \`--\` are the command and its arguments`
      if (error.code === 'ENOENT') reject(new UsageError(t`There is no command \`${file}\``, { hint }))
      else reject(new UsageError(t`The command \`${file}\` cannot be run: ${error.code ?? error.message}`, { hint }))
    })
    child.on('exit', (code, signal) => {
      context.world.abandon.removeEventListener('abort', terminate)
      resolve(code ?? 128 + (signal === null ? 0 : constants.signals[signal]))
    })
  })
}
