import type { Context } from '../../context.ts'
import type { EventCommand } from '../../inspector/pageData.ts'
import { isConnectionHeader } from '../../listener/webhookPost.ts'
import { t } from '../../text/translate.ts'
import { curlCommand } from '../../views/events/curlCommand.ts'
import { isSecretHeader, redact } from '../../wire/secret.ts'
import { chooseTargets, omittedHeaders, prepareRedelivery } from '../webhook/redelivery.ts'
import { defaultTarget } from '../webhook/targetUrl.ts'
import type { InspectedEvents } from './inspectedEvents.ts'

/**
 * The curl command that sends a delivery as `webhook replay` would, without credentials. Throws NotFound, Refused if the body holds a
 * secret of this process, and UsageError if no target is known.
 */
export async function commandForEvent(context: Context, events: InspectedEvents, key: string): Promise<EventCommand> {
  const { isRecorded, shown } = await events.named(key)
  const body = Buffer.from((await events.bytes(key)).base64, 'base64')
  if (isRecorded) {
    const event = await events.recorded(key)
    const [target] = await chooseTargets(context, [event], undefined)
    if (target === undefined) throw new Error('an event has no target')
    return commandFor(prepareRedelivery(event, body, target, undefined), omittedHeaders([event]))
  }
  const { secrets } = context.runtime
  const hasCredential = ([name, value]: readonly [string, string]) =>
    isSecretHeader(name) || redact(value, secrets) !== value
  const { url } = await defaultTarget(context, await context.signer())
  const headers = shown.headers.filter((header) => !hasCredential(header))
  return commandFor(
    { url, headers, body },
    shown.headers.filter(hasCredential).map(([name]) => name),
  )
}

function commandFor(
  { url, headers, body }: Parameters<typeof curlCommand>[0],
  omitted: readonly string[],
): EventCommand {
  return {
    command: curlCommand({ url, headers: headers.filter(([name]) => !isConnectionHeader(name)), body }),
    note: omitted.length === 0 ? '' : t`It does not send ${omitted.join(', ')}: credentials are not copied`,
  }
}
