import type { Context } from '../../context.ts'
import { LOCAL_PROFILE } from '../../profiles/account.ts'
import { labelled } from '../../terminal/terminal.ts'
import { t } from '../../text/words.ts'
import { isLoopbackHost } from '../../wire/address.ts'
import { defineCommand } from '../command.ts'
import { refuseCsv } from '../optionValues.ts'
import { untilAborted } from '../untilAborted.ts'
import { launchSandbox } from './launch.ts'
import { readSandboxOptions, SANDBOX_OPTIONS, type TypedSandboxOptions } from './options.ts'

const DEFAULT_PORT = 4010

/** `pixgate sandbox start`, which is also the bare `pixgate sandbox`. */
export const sandboxStart = defineCommand({
  description: 'Run the whole gateway on your machine, and play payers, banks, time and mishap',
  options: [
    { flags: '--port <port>', description: `port to listen on, 0 picks a free one (default ${DEFAULT_PORT})` },
    ...SANDBOX_OPTIONS,
  ],
  examples: [
    ['pixgate sandbox', 'the gateway at http://127.0.0.1:4010, which the built-in profile `local` uses'],
    ['pixgate sandbox --port 0 --auto-pay 3s -o json', 'on a free port, every code is paid after 3 seconds'],
    ['pixgate sandbox pay <id>', 'in another terminal: be the payer'],
  ],
  run: start,
})

async function start(context: Context, typed: TypedSandboxOptions): Promise<number> {
  const { terminal, print, world } = context
  refuseCsv(context)
  const options = await readSandboxOptions(context, typed, { port: DEFAULT_PORT })
  const sandbox = await launchSandbox({ ...options, onNotice: (line) => terminal.note(line) })
  const host = new URL(sandbox.url).hostname
  const asLocal = options.clientId === LOCAL_PROFILE.clientId && options.clientSecret === LOCAL_PROFILE.clientSecret
  print.item({ type: 'ready', url: sandbox.url }, () => [
    t`The sandbox listens at ${sandbox.url}`,
    '',
    ...labelled(
      [
        [t`client id`, options.clientId],
        [t`secret`, asLocal ? LOCAL_PROFILE.clientSecret : t`as you gave it`],
        [t`in use by`, usage(sandbox.url, asLocal)],
      ],
      terminal.out,
    ),
  ])
  terminal.note(t`Ctrl-C stops it; whatever happened in it is gone then`)
  if (!isLoopbackHost(host) || options.host === '0.0.0.0' || options.host === '::') {
    terminal.warn(t`Other machines can reach it: anybody who knows the secret can play with it`)
  }
  await untilAborted(world.interrupt)
  await sandbox.close()
  return 0
}

function usage(url: string, asLocal: boolean): string {
  if (asLocal && url === LOCAL_PROFILE.baseUrl) return t`every command, as the profile local`
  if (asLocal) return t`every command with --base-url ${url}`
  return t`PIXGATE_BASE_URL=${url}, PIXGATE_CLIENT_ID and PIXGATE_CLIENT_SECRET`
}
