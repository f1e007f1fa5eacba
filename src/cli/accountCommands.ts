import type { CommandNode, GroupNode } from '../commands/command.ts'

export const SET_UP = 'Set up:'

const ledgerShow: CommandNode = {
  summary: 'where the payment records of the account are, and who writes them',
  description: 'Where the payment records of the active account are, who writes them, and what waits on this machine',
  load: async () => (await import('../commands/ledger/show.ts')).ledgerShow,
}

export const ledger: GroupNode = {
  summary: 'one ledger for a team, on PostgreSQL',
  heading: SET_UP,
  description: 'Share the payment records of an account with other machines, in a PostgreSQL database',
  bare: ledgerShow,
  commands: {
    show: ledgerShow,
    init: {
      summary: 'prepare a database, once, as its owner',
      description: 'Create the tables, roles and checks of a shared ledger in a database; it may be run again',
      load: async () => (await import('../commands/ledger/init.ts')).ledgerInit,
    },
    join: {
      summary: 'use the ledger of a team for the active account',
      description:
        'Use a shared ledger for the active account on this machine from now on; what this machine has recorded is taken over',
      load: async () => (await import('../commands/ledger/join.ts')).ledgerJoin,
    },
    leave: {
      summary: 'use the ledger of this machine again',
      description:
        'Use the ledger of this machine for the active account again; the records of the shared ledger are taken over, so that nothing is forgotten',
      load: async () => (await import('../commands/ledger/leave.ts')).ledgerLeave,
    },
    repair: {
      summary: 'after the database was restored: hand over what it lost',
      description:
        'After the database was restored or replaced: hand over what it lost and this machine has. Payments stay stopped until the owner of the database runs it with the address',
      load: async () => (await import('../commands/ledger/repair.ts')).ledgerRepair,
    },
  },
}

export const payee: GroupNode = {
  heading: SET_UP,
  summary: 'the people and companies that are paid',
  description: 'The people and companies that the active account pays, by name; every change is recorded in its ledger',
  examples: [['pixgate transfer --to maria --amount 150,00', 'pay a payee by its name']],
  commands: {
    add: {
      summary: 'add a payee',
      description: 'Add a payee of the active account: a name for a PIX key and its owner',
      load: async () => (await import('../commands/payee/add.ts')).payeeAdd,
    },
    list: {
      summary: 'list all payees',
      description: 'List the payees of the active account, with how well each is known',
      load: async () => (await import('../commands/payee/list.ts')).payeeList,
    },
    show: {
      summary: 'show a payee and its changes',
      description: 'Show a payee with its whole key, and who changed it when',
      load: async () => (await import('../commands/payee/show.ts')).payeeShow,
    },
    edit: {
      summary: 'change a payee',
      description: 'Change the given values of a payee and keep the others; asks if the key or its owner changes',
      load: async () => (await import('../commands/payee/edit.ts')).payeeEdit,
    },
    remove: {
      summary: 'remove a payee',
      description: 'Remove a payee; its payments and the records of its key stay in the ledger',
      load: async () => (await import('../commands/payee/remove.ts')).payeeRemove,
    },
    import: {
      summary: 'add and change payees from a file',
      description:
        'Add the payees of a CSV or .xlsx file and change those that exist; shows changed keys first and asks. None is removed',
      load: async () => (await import('../commands/payee/import.ts')).payeeImport,
    },
  },
}

export const profile: GroupNode = {
  heading: SET_UP,
  summary: 'store and select credentials',
  description: 'Store credentials together with the address they belong to, and choose which to use',
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
