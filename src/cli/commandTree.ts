import type { CommandDefinition, Example } from '../commands/command.ts'

/** Loads a command's module. Loading all of them would take longer than most commands take to run. */
type Load = () => Promise<CommandDefinition>

/** A command, with its line in the help of its parent. */
interface CommandNode {
  readonly summary: string
  readonly load: Load
}

/** A group of commands. Without a subcommand it runs `bare`, or reports that a subcommand is required. */
export type GroupNode = {
  readonly summary: string
  /** By name, in the order of help. */
  readonly commands: Readonly<Record<string, TreeNode>>
} & ({ readonly bare: CommandNode } | { readonly description: string; readonly examples: readonly Example[] })

export type TreeNode = CommandNode | GroupNode

function command(summary: string, load: Load): CommandNode {
  return { summary, load }
}

const qr: GroupNode = {
  summary: 'create, draw and read PIX QR codes',
  description: 'Create, draw and read PIX QR codes',
  examples: [['pixgate qr create --amount 10,50', 'a code that can be paid until tomorrow']],
  commands: {
    create: command(
      'create a dynamic PIX QR code (cash-in), draw it, optionally wait for the payment',
      async () => (await import('../commands/qr/create.ts')).qrCreate,
    ),
    draw: command(
      'draw a copy-and-paste code as a QR code',
      async () => (await import('../commands/qr/draw.ts')).qrDraw,
    ),
    decode: command(
      'read a BR Code offline: fields, CRC, verdict',
      async () => (await import('../commands/qr/decode.ts')).qrDecode,
    ),
  },
}

const batch: GroupNode = {
  summary: 'send transfers or refunds from a CSV file or a workbook',
  description: 'Send transfers or refunds from a CSV file or a workbook; no row is paid twice, even after a crash',
  examples: [['pixgate batch transfer payroll.csv --dry-run', 'check the file first']],
  commands: {
    transfer: command(
      'send all transfers in a CSV file or a workbook',
      async () => (await import('../commands/batch/transfer.ts')).batchTransfer,
    ),
    refund: command(
      'send all refunds in a CSV file or a workbook',
      async () => (await import('../commands/batch/refund.ts')).batchRefund,
    ),
    list: command(
      'list the batch runs on this machine',
      async () => (await import('../commands/batch/list.ts')).batchList,
    ),
    show: command('show the state of a batch run', async () => (await import('../commands/batch/show.ts')).batchShow),
    report: command('report on a batch run', async () => (await import('../commands/batch/report.ts')).batchReport),
    resume: command(
      'continue an interrupted batch run',
      async () => (await import('../commands/batch/resume.ts')).batchResume,
    ),
  },
}

const historyList = command(
  'the payments of the active account, each in its last state',
  async () => (await import('../commands/history/list.ts')).historyList,
)

const history: GroupNode = {
  summary: 'payments sent from this machine, and their results',
  bare: historyList,
  commands: {
    list: historyList,
    find: command(
      'search by names, keys, ids, amounts and days',
      async () => (await import('../commands/history/list.ts')).historyFind,
    ),
    show: command(
      'show everything known about one payment',
      async () => (await import('../commands/history/show.ts')).historyShow,
    ),
    check: command(
      'check the ledger, and compare it with the gateway or a statement',
      async () => (await import('../commands/history/check.ts')).historyCheck,
    ),
    import: command(
      'import events that your own receiver stored',
      async () => (await import('../commands/history/import.ts')).historyImport,
    ),
    settle: command(
      'record what you found out about a payment',
      async () => (await import('../commands/history/settle.ts')).historySettle,
    ),
    backup: command(
      'copy the ledger to a new file',
      async () => (await import('../commands/history/copies.ts')).historyBackup,
    ),
    export: command(
      'print all records as NDJSON',
      async () => (await import('../commands/history/copies.ts')).historyExport,
    ),
  },
}

const eventsList = command(
  'list the webhooks recorded on this machine',
  async () => (await import('../commands/webhook/events/list.ts')).eventsList,
)

const events: GroupNode = {
  summary: 'the webhooks recorded on this machine',
  bare: eventsList,
  commands: {
    list: eventsList,
    show: command(
      'show everything known about one recorded webhook',
      async () => (await import('../commands/webhook/events/show.ts')).eventsShow,
    ),
  },
}

const webhook: GroupNode = {
  summary: 'verify, receive, send and replay webhooks',
  description: 'Verify, receive, send and replay webhooks',
  examples: [
    ['pixgate webhook listen --forward-to http://127.0.0.1:3000/webhooks', 'verify, show, record and forward'],
    ['pixgate webhook send pix.received --to http://127.0.0.1:3000/webhooks', 'a signed sample for your server'],
    ['pixgate webhook replay --last --to http://127.0.0.1:3000/webhooks', 'the last event again'],
  ],
  commands: {
    verify: command(
      'check a signature, and find out why it does not match',
      async () => (await import('../commands/webhook/verify.ts')).webhookVerify,
    ),
    listen: command(
      'receive webhooks: verify, pretty-print, record, forward',
      async () => (await import('../commands/webhook/listen.ts')).webhookListen,
    ),
    events,
    replay: command(
      'deliver recorded events again, byte for byte or edited and re-signed',
      async () => (await import('../commands/webhook/replay.ts')).webhookReplay,
    ),
    send: command(
      'send a correctly signed sample (or your own body) to a URL',
      async () => (await import('../commands/webhook/send.ts')).webhookSend,
    ),
    sign: command(
      'print the signature of a body',
      async () => (await import('../commands/webhook/sign.ts')).webhookSign,
    ),
  },
}

const sandboxStart = command(
  'run the gateway on your machine until Ctrl-C',
  async () => (await import('../commands/sandbox/start.ts')).sandboxStart,
)

const sandbox: GroupNode = {
  summary: 'the gateway on your machine',
  bare: sandboxStart,
  commands: {
    start: sandboxStart,
    exec: command(
      'run a command against its own sandbox, then clean up',
      async () => (await import('../commands/sandbox/exec.ts')).sandboxExec,
    ),
    pay: command(
      'pay a QR code, as the payer would',
      async () => (await import('../commands/sandbox/controls.ts')).pay,
    ),
    expire: command('expire an unpaid code', async () => (await import('../commands/sandbox/controls.ts')).expire),
    cancel: command(
      'cancel an unpaid code or a pending transfer',
      async () => (await import('../commands/sandbox/controls.ts')).cancel,
    ),
    chargeback: command(
      'charge back a received payment, as the fraud procedure does',
      async () => (await import('../commands/sandbox/controls.ts')).chargeback,
    ),
    return: command(
      'return a transfer, as its receiver would',
      async () => (await import('../commands/sandbox/controls.ts')).returnTransfer,
    ),
    deliver: command(
      'deliver the last event of a transaction again',
      async () => (await import('../commands/sandbox/controls.ts')).deliver,
    ),
    fail: command(
      'make a pending transfer or refund fail',
      async () => (await import('../commands/sandbox/controls.ts')).fail,
    ),
    fault: command(
      'make the next responses or deliveries fail',
      async () => (await import('../commands/sandbox/controls.ts')).fault,
    ),
    advance: command(
      "move the sandbox's clock forward",
      async () => (await import('../commands/sandbox/controls.ts')).advance,
    ),
    reset: command(
      'delete all state, as in a new sandbox',
      async () => (await import('../commands/sandbox/controls.ts')).reset,
    ),
    state: command(
      "print the sandbox's whole state",
      async () => (await import('../commands/sandbox/state.ts')).sandboxState,
    ),
    requests: command(
      'list the requests and their answers',
      async () => (await import('../commands/sandbox/state.ts')).sandboxRequests,
    ),
    openapi: command(
      'the OpenAPI document of the gateway',
      async () => (await import('../commands/sandbox/openapi.ts')).sandboxOpenApi,
    ),
  },
}

const profile: GroupNode = {
  summary: 'store and select credentials',
  description: 'Store credentials together with the address they belong to, and choose which to use',
  examples: [
    ['pixgate profile list', 'all profiles; the active one is marked'],
    ['pixgate profile use local', 'back to the sandbox on this machine'],
  ],
  commands: {
    add: command('store credentials', async () => (await import('../commands/profile/add.ts')).profileAdd),
    list: command('list all stored profiles', async () => (await import('../commands/profile/show.ts')).profileList),
    show: command(
      'show a profile and where its values come from',
      async () => (await import('../commands/profile/show.ts')).profileShow,
    ),
    use: command('choose the active profile', async () => (await import('../commands/profile/use.ts')).profileUse),
    edit: command('change a stored profile', async () => (await import('../commands/profile/edit.ts')).profileEdit),
    remove: command(
      'remove a profile and its secret',
      async () => (await import('../commands/profile/remove.ts')).profileRemove,
    ),
  },
}

export const COMMAND_TREE: GroupNode = {
  summary: '',
  description: 'The command line for an instant-payment (PIX) gateway, with the gateway itself as a sandbox',
  examples: [
    ['pixgate demo', 'watch a payment from QR code to refund in a few seconds'],
    ['pixgate sandbox', 'start the gateway on your machine, for the commands below'],
    ['pixgate qr create --amount 25,00', 'charge a payer'],
    ['pixgate status <id>', 'look up the payment'],
  ],
  commands: {
    demo: command('the whole service, live, in your terminal', async () => (await import('./demo/demo.ts')).demo),
    qr,
    refund: command(
      'refund all or part of a received payment',
      async () => (await import('../commands/refund.ts')).refund,
    ),
    transfer: command(
      'send a PIX transfer to a PIX key (cash-out)',
      async () => (await import('../commands/transfer.ts')).transfer,
    ),
    status: command(
      'show what is known about one or many transactions',
      async () => (await import('../commands/status/status.ts')).status,
    ),
    resume: command(
      'continue what was interrupted or has an unknown outcome',
      async () => (await import('../commands/resume.ts')).resume,
    ),
    batch,
    history,
    webhook,
    inspect: command('events and payments in a browser', async () => (await import('../commands/inspect.ts')).inspect),
    sandbox,
    profile,
    schema: command(
      'JSON Schemas of the events and of every JSON output',
      async () => (await import('../commands/schema.ts')).schema,
    ),
    doctor: command(
      'check the setup: what is wrong and how to fix it',
      async () => (await import('../commands/doctor.ts')).doctor,
    ),
    completion: command(
      'print the completion script for a shell',
      async () => (await import('../commands/completion.ts')).completion,
    ),
  },
}
