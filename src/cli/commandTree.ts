import type { CommandNode, GroupNode } from '../commands/command.ts'
import { ledger, payee, profile, SET_UP } from './accountCommands.ts'
import { plan } from './planCommands.ts'
import { PRACTISE, sandbox } from './sandboxCommands.ts'
import { WEBHOOKS, webhook } from './webhookCommands.ts'

const MOVE_MONEY = 'Move money:'
const LOOK_UP = 'Look up:'

const qr: GroupNode = {
  heading: MOVE_MONEY,
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
  heading: MOVE_MONEY,
  summary: 'send transfers or refunds from a CSV file or a workbook',
  description: 'Send transfers or refunds from a CSV file or a workbook; no row is paid twice, even after a crash',
  examples: [['pixgate batch transfer payroll.csv --dry-run', 'check the file first']],
  commands: {
    transfer: {
      summary: 'send all transfers in a CSV file or a workbook',
      description: 'Send all transfers in a CSV file or a workbook, no row twice, even after a crash',
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
  summary: 'recorded payments, and their results',
  heading: LOOK_UP,
  description: 'List and search the recorded payments, and compare them with other books',
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
    report: {
      summary: 'write the month for the accountant',
      description:
        'Write a month of the active account to a file: what was received, refunded and sent per day and kind in São Paulo days, and the net',
      load: async () => (await import('../commands/history/report.ts')).historyReport,
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

export const COMMAND_TREE: GroupNode = {
  summary: '',
  description: 'The command line for an instant-payment (PIX) gateway, sandbox included',
  examples: [['pixgate demo', 'watch a payment from QR code to refund in a few seconds']],
  commands: {
    qr,
    refund: {
      heading: MOVE_MONEY,
      summary: 'refund all or part of a received payment',
      description: 'Refund all or part of a received PIX payment, within 30 days',
      load: async () => (await import('../commands/refund.ts')).refund,
    },
    transfer: {
      heading: MOVE_MONEY,
      summary: 'send a PIX transfer to a PIX key (cash-out)',
      description: 'Send a PIX transfer to a PIX key; a webhook event reports its result',
      load: async () => (await import('../commands/transfer.ts')).transfer,
    },
    batch,
    plan,
    resume: {
      heading: MOVE_MONEY,
      summary: 'continue what was interrupted or has an unknown outcome',
      description:
        'Send a transfer with an unknown outcome again: the same bytes with the same external id, which the gateway carries out only once; or continue a batch',
      load: async () => (await import('../commands/resume.ts')).resume,
    },
    status: {
      heading: LOOK_UP,
      summary: 'show what is known about one or many transactions',
      description:
        'The state of payments: charges from the gateway, within its limit of 100 queries a minute; transfers, refunds and runs from the ledger, because the gateway has no query for them',
      load: async () => (await import('../commands/status/status.ts')).status,
    },
    history,
    webhook,
    inspect: {
      heading: WEBHOOKS,
      summary: 'events and payments in a browser',
      description:
        'Serve a page on this machine that shows events as they arrive, compares and replays them, searches payments and controls the sandbox',
      load: async () => (await import('../commands/inspect.ts')).inspect,
    },
    demo: {
      heading: PRACTISE,
      summary: 'the whole service, live, in your terminal',
      description: 'Start a sandbox and a listener, and show one payment from start to finish; nothing is left behind',
      load: async () => (await import('./demo/demo.ts')).demo,
    },
    sandbox,
    payee,
    ledger,
    profile,
    doctor: {
      heading: SET_UP,
      summary: 'check the setup: what is wrong and how to fix it',
      description: 'Check the environment, the credentials and the connection to the gateway; sends one harmless query',
      load: async () => (await import('../commands/doctor.ts')).doctor,
    },
    schema: {
      heading: SET_UP,
      summary: 'JSON Schemas of the events and of every JSON output',
      description:
        'JSON Schemas (2020-12) of the webhook bodies and of every -o json output; without a name, all names',
      load: async () => (await import('../commands/schema.ts')).schema,
    },
    lang: {
      heading: SET_UP,
      summary: 'show or store the language',
      description: 'Show or store the language of what people read; JSON, codes, commands and options are English',
      load: async () => (await import('../commands/lang.ts')).lang,
    },
    completion: {
      heading: SET_UP,
      summary: 'print the completion script for a shell',
      description: 'Print the script that completes commands, options and values when you press Tab',
      load: async () => (await import('../commands/completion.ts')).completion,
    },
  },
}
