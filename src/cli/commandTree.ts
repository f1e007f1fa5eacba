import type { CommandNode, GroupNode } from '../commands/command.ts'
import { sandbox } from './sandboxCommands.ts'
import { webhook } from './webhookCommands.ts'

const qr: GroupNode = {
  summary: 'create, draw and read PIX QR codes',
  description: 'Create, draw and read PIX QR codes',
  examples: [['pixgate qr create --amount 10,50', 'a code that can be paid until tomorrow']],
  commands: {
    create: {
      summary: 'create a dynamic PIX QR code (cash-in), draw it, optionally wait for the payment',
      description: 'Create a dynamic PIX QR code, draw it, and optionally wait for the payment',
      load: async () => (await import('../commands/qr/create.ts')).qrCreate,
    },
    draw: {
      summary: 'draw a copy-and-paste code as a QR code',
      description: 'Draw a copy-and-paste code as a QR code, and print the code below it',
      load: async () => (await import('../commands/qr/draw.ts')).qrDraw,
    },
    decode: {
      summary: 'read a BR Code offline: fields, CRC, verdict',
      description:
        'Read a BR Code offline. The exit code is 0 for a valid code, 1 for an invalid one and 2 if there is no code.',
      load: async () => (await import('../commands/qr/decode.ts')).qrDecode,
    },
  },
}

const batch: GroupNode = {
  summary: 'send transfers or refunds from a CSV file or a workbook',
  description: 'Send transfers or refunds from a CSV file or a workbook; no row is paid twice, even after a crash',
  examples: [['pixgate batch transfer payroll.csv --dry-run', 'check the file first']],
  commands: {
    transfer: {
      summary: 'send all transfers in a CSV file or a workbook',
      description: 'Send all transfers in a CSV file or a workbook, and pay no row twice, even after a crash',
      load: async () => (await import('../commands/batch/transfer.ts')).batchTransfer,
    },
    refund: {
      summary: 'send all refunds in a CSV file or a workbook',
      description: 'Refund all or part of the payments in a CSV file or a workbook, no row twice',
      load: async () => (await import('../commands/batch/refund.ts')).batchRefund,
    },
    list: {
      summary: 'list the batch runs on this machine',
      description: 'List the runs of this machine, newest first, with the outcomes of their rows',
      load: async () => (await import('../commands/batch/list.ts')).batchList,
    },
    show: {
      summary: 'show the state of a batch run',
      description: 'Show the rows of a run with their final states, and the sums of each state',
      load: async () => (await import('../commands/batch/show.ts')).batchShow,
    },
    report: {
      summary: 'report on a batch run',
      description:
        'Write a report on every row of a run to a new file: payees, final states, reasons, ids, times in São Paulo, totals, and who sent it',
      load: async () => (await import('../commands/batch/report.ts')).batchReport,
    },
    resume: {
      summary: 'continue an interrupted batch run',
      description:
        'Continue a run: skip rows with an answer, and send rows with an unknown outcome again with the same external id',
      load: async () => (await import('../commands/batch/resume.ts')).batchResume,
    },
  },
}

const historyList: CommandNode = {
  summary: 'the payments of the active account, each in its last state',
  description: 'The payments of the active account, each once in its last state, oldest first',
  load: async () => (await import('../commands/history/list.ts')).historyList,
}

const history: GroupNode = {
  summary: 'payments sent from this machine, and their results',
  bare: historyList,
  commands: {
    list: historyList,
    find: {
      summary: 'search by names, keys, ids, amounts and days',
      description:
        'Search payments by names, keys, ids, references, reasons, events and cells of batches; amounts and days among the words narrow the search',
      load: async () => (await import('../commands/history/list.ts')).historyFind,
    },
    show: {
      summary: 'show everything known about one payment',
      description: 'Show everything known about one payment: all attempts, answers, events and findings, oldest first',
      load: async () => (await import('../commands/history/show.ts')).historyShow,
    },
    check: {
      summary: 'check the ledger, and compare it with the gateway or a statement',
      description:
        'Check the ledger, and list payments that are unknown, late or different at the gateway: exit 0 if none, 1 if one is late or differs, 5 if one is unknown. No payment is changed',
      load: async () => (await import('../commands/history/check.ts')).historyCheck,
    },
    import: {
      summary: 'import events that your own receiver stored',
      description:
        'Verify the webhooks that your own receiver stored, and record the genuine ones as if they had arrived here',
      load: async () => (await import('../commands/history/import.ts')).historyImport,
    },
    settle: {
      summary: 'record what you found out about a payment',
      description:
        'Record what you found out about a payment, in the dashboard or from the receiver. The same payment stays a repeat for six days',
      load: async () => (await import('../commands/history/settle.ts')).historySettle,
    },
    backup: {
      summary: 'copy the ledger to a new file',
      description:
        'Copy the ledger to a new file while other commands write. To restore it, put it in place of `ledger.db` in the data folder, without the files `ledger.db-wal` and `ledger.db-shm`',
      load: async () => (await import('../commands/history/copies.ts')).historyBackup,
    },
    export: {
      summary: 'print all records as NDJSON',
      description:
        'Print every record of the ledger as one line of JSON, with its number and checksum; keys and tax documents unmasked',
      load: async () => (await import('../commands/history/copies.ts')).historyExport,
    },
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
    add: {
      summary: 'store credentials',
      description: 'Store credentials and the address they belong to; the first profile becomes active',
      load: async () => (await import('../commands/profile/add.ts')).profileAdd,
    },
    list: {
      summary: 'list all stored profiles',
      description: 'List all stored profiles; * marks the active one, secrets are masked',
      load: async () => (await import('../commands/profile/show.ts')).profileList,
    },
    show: {
      summary: 'show a profile and where its values come from',
      description: 'Show one profile and where each of its values comes from; the secret is masked',
      load: async () => (await import('../commands/profile/show.ts')).profileShow,
    },
    use: {
      summary: 'choose the active profile',
      description: 'Make a profile the active one, used unless another is selected; `local` is built in',
      load: async () => (await import('../commands/profile/use.ts')).profileUse,
    },
    edit: {
      summary: 'change a stored profile',
      description: 'Change the given settings and keep the others; a new address requires the secret again',
      load: async () => (await import('../commands/profile/edit.ts')).profileEdit,
    },
    remove: {
      summary: 'remove a profile and its secret',
      description: 'Remove a profile and its secret; asks first, unless --yes is given',
      load: async () => (await import('../commands/profile/remove.ts')).profileRemove,
    },
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
    demo: {
      summary: 'the whole service, live, in your terminal',
      description: 'Start a sandbox and a listener, and show one payment from start to finish; nothing is left behind',
      load: async () => (await import('./demo/demo.ts')).demo,
    },
    qr,
    refund: {
      summary: 'refund all or part of a received payment',
      description: 'Refund all or part of a received PIX payment, within 30 days',
      load: async () => (await import('../commands/refund.ts')).refund,
    },
    transfer: {
      summary: 'send a PIX transfer to a PIX key (cash-out)',
      description: 'Send a PIX transfer to a PIX key; a webhook event reports its result',
      load: async () => (await import('../commands/transfer.ts')).transfer,
    },
    status: {
      summary: 'show what is known about one or many transactions',
      description:
        'The state of payments: charges from the gateway, within its limit of 100 queries a minute; transfers, refunds and runs from the ledger, because the gateway has no query for them',
      load: async () => (await import('../commands/status/status.ts')).status,
    },
    resume: {
      summary: 'continue what was interrupted or has an unknown outcome',
      description:
        'Send a transfer with an unknown outcome again: the same bytes with the same external id, which the gateway carries out only once; or continue a batch',
      load: async () => (await import('../commands/resume.ts')).resume,
    },
    batch,
    history,
    webhook,
    inspect: {
      summary: 'events and payments in a browser',
      description:
        'Serve a page on this machine that shows events as they arrive, compares and replays them, searches payments and controls the sandbox',
      load: async () => (await import('../commands/inspect.ts')).inspect,
    },
    sandbox,
    profile,
    schema: {
      summary: 'JSON Schemas of the events and of every JSON output',
      description:
        'JSON Schemas (2020-12) of the webhook bodies and of every -o json output; without a name, all names',
      load: async () => (await import('../commands/schema.ts')).schema,
    },
    doctor: {
      summary: 'check the setup: what is wrong and how to fix it',
      description: 'Check the environment, the credentials and the connection to the gateway; sends one harmless query',
      load: async () => (await import('../commands/doctor.ts')).doctor,
    },
    completion: {
      summary: 'print the completion script for a shell',
      description: 'Print the script that completes commands, options and values when you press Tab',
      load: async () => (await import('../commands/completion.ts')).completion,
    },
  },
}
