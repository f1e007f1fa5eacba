import { Malformed } from '../../pix/malformed.ts'
import type { SandboxOptions } from '../../sandbox/options.ts'
import type { RunningSandbox } from '../../sandbox/server.ts'
import { t } from '../../text/words.ts'
import { UsageError } from '../../wire/errors.ts'

/** Starts a sandbox. Throws UsageError where it cannot listen, with the reason in words. */
export async function launchSandbox(options: SandboxOptions): Promise<RunningSandbox> {
  const { startSandbox } = await import('../../sandbox/server.ts')
  try {
    return await startSandbox(options)
  } catch (error) {
    throw cannotStart(error, options)
  }
}

function cannotStart(error: unknown, { host, port }: SandboxOptions): unknown {
  if (error instanceof Malformed) return new UsageError(t`\`--allow-ip\`: ${error.message}`, { hint: error.hint })
  if (!(error instanceof Error) || !('code' in error)) return error
  if (error.code === 'EADDRINUSE') {
    return new UsageError(t`Port ${port} is in use on \`${host}\``, {
      hint: t`Is a sandbox running already? Stop it, or choose another port: \`--port 0\` picks a free one`,
    })
  }
  if (error.code === 'ENOTFOUND' || error.code === 'EADDRNOTAVAIL' || error.code === 'EAI_AGAIN') {
    return new UsageError(t`\`--host\`: \`${host}\` is no address of this machine`, {
      hint: t`Write \`127.0.0.1\`, or \`0.0.0.0\` to let other machines in`,
    })
  }
  return new UsageError(t`Nothing can listen on \`${host}\`, port ${port}: ${String(error.code)}`, {
    hint: t`Choose another \`--host\` or \`--port\`; ports below 1024 belong to the system`,
  })
}
