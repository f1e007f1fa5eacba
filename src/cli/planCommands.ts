import type { CommandNode, GroupNode } from '../commands/command.ts'

const planList: CommandNode = {
  summary: 'the plans of the active account and their state',
  description: 'The plans of the active account that this ledger knows, newest first',
  load: async () => (await import('../commands/plan/list.ts')).planList,
}

/** The commands about payments that a second person approves. */
export const plan: GroupNode = {
  heading: 'Move money:',
  summary: 'payments that wait for a second person',
  description: 'Plans are payments made with --plan, which a second person approves before they are sent',
  bare: planList,
  commands: {
    list: planList,
    show: {
      summary: 'show what a plan pays',
      description:
        'Show what a plan pays, to whom, and what is new or unusual, as the ledger of this machine knows it: new keys and the largest amounts first',
      load: async () => (await import('../commands/plan/show.ts')).planShow,
    },
    approve: {
      summary: 'approve a plan that somebody else made',
      description: 'Show a plan, ask for its total, and sign it with your SSH key; who made it cannot approve it',
      load: async () => (await import('../commands/plan/approve.ts')).planApprove,
    },
    reject: {
      summary: 'reject a plan',
      description: 'Reject a plan, so that nothing of it is sent',
      load: async () => (await import('../commands/plan/reject.ts')).planReject,
    },
    send: {
      summary: 'send an approved plan',
      description:
        'Send an approved plan, each payment once, on a machine that has the secret; one that was interrupted is finished',
      load: async () => (await import('../commands/plan/send.ts')).planSend,
    },
  },
}
