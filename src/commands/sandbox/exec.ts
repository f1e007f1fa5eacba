import { spawn } from 'node:child_process'
import { mkdtemp, rm } from 'node:fs/promises'
import { constants, tmpdir } from 'node:os'
import { join } from 'node:path'
import { Command } from 'commander'
import type { Context, Run } from '../../context.ts'
import { LOCAL_PROFILE } from '../../profiles/account.ts'
import { t } from '../../text/words.ts'
import { UsageError } from '../../wire/errors.ts'
import { examples } from '../examples.ts'
import { collect, notBlank } from '../optionValues.ts'
import { launchSandbox } from './launch.ts'
import { openLogFile } from './logFile.ts'
import { addSandboxOptions, readSandboxOptions, type TypedSandboxOptions } from './options.ts'

/** `pixgate sandbox exec -- <command>`: a command with a sandbox of its own. */
export function sandboxExec(run: Run): Command {
  const command = new Command('exec')
    .description(
      'Run a command with PIXGATE_BASE_URL, PIXGATE_CLIENT_ID and PIXGATE_CLIENT_SECRET of a sandbox that lives as long as it',
    )
    .argument('<command...>', 'the command and its arguments, after --')
  return addSandboxOptions(command, '0')
    .option('--env <name>', 'set the address under this name too, repeatable', collect)
    .option('--log <file>', 'write its requests and deliveries to this file, one line of JSON each')
    .addHelpText(
      'after',
      examples(
        ['pixgate sandbox exec -- npm test', 'your tests, each time with a fresh gateway'],
        [
          'pixgate sandbox exec --auto-pay 1s -- pixgate qr create --amount 10 --wait',
          'a payment from beginning to end',
        ],
      ),
    )
    .action(run(execute))
}

interface ExecOptions extends TypedSandboxOptions {
  env?: string[]
  log?: string
}

async function execute(context: Context, commandLine: string[], typed: ExecOptions): Promise<number> {
  notBlank(commandLine[0] ?? '', '<command>')
  const names = (typed.env ?? []).map(variableName)
  const log = typed.log === undefined ? undefined : openLogFile(typed.log)
  const options = await readSandboxOptions(context, typed, { port: 0 })
  const folder = await mkdtemp(join(tmpdir(), 'pixgate-exec-'))
  const sandbox = await launchSandbox({ ...options, onLog: log?.write })
  try {
    return await runChild(context, commandLine, {
      ...context.world.env,
      ...Object.fromEntries(names.map((name) => [name, sandbox.url])),
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
    log?.close()
    await rm(folder, { recursive: true, force: true })
  }
}

function variableName(typed: string): string {
  if (/^[A-Za-z_]\w*$/.test(typed)) return typed
  throw new UsageError(t`\`--env\`: \`${typed}\` is not the name of a variable`, {
    hint: t`Give the name alone: \`--env PAYMENTS_URL\``,
  })
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
