import type { CommandNode, GroupNode } from '../commandDefinition.ts'
import type { CONTROL_COMMANDS } from '../commands/sandbox/controls.ts'
import { REFUND_WINDOW_DAYS, REPEAT_DAYS } from '../pix/calendar.ts'
import { declared } from '../text/translate.ts'

// The headings of the main help page.
const MOVE_MONEY = 'Move money:'
const LOOK_UP = 'Look up:'
const WEBHOOKS = 'Webhooks:'
const PRACTISE = 'Practise:'
const SET_UP = 'Set up:'

const qr: GroupNode = {
  heading: MOVE_MONEY,
  summary: 'create, draw and read PIX QR codes',
  examples: [['pixgate qr create --amount 10,50', 'a code that can be paid until tomorrow']],
  commands: {
    create: {
      summary: 'create a dynamic PIX QR code (cash-in), draw it, optionally wait for the payment',
      load: async () => (await import('../commands/qr/create.ts')).qrCreate,
    },
    draw: {
      summary: 'draw a copy-and-paste code as a QR code',
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
  examples: [['pixgate batch transfer payroll.csv --dry-run', 'check the file first']],
  commands: {
    transfer: {
      summary: 'send all transfers in a CSV file or a workbook',
      description: 'Send all transfers in a CSV file or a workbook, no row twice, even after a crash',
      load: async () => (await import('../commands/batch/send.ts')).batchTransfer,
    },
    refund: {
      summary: 'send all refunds in a CSV file or a workbook',
      description: 'Refund all or part of the payments in a CSV file or a workbook, no row twice',
      load: async () => (await import('../commands/batch/send.ts')).batchRefund,
    },
    list: {
      summary: 'list the batch runs on this machine',
      load: async () => (await import('../commands/batch/pastRuns.ts')).batchList,
    },
    show: {
      summary: 'show the state of a batch run',
      description: 'Show the rows of a run with their final states, and the sums of each state',
      load: async () => (await import('../commands/batch/pastRuns.ts')).batchShow,
    },
    report: {
      summary: 'report on a batch run',
      description:
        'Write a report on every row of a run to a new file: payees, final states, reasons, ids, times in São Paulo, totals, and who sent it',
      load: async () => (await import('../commands/batch/pastRuns.ts')).batchReport,
    },
    resume: {
      summary: 'continue an interrupted batch run',
      description:
        'Continue a run: skip rows with an answer, and send rows with an unknown outcome again with the same external id',
      load: async () => (await import('../commands/batch/send.ts')).batchResume,
    },
  },
}

const historyList: CommandNode = {
  summary: 'the payments of the active account, each in its last state',
  load: async () => (await import('../commands/history/list.ts')).historyList,
}

const history: GroupNode = {
  summary: 'recorded payments, and their results',
  heading: LOOK_UP,
  bare: historyList,
  commands: {
    list: historyList,
    find: {
      summary: 'search by names, keys, ids, amounts and days',
      load: async () => (await import('../commands/history/list.ts')).historyFind,
    },
    show: {
      summary: 'show everything known about one payment',
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
      load: async () => (await import('../commands/history/import.ts')).historyImport,
    },
    settle: {
      summary: 'record what you found out about a payment',
      description: declared`Record what you found out about a payment, in the dashboard or from the receiver. The same payment stays a repeat for ${REPEAT_DAYS} days`,
      load: async () => (await import('../commands/history/settle.ts')).historySettle,
    },
    backup: {
      summary: 'copy the ledger to a new file',
      description:
        'Copy the ledger to a new file while other commands write. To restore it, put it in place of `ledger.db` in the data folder, without the files `ledger.db-wal` and `ledger.db-shm`',
      load: async () => (await import('../commands/history/backupAndExport.ts')).historyBackup,
    },
    export: {
      summary: 'print all records as NDJSON',
      description:
        'Print every record of the ledger as one line of JSON, with its number and checksum; keys and tax documents unmasked',
      load: async () => (await import('../commands/history/backupAndExport.ts')).historyExport,
    },
  },
}

const planList: CommandNode = {
  summary: 'the plans of the active account and their state',
  load: async () => (await import('../commands/plan/review.ts')).planList,
}

const plan: GroupNode = {
  heading: MOVE_MONEY,
  summary: 'payments that wait for a second person',
  description: 'Plans are payments made with --plan, which a second person approves before they are sent',
  bare: planList,
  commands: {
    list: planList,
    show: {
      summary: 'show what a plan pays',
      load: async () => (await import('../commands/plan/review.ts')).planShow,
    },
    approve: {
      summary: 'approve a plan that somebody else made',
      description: 'Show a plan, ask for its total, and sign it with your SSH key; who made it cannot approve it',
      load: async () => (await import('../commands/plan/review.ts')).planApprove,
    },
    reject: {
      summary: 'reject a plan',
      load: async () => (await import('../commands/plan/review.ts')).planReject,
    },
    send: {
      summary: 'send an approved plan',
      description:
        'Send an approved plan, each payment once, on a machine that has the secret; one that was interrupted is finished',
      load: async () => (await import('../commands/plan/send.ts')).planSend,
    },
  },
}

const eventsList: CommandNode = {
  summary: 'list the webhooks recorded on this machine',
  load: async () => (await import('../commands/webhook/events.ts')).eventsList,
}

const events: GroupNode = {
  summary: 'the webhooks recorded on this machine',
  bare: eventsList,
  commands: {
    list: eventsList,
    show: {
      summary: 'show everything known about one recorded webhook',
      load: async () => (await import('../commands/webhook/events.ts')).eventsShow,
    },
  },
}

const webhook: GroupNode = {
  heading: WEBHOOKS,
  summary: 'verify, receive, send and replay webhooks',
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
      load: async () => (await import('../commands/webhook/listen.ts')).webhookListen,
    },
    events,
    replay: {
      summary: 'deliver recorded events again, byte for byte or edited and re-signed',
      load: async () => (await import('../commands/webhook/replay.ts')).webhookReplay,
    },
    send: {
      summary: 'send a correctly signed sample (or your own body) to a URL',
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
      load: async () => (await import('../commands/webhook/send.ts')).webhookSign,
    },
  },
}

const sandboxStart: CommandNode = {
  summary: 'run the gateway on your machine until Ctrl-C',
  load: async () => (await import('../commands/sandbox/start.ts')).sandboxStart,
}

function control(name: keyof typeof CONTROL_COMMANDS, summary: string): CommandNode {
  return { summary, load: async () => (await import('../commands/sandbox/controls.ts')).CONTROL_COMMANDS[name] }
}

const sandbox: GroupNode = {
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
      bare: {
        summary: 'make the next responses or deliveries fail',
        load: async () => (await import('../commands/sandbox/controls.ts')).faultAdd,
      },
      commands: {
        list: {
          summary: 'list the faults that are still to come',
          load: async () => (await import('../commands/sandbox/controls.ts')).faultList,
        },
        clear: {
          summary: 'remove one of them, or all',
          load: async () => (await import('../commands/sandbox/controls.ts')).faultClear,
        },
      },
    },
    advance: control('advance', "move the sandbox's clock forward"),
    reset: control('reset', 'delete all state, as in a new sandbox'),
    state: {
      summary: "print the sandbox's whole state, or the way of one transaction",
      load: async () => (await import('../commands/sandbox/state.ts')).sandboxState,
    },
    requests: {
      summary: 'list the requests and their answers',
      load: async () => (await import('../commands/sandbox/state.ts')).sandboxRequests,
    },
    openapi: {
      summary: 'the OpenAPI document of the gateway',
      description: 'Sandbox: the OpenAPI 3.1 document of the gateway and of the control API, also at /openapi.json',
      load: async () => (await import('../commands/sandbox/state.ts')).sandboxOpenApi,
    },
  },
}

const ledgerShow: CommandNode = {
  summary: 'where the payment records of the account are, and who writes them',
  load: async () => (await import('../commands/ledger.ts')).ledgerShow,
}

const ledger: GroupNode = {
  summary: 'one ledger for a team, on PostgreSQL',
  heading: SET_UP,
  bare: ledgerShow,
  commands: {
    show: ledgerShow,
    init: {
      summary: 'prepare a database, once, as its owner',
      description: 'Create the tables, roles and checks of a shared ledger in a database; it may be run again',
      load: async () => (await import('../commands/ledger.ts')).ledgerInit,
    },
    join: {
      summary: 'use the ledger of a team for the active account',
      description:
        'Use a shared ledger for the active account on this machine from now on; what this machine has recorded is taken over',
      load: async () => (await import('../commands/ledger.ts')).ledgerJoin,
    },
    leave: {
      summary: 'use the ledger of this machine again',
      description:
        'Use the ledger of this machine for the active account again; the records of the shared ledger are taken over, so that nothing is forgotten',
      load: async () => (await import('../commands/ledger.ts')).ledgerLeave,
    },
    repair: {
      summary: 'after the database was restored: hand over what it lost',
      description:
        'After the database was restored or replaced: hand over what it lost and this machine has. Payments stay stopped until the owner of the database runs it with the address',
      load: async () => (await import('../commands/ledger.ts')).ledgerRepair,
    },
  },
}

const payee: GroupNode = {
  heading: SET_UP,
  summary: 'the people and companies that are paid',
  examples: [['pixgate transfer --to maria --amount 150,00', 'pay a payee by its name']],
  commands: {
    add: {
      summary: 'add a payee',
      load: async () => (await import('../commands/payee.ts')).payeeAdd,
    },
    list: {
      summary: 'list all payees',
      load: async () => (await import('../commands/payee.ts')).payeeList,
    },
    show: {
      summary: 'show a payee and its changes',
      load: async () => (await import('../commands/payee.ts')).payeeShow,
    },
    edit: {
      summary: 'change a payee',
      description: 'Change the given values of a payee and keep the others; asks if the key or its owner changes',
      load: async () => (await import('../commands/payee.ts')).payeeEdit,
    },
    remove: {
      summary: 'remove a payee',
      description: 'Remove a payee; its payments and the records of its key stay in the ledger',
      load: async () => (await import('../commands/payee.ts')).payeeRemove,
    },
    import: {
      summary: 'add and change payees from a file',
      description:
        'Add the payees of a CSV or .xlsx file and change those that exist; shows changed keys first and asks. None is removed',
      load: async () => (await import('../commands/payee.ts')).payeeImport,
    },
  },
}

const profile: GroupNode = {
  heading: SET_UP,
  summary: 'store and select credentials',
  examples: [
    ['pixgate profile list', 'all profiles; the active one is marked'],
    ['pixgate profile use local', 'back to the sandbox on this machine'],
  ],
  commands: {
    add: {
      summary: 'store credentials',
      description: 'Store credentials and their address; the first profile becomes active',
      load: async () => (await import('../commands/profile/add.ts')).profileAdd,
    },
    list: {
      summary: 'list all stored profiles',
      description: 'List all stored profiles; * marks the active one, secrets are masked',
      load: async () => (await import('../commands/profile/show.ts')).profileList,
    },
    show: {
      summary: 'show a profile and where its values come from',
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
  description: 'The command line for an instant-payment (PIX) gateway, sandbox included',
  examples: [['pixgate demo', 'watch a payment from QR code to refund in a few seconds']],
  commands: {
    qr,
    refund: {
      heading: MOVE_MONEY,
      summary: 'refund all or part of a received payment',
      description: declared`Refund all or part of a received PIX payment, within ${REFUND_WINDOW_DAYS} days`,
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
      load: async () => (await import('../commands/status.ts')).status,
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
      load: async () => (await import('./demo.ts')).demo,
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
      load: async () => (await import('../commands/completion.ts')).completion,
    },
  },
}
