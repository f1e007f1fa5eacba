import type { CommandDefinition, Example } from '../commands/command.ts'

/** Reads the file of a command; reading all of them would take longer than most commands do. */
type Load = () => Promise<CommandDefinition>

/** A command, with its line in the help of its group. */
interface CommandNode {
  readonly summary: string
  readonly load: Load
}

/** A group of commands; called bare it does what the command `bare` does, or tells what to choose from. */
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
  examples: [['pixgate qr create --amount 10,50', 'a code to be paid until tomorrow']],
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
  description: 'Send transfers or refunds from a CSV file or a workbook; nothing is paid twice, and nothing is lost',
  examples: [['pixgate batch transfer payroll.csv --dry-run', 'check the file first']],
  commands: {
    transfer: command(
      'send all the transfers of a CSV file or a workbook',
      async () => (await import('../commands/batch/transfer.ts')).batchTransfer,
    ),
    refund: command(
      'make all the refunds of a CSV file or a workbook',
      async () => (await import('../commands/batch/refund.ts')).batchRefund,
    ),
    list: command('the batches of this machine', async () => (await import('../commands/batch/list.ts')).batchList),
    show: command('how a batch stands', async () => (await import('../commands/batch/show.ts')).batchShow),
    report: command(
      'write what became of a batch to a file for an accountant',
      async () => (await import('../commands/batch/report.ts')).batchReport,
    ),
    resume: command(
      'go on with a batch that was interrupted',
      async () => (await import('../commands/batch/resume.ts')).batchResume,
    ),
  },
}

const historyList = command(
  'the payments of the active account, each in its last state',
  async () => (await import('../commands/history/list.ts')).historyList,
)

const history: GroupNode = {
  summary: 'what was sent from this machine, and what became of it',
  bare: historyList,
  commands: {
    list: historyList,
    find: command(
      'search by names, keys, ids, amounts and days',
      async () => (await import('../commands/history/find.ts')).historyFind,
    ),
    show: command(
      'everything that is known of one payment',
      async () => (await import('../commands/history/show.ts')).historyShow,
    ),
    check: command(
      'check the ledger, and compare it with the gateway or a statement',
      async () => (await import('../commands/history/check.ts')).historyCheck,
    ),
    import: command(
      'take in events that your own receiver kept',
      async () => (await import('../commands/history/import.ts')).historyImport,
    ),
    settle: command(
      'record what you found out about a payment',
      async () => (await import('../commands/history/settle.ts')).historySettle,
    ),
    backup: command(
      'copy the ledger to a new file',
      async () => (await import('../commands/history/backup.ts')).historyBackup,
    ),
    export: command(
      'print all records as NDJSON',
      async () => (await import('../commands/history/export.ts')).historyExport,
    ),
  },
}

const eventsList = command(
  'the webhooks that were recorded on this machine',
  async () => (await import('../commands/webhook/events/list.ts')).eventsList,
)

const events: GroupNode = {
  summary: 'the webhooks that were recorded on this machine',
  bare: eventsList,
  commands: {
    list: eventsList,
    show: command(
      'everything that is known of one recorded webhook',
      async () => (await import('../commands/webhook/events/show.ts')).eventsShow,
    ),
  },
}

const webhook: GroupNode = {
  summary: 'verify, receive, send and replay webhooks',
  description: "The gateway's webhooks: verify their signatures, receive, send and replay them",
  examples: [
    ['pixgate webhook listen --forward-to http://127.0.0.1:3000/webhooks', 'verify, show, record and pass on'],
    ['pixgate webhook send pix.received --to http://127.0.0.1:3000/webhooks', 'a signed sample for your server'],
    ['pixgate webhook replay --last --to http://127.0.0.1:3000/webhooks', 'the last event once more'],
  ],
  commands: {
    verify: command(
      'is this signature right for these bytes, and if not, why not',
      async () => (await import('../commands/webhook/verify.ts')).webhookVerify,
    ),
    listen: command(
      'temporary listener: verify, pretty-print, record, forward',
      async () => (await import('../commands/webhook/listen.ts')).webhookListen,
    ),
    events,
    replay: command(
      'deliver recorded events again, byte for byte or edited and signed anew',
      async () => (await import('../commands/webhook/replay.ts')).webhookReplay,
    ),
    send: command(
      'send a correctly signed sample (or your own body) to a URL',
      async () => (await import('../commands/webhook/send.ts')).webhookSend,
    ),
    sign: command(
      'the signature of these bytes',
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
      'run a command against a sandbox of its own, then clean up',
      async () => (await import('../commands/sandbox/exec.ts')).sandboxExec,
    ),
    pay: command('be the payer of a code', async () => (await import('../commands/sandbox/controls.ts')).pay),
    expire: command('let a code expire unpaid', async () => (await import('../commands/sandbox/controls.ts')).expire),
    cancel: command(
      'cancel an unpaid code, or a transfer under way',
      async () => (await import('../commands/sandbox/controls.ts')).cancel,
    ),
    chargeback: command(
      'take a received payment back, as the fraud procedure does',
      async () => (await import('../commands/sandbox/controls.ts')).chargeback,
    ),
    return: command(
      'let the receiver of a transfer send it back',
      async () => (await import('../commands/sandbox/controls.ts')).returnTransfer,
    ),
    deliver: command(
      'deliver the last event of a transaction again',
      async () => (await import('../commands/sandbox/controls.ts')).deliver,
    ),
    fail: command(
      'let a transfer or refund under way fail',
      async () => (await import('../commands/sandbox/controls.ts')).fail,
    ),
    fault: command(
      'make the next answers or deliveries misbehave',
      async () => (await import('../commands/sandbox/controls.ts')).fault,
    ),
    advance: command(
      'move the clock of the sandbox forward',
      async () => (await import('../commands/sandbox/controls.ts')).advance,
    ),
    reset: command(
      'forget everything: as on the first day',
      async () => (await import('../commands/sandbox/controls.ts')).reset,
    ),
    state: command(
      'everything that the sandbox knows',
      async () => (await import('../commands/sandbox/state.ts')).sandboxState,
    ),
  },
}

const profile: GroupNode = {
  summary: 'stored credentials',
  description: 'Store credentials, each with the address they belong to, and choose which are used',
  examples: [
    ['pixgate profile list', 'what is stored, and which one is used'],
    ['pixgate profile use local', 'back to the sandbox on this machine'],
  ],
  commands: {
    add: command('store credentials', async () => (await import('../commands/profile/add.ts')).profileAdd),
    list: command('all stored profiles', async () => (await import('../commands/profile/list.ts')).profileList),
    show: command(
      'one profile, with where its values come from',
      async () => (await import('../commands/profile/show.ts')).profileShow,
    ),
    use: command('choose the active profile', async () => (await import('../commands/profile/use.ts')).profileUse),
    edit: command('change a stored profile', async () => (await import('../commands/profile/edit.ts')).profileEdit),
    remove: command(
      'forget a profile and its secret',
      async () => (await import('../commands/profile/remove.ts')).profileRemove,
    ),
  },
}

/** All commands of pixgate. */
export const TREE: GroupNode = {
  summary: '',
  description: 'The command line for an instant-payment (PIX) gateway, with the gateway itself as a sandbox',
  examples: [
    ['pixgate demo', 'see all of it in a few seconds'],
    ['pixgate sandbox', 'the gateway on your machine, for everything below'],
    ['pixgate qr create --amount 25,00', 'take a payment'],
    ['pixgate status <id>', 'look it up'],
  ],
  commands: {
    demo: command('the whole service, live, in your terminal', async () => (await import('../demo/demo.ts')).demo),
    qr,
    refund: command(
      'return all or part of a received payment',
      async () => (await import('../commands/refund.ts')).refund,
    ),
    transfer: command(
      'send a PIX transfer to a PIX key (cash-out)',
      async () => (await import('../commands/transfer.ts')).transfer,
    ),
    status: command(
      'what is known of one or many transactions',
      async () => (await import('../commands/status/status.ts')).status,
    ),
    resume: command(
      'go on with what is in doubt or was interrupted',
      async () => (await import('../commands/resume.ts')).resume,
    ),
    batch,
    history,
    webhook,
    sandbox,
    profile,
    doctor: command(
      'what is set up, what is wrong, how to fix it',
      async () => (await import('../commands/doctor.ts')).doctor,
    ),
    completion: command(
      'the completion script for your shell',
      async () => (await import('./completion/command.ts')).completion,
    ),
  },
}
