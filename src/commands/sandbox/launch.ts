import { Malformed } from '../../pix/malformed.ts'
import type { SandboxOptions } from '../../sandbox/options.ts'
import type { RunningSandbox } from '../../sandbox/server.ts'
import { t } from '../../text/words.ts'
import { UsageError } from '../../wire/errors.ts'
import { listenFailure } from '../listenFailure.ts'

/** Starts a sandbox. Throws UsageError with the reason if it cannot listen. */
export async function launchSandbox(options: SandboxOptions): Promise<RunningSandbox> {
  const { startSandbox } = await import('../../sandbox/server.ts')
  try {
    return await startSandbox(options)
  } catch (error) {
    throw cannotStart(error, options)
  }
}

function cannotStart(error: unknown, options: SandboxOptions): unknown {
  if (error instanceof Malformed) return new UsageError(t`\`--allow-ip\`: ${error.message}`, { hint: error.hint })
  const inUse = t`Is a sandbox running already? Stop it, or choose another port: \`--port 0\` picks a free one`
  return listenFailure(error, options, inUse)
}
