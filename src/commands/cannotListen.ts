import { t } from '../text/words.ts'
import { UsageError } from '../wire/errors.ts'

/** Why a server could not listen, as a UsageError with what to do; an error that is not the system's as it is. */
export function cannotListen(
  error: unknown,
  { host, port }: { host: string; port: number },
  inUseHint: string,
): unknown {
  if (!(error instanceof Error) || !('code' in error)) return error
  switch (error.code) {
    case 'EADDRINUSE':
      return new UsageError(t`Port ${port} is in use on \`${host}\``, { hint: inUseHint })
    case 'ENOTFOUND':
    case 'EADDRNOTAVAIL':
    case 'EAI_AGAIN':
      return new UsageError(t`\`--host\`: \`${host}\` is no address of this machine`, {
        hint: t`Write \`127.0.0.1\`, or \`0.0.0.0\` to let other machines in`,
      })
    default:
      return new UsageError(t`Nothing can listen on \`${host}\`, port ${port}: ${String(error.code)}`, {
        hint: t`Choose another \`--host\` or \`--port\`; ports below 1024 belong to the system`,
      })
  }
}
