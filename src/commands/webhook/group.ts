import { Command } from 'commander'
import type { Run } from '../../context.ts'
import { addEntries, type Entry, type Words } from '../entries.ts'
import { examples } from '../examples.ts'

const ENTRIES: readonly Entry[] = [
  [
    'verify',
    'is this signature right for these bytes, and if not, why not',
    async () => (await import('./verify.ts')).webhookVerify,
  ],
  [
    'listen',
    'temporary listener: verify, pretty-print, record, forward',
    async () => (await import('./listen.ts')).webhookListen,
  ],
  [
    'events',
    'the webhooks that were recorded on this machine',
    async () => (await import('./events/group.ts')).eventsGroup,
  ],
  [
    'replay',
    'deliver recorded events again, byte for byte or edited and signed anew',
    async () => (await import('./replay.ts')).webhookReplay,
  ],
  [
    'send',
    'send a correctly signed sample (or your own body) to a URL',
    async () => (await import('./send.ts')).webhookSend,
  ],
  ['sign', 'the signature of these bytes', async () => (await import('./sign.ts')).webhookSign],
]

/** `pixgate webhook`: verify, receive, send and replay the gateway's events. */
export function webhookGroup(run: Run, words: Words): Promise<Command> {
  const group = new Command('webhook')
    .description("The gateway's webhooks: verify their signatures, receive, send and replay them")
    .addHelpText(
      'after',
      examples(
        ['pixgate webhook listen --forward-to http://127.0.0.1:3000/webhooks', 'verify, show, record and pass on'],
        ['pixgate webhook send pix.received --to http://127.0.0.1:3000/webhooks', 'a signed sample for your server'],
        ['pixgate webhook replay --last --to http://127.0.0.1:3000/webhooks', 'the last event once more'],
      ),
    )
  return addEntries(group, ENTRIES, run, words)
}
