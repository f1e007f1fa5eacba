import type { CommandNode, GroupNode } from '../commands/command.ts'

const sandboxStart: CommandNode = {
  summary: 'run the gateway on your machine until Ctrl-C',
  description: 'Run the whole gateway on your machine, and simulate payers, banks, time and failures',
  load: async () => (await import('../commands/sandbox/start.ts')).sandboxStart,
}

export const sandbox: GroupNode = {
  summary: 'the gateway on your machine',
  bare: sandboxStart,
  commands: {
    start: sandboxStart,
    exec: {
      summary: 'run a command against its own sandbox, then clean up',
      description:
        'Run a command against its own sandbox, with PIXGATE_BASE_URL, PIXGATE_CLIENT_ID and PIXGATE_CLIENT_SECRET set. `pixgate` is on its PATH.',
      load: async () => (await import('../commands/sandbox/exec.ts')).sandboxExec,
    },
    pay: {
      summary: 'pay a QR code, as the payer would',
      load: async () => (await import('../commands/sandbox/controls.ts')).pay,
    },
    expire: {
      summary: 'expire an unpaid code',
      load: async () => (await import('../commands/sandbox/controls.ts')).expire,
    },
    cancel: {
      summary: 'cancel an unpaid code or a pending transfer',
      load: async () => (await import('../commands/sandbox/controls.ts')).cancel,
    },
    chargeback: {
      summary: 'charge back a received payment, as the fraud procedure does',
      load: async () => (await import('../commands/sandbox/controls.ts')).chargeback,
    },
    return: {
      summary: 'return a transfer, as its receiver would',
      load: async () => (await import('../commands/sandbox/controls.ts')).returnTransfer,
    },
    deliver: {
      summary: 'deliver the last event of a transaction again',
      load: async () => (await import('../commands/sandbox/controls.ts')).deliver,
    },
    fail: {
      summary: 'make a pending transfer or refund fail',
      load: async () => (await import('../commands/sandbox/controls.ts')).fail,
    },
    fault: {
      summary: 'make the next responses or deliveries fail',
      load: async () => (await import('../commands/sandbox/controls.ts')).fault,
    },
    advance: {
      summary: "move the sandbox's clock forward",
      load: async () => (await import('../commands/sandbox/controls.ts')).advance,
    },
    reset: {
      summary: 'delete all state, as in a new sandbox',
      load: async () => (await import('../commands/sandbox/controls.ts')).reset,
    },
    state: {
      summary: "print the sandbox's whole state",
      load: async () => (await import('../commands/sandbox/state.ts')).sandboxState,
    },
    requests: {
      summary: 'list the requests and their answers',
      load: async () => (await import('../commands/sandbox/state.ts')).sandboxRequests,
    },
    openapi: {
      summary: 'the OpenAPI document of the gateway',
      description: 'Sandbox: the OpenAPI 3.1 document of the gateway and of the control API, also at /openapi.json',
      load: async () => (await import('../commands/sandbox/openapi.ts')).sandboxOpenApi,
    },
  },
}
