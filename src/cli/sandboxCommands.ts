import type { CommandNode, GroupNode } from '../commands/command.ts'
import type { CONTROL_COMMANDS } from '../commands/sandbox/controls.ts'

const sandboxStart: CommandNode = {
  summary: 'run the gateway on your machine until Ctrl-C',
  description: 'Run the whole gateway on your machine, with payers, banks, time and failures',
  load: async () => (await import('../commands/sandbox/start.ts')).sandboxStart,
}

function control(name: keyof typeof CONTROL_COMMANDS, summary: string): CommandNode {
  return { summary, load: async () => (await import('../commands/sandbox/controls.ts')).CONTROL_COMMANDS[name] }
}

/** The heading of the main help page for what moves no real money. */
export const PRACTISE = 'Practise:'

export const sandbox: GroupNode = {
  summary: 'the gateway on your machine',
  heading: PRACTISE,
  description: 'The gateway on your machine: run it, be the payer or the bank, and make it fail',
  bare: sandboxStart,
  commands: {
    start: sandboxStart,
    exec: {
      summary: 'run a command against its own sandbox, then clean up',
      description:
        'Run a command against its own sandbox, with PIXGATE_BASE_URL, PIXGATE_CLIENT_ID and PIXGATE_CLIENT_SECRET set. `pixgate` is on its PATH.',
      load: async () => (await import('../commands/sandbox/exec.ts')).sandboxExec,
    },
    pay: control('pay', 'pay a QR code, as the payer would'),
    expire: control('expire', 'expire an unpaid code'),
    cancel: control('cancel', 'cancel an unpaid code or a pending transfer'),
    chargeback: control('chargeback', 'charge back a received payment, as the fraud procedure does'),
    return: control('return', 'return a transfer, as its receiver would'),
    deliver: control('deliver', 'deliver the last event of a transaction again'),
    fail: control('fail', 'make a pending transfer or refund fail'),
    fault: {
      summary: 'make the next responses or deliveries fail',
      description: 'Sandbox: make the next calls or webhook deliveries fail',
      bare: {
        summary: 'make the next responses or deliveries fail',
        load: async () => (await import('../commands/sandbox/faults.ts')).faultAdd,
      },
      commands: {
        list: {
          summary: 'list the faults that are still to come',
          load: async () => (await import('../commands/sandbox/faults.ts')).faultList,
        },
        clear: {
          summary: 'remove one of them, or all',
          load: async () => (await import('../commands/sandbox/faults.ts')).faultClear,
        },
      },
    },
    advance: control('advance', "move the sandbox's clock forward"),
    reset: control('reset', 'delete all state, as in a new sandbox'),
    state: {
      summary: "print the sandbox's whole state",
      load: async () => (await import('../commands/sandbox/state.ts')).sandboxState,
    },
    requests: {
      summary: 'list the requests and their answers',
      load: async () => (await import('../commands/sandbox/requests.ts')).sandboxRequests,
    },
    openapi: {
      summary: 'the OpenAPI document of the gateway',
      description: 'Sandbox: the OpenAPI 3.1 document of the gateway and of the control API, also at /openapi.json',
      load: async () => (await import('../commands/sandbox/openapi.ts')).sandboxOpenApi,
    },
  },
}
