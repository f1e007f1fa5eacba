import { Command } from 'commander'
import type { Run } from '../../context.ts'
import { examples } from '../examples.ts'
import { eventsGroup } from './events/group.ts'
import { webhookListen } from './listen.ts'
import { webhookReplay } from './replay.ts'
import { webhookSend } from './send.ts'
import { webhookSign } from './sign.ts'
import { webhookVerify } from './verify.ts'

/** `pixgate webhook`: verify, receive, send and replay the gateway's events. */
export function webhookGroup(run: Run): Command {
  return new Command('webhook')
    .summary('verify, receive, send and replay webhooks')
    .description("The gateway's webhooks: verify their signatures, receive, send and replay them")
    .addCommand(webhookVerify(run))
    .addCommand(webhookListen(run))
    .addCommand(eventsGroup(run))
    .addCommand(webhookReplay(run))
    .addCommand(webhookSend(run))
    .addCommand(webhookSign(run))
    .addHelpText(
      'after',
      examples(
        ['pixgate webhook listen --forward-to http://127.0.0.1:3000/webhooks', 'verify, show, record and pass on'],
        ['pixgate webhook send pix.received --to http://127.0.0.1:3000/webhooks', 'a signed sample for your server'],
        ['pixgate webhook replay --last --to http://127.0.0.1:3000/webhooks', 'the last event once more'],
      ),
    )
}
