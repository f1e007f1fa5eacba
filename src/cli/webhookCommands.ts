import type { CommandNode, GroupNode } from '../commands/command.ts'

/** The heading of the main help page for what has to do with webhooks. */
export const WEBHOOKS = 'Webhooks:'

const eventsList: CommandNode = {
  summary: 'list the webhooks recorded on this machine',
  description: 'List the webhooks recorded on this machine, with the results of forwarding them',
  load: async () => (await import('../commands/webhook/events/list.ts')).eventsList,
}

const events: GroupNode = {
  summary: 'the webhooks recorded on this machine',
  description: 'The webhooks recorded on this machine',
  bare: eventsList,
  commands: {
    list: eventsList,
    show: {
      summary: 'show everything known about one recorded webhook',
      description: 'Show everything known about one recorded webhook, or about all that name an id',
      load: async () => (await import('../commands/webhook/events/show.ts')).eventsShow,
    },
  },
}

export const webhook: GroupNode = {
  heading: WEBHOOKS,
  summary: 'verify, receive, send and replay webhooks',
  description: 'Verify, receive, send and replay webhooks',
  examples: [
    ['pixgate webhook listen --forward-to http://127.0.0.1:3000/webhooks', 'verify, show, record and forward'],
    ['pixgate webhook send pix.received --to http://127.0.0.1:3000/webhooks', 'a signed sample for your server'],
    ['pixgate webhook replay --last --to http://127.0.0.1:3000/webhooks', 'the last event again'],
  ],
  commands: {
    verify: {
      summary: 'check a signature, and find out why it does not match',
      description:
        'Verify the signature of a webhook over its exact bytes. The exit code is 0 for a valid one, 1 for any other. A cause is named only if it is proven.',
      load: async () => (await import('../commands/webhook/verify.ts')).webhookVerify,
    },
    listen: {
      summary: 'receive webhooks: verify, pretty-print, record, forward',
      description: 'Listen for webhooks until Ctrl-C: verify, record, print and forward each',
      load: async () => (await import('../commands/webhook/listen.ts')).webhookListen,
    },
    events,
    replay: {
      summary: 'deliver recorded events again, byte for byte or edited and re-signed',
      description: 'Deliver recorded events again: the same bytes, headers and signature, or edited and re-signed',
      load: async () => (await import('../commands/webhook/replay.ts')).webhookReplay,
    },
    send: {
      summary: 'send a correctly signed sample (or your own body) to a URL',
      description: 'Send a webhook as the gateway does: a fresh sample of an event, or your own body, signed',
      load: async () => (await import('../commands/webhook/send.ts')).webhookSend,
    },
    check: {
      summary: 'does a server receive webhooks correctly?',
      description:
        'Send marked samples of R$ 0,10 to a server, genuine and forged ones, and judge what it does with each. The exit code is 0 if all is right, 1 if anything is wrong and 6 if no connection was made.',
      load: async () => (await import('../commands/webhook/check.ts')).webhookCheck,
    },
    sign: {
      summary: 'print the signature of a body',
      description: 'Print the value of the X-Signature header for these exact bytes, and nothing else',
      load: async () => (await import('../commands/webhook/sign.ts')).webhookSign,
    },
  },
}
