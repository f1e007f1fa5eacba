import { join } from 'node:path'
import { readPort } from '../optionParsers.ts'
import { isFileLimit, systemTrouble } from '../storage/systemTrouble.ts'
import { t } from '../text/translate.ts'
import { UsageError } from '../wire/errors.ts'

/** The port of the inspector's page if no other is given. */
export const INSPECTOR_PORT = '4040'

/** The port of a server, without its default. */
export const PORT_OPTION = {
  flags: '--port <port>',
  description: 'port to listen on, 0 picks a free one',
  parse: readPort,
} as const

/** The file in the data folder of a `sandbox exec` that holds the port of its callback URL. */
export function execPortFile(dataFolder: string): string {
  return join(dataFolder, 'callback-port')
}

const LOOPBACK = '127.0.0.1'

/** Starts a server that is only for this command, on a free port of this machine. Throws UsageError with the reason if it cannot listen. */
export async function onLoopback<Server>(
  start: (place: { host: string; port: number }) => Promise<Server>,
): Promise<Server> {
  const place = { host: LOOPBACK, port: 0 }
  try {
    return await start(place)
  } catch (error) {
    throw listenFailure(error, place, t`Stop a program that listens on many ports, then run the command again`)
  }
}

/** Turns a system error of a server that could not listen into a UsageError; returns any other error unchanged. */
export function listenFailure(
  error: unknown,
  { host, port }: { host: string; port: number },
  inUseHint: string,
): unknown {
  if (!(error instanceof Error) || !('code' in error)) return error
  if (error.code === 'EADDRNOTAVAIL' && host === LOOPBACK) {
    return new UsageError(t`This machine has no address \`${LOOPBACK}\`, which it has for itself alone`, {
      hint: t`Add it, such as with \`ip address add 127.0.0.1/8 dev lo\``,
    })
  }
  switch (error.code) {
    case 'EADDRINUSE':
      return new UsageError(t`Port \`${port}\` on \`${host}\` is already in use`, { hint: inUseHint })
    case 'ENOTFOUND':
    case 'EADDRNOTAVAIL':
    case 'EAI_AGAIN':
      return new UsageError(t`\`--host\`: \`${host}\` is not an address of this machine`, {
        hint: t`Use \`127.0.0.1\`, or \`0.0.0.0\` to accept connections from other machines`,
      })
    default:
      return new UsageError(t`Cannot listen on port \`${port}\` of \`${host}\`: ${systemTrouble(error, '').reason}`, {
        hint: isFileLimit(String(error.code))
          ? systemTrouble(error, '').hint
          : t`Choose another \`--host\` or \`--port\`; ports below 1024 are usually reserved for the system`,
      })
  }
}

/** Resolves when a signal is aborted, at once if it is already. */
export function untilAborted(signal: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    if (signal.aborted) resolve()
    else signal.addEventListener('abort', () => resolve(), { once: true })
  })
}
