import type { Context } from '../../context.ts'
import { controlSandbox } from '../../gateway/sandboxControl.ts'
import { LOCAL_PROFILE } from '../../profiles/account.ts'
import { typedAddress } from '../../profiles/typedAddress.ts'
import { t } from '../../text/words.ts'
import { readBaseAddress } from '../../wire/address.ts'
import type { AnswerFields } from '../../wire/answers.ts'
import { UsageError } from '../../wire/errors.ts'

/** Sends a control command to the sandbox of this command line; without a body it is a question. Throws UsageError beyond loopback. */
export async function callSandbox(
  context: Context,
  action: string,
  body: AnswerFields | undefined,
): Promise<AnswerFields> {
  const { settings, world } = context
  const address =
    typedAddress(settings.baseUrl, world.env) ?? readBaseAddress(LOCAL_PROFILE.baseUrl, LOCAL_PROFILE.name)
  if (!address.isLoopback) {
    throw new UsageError(
      t`\`${address.host}\` is not on this machine, and only a sandbox on this machine can be controlled`,
      {
        hint: t`Name the address that \`pixgate sandbox\` printed with \`--base-url\``,
      },
    )
  }
  return controlSandbox(address, action, body, {
    env: world.env,
    timeoutMs: settings.timeoutMs,
    interrupt: world.interrupt,
    abandon: world.abandon,
  })
}
