import { declared, translated } from '../text/translate.ts'
import type { PaymentKind } from './facts.ts'
import type { ShownState } from './paymentState.ts'

// What the page of `inspect` says of a payment, too, so that nothing here may need Node.js.

/** What a state means for some kinds of payments. */
interface StateMeaning {
  readonly kinds: readonly PaymentKind[]
  /** The gateway's words for it, as the column `status` has them; none before the gateway has answered. */
  readonly statuses: readonly string[]
  readonly when: string
  readonly toDo: string
}

interface StateWords {
  /** The one word that people read for it. Programs read the name of the state. */
  readonly word: string
  /** The same with the kind, as sums name them: whole texts, because in Portuguese the word depends on the kind. */
  readonly counted: Readonly<Partial<Record<PaymentKind, string>>>
  /** Whether it is what a person hopes for. */
  readonly tone: 'good' | 'warn' | 'bad' | 'plain'
  readonly meanings: readonly StateMeaning[]
}

const ALL_KINDS = ['qr', 'transfer', 'refund'] as const
/** Of a state that is as it should be. */
const NOTHING_TO_DO = ''

/** Every state of a payment: its word, when it has it, and what to do. Screens, `pixgate help states` and the pages of the states are made from this. */
const STATES: Readonly<Record<ShownState, StateWords>> = {
  'not-sent': {
    word: declared`not sent`,
    counted: { qr: declared`qr not sent`, transfer: declared`transfer not sent`, refund: declared`refund not sent` },
    tone: 'plain',
    meanings: [
      {
        kinds: ALL_KINDS,
        statuses: [],
        when: declared`It is recorded, and no request left; no money moved`,
        toDo: declared`Send it again`,
      },
    ],
  },
  'being-sent': {
    word: declared`being sent`,
    counted: {
      qr: declared`qr being sent`,
      transfer: declared`transfer being sent`,
      refund: declared`refund being sent`,
    },
    tone: 'warn',
    meanings: [
      {
        kinds: ALL_KINDS,
        statuses: [],
        when: declared`Its request is on its way at this moment`,
        toDo: declared`Wait; without an answer it becomes unknown`,
      },
    ],
  },
  refused: {
    word: declared`refused`,
    counted: { qr: declared`qr refused`, transfer: declared`transfer refused`, refund: declared`refund refused` },
    tone: 'bad',
    meanings: [
      {
        kinds: ALL_KINDS,
        statuses: ['FAILED'],
        when: declared`The gateway said no; no money moved`,
        toDo: declared`Correct what the reason names, then send it again`,
      },
    ],
  },
  pending: {
    word: declared`pending`,
    counted: { qr: declared`qr pending` },
    tone: 'warn',
    meanings: [
      {
        kinds: ['qr'],
        statuses: ['PENDING'],
        when: declared`The code exists, and no one has paid it yet`,
        toDo: declared`Wait for the payer`,
      },
    ],
  },
  accepted: {
    word: declared`accepted`,
    counted: { transfer: declared`transfer accepted`, refund: declared`refund accepted` },
    tone: 'warn',
    meanings: [
      {
        kinds: ['transfer', 'refund'],
        statuses: ['PROCESSING', 'PENDING'],
        when: declared`The gateway accepted it; whether it was paid is not known yet`,
        toDo: declared`Wait for its event; do not send it again`,
      },
    ],
  },
  unknown: {
    word: declared`unknown`,
    counted: { qr: declared`qr unknown`, transfer: declared`transfer unknown`, refund: declared`refund unknown` },
    tone: 'bad',
    meanings: [
      {
        kinds: ['qr'],
        statuses: [],
        when: declared`The answer was lost, so the code may exist`,
        toDo: declared`Look in the dashboard, or create a second code with --again`,
      },
      {
        kinds: ['transfer', 'refund'],
        statuses: [],
        when: declared`It may have been carried out, or not`,
        toDo: declared`See pixgate help unknown-outcomes before you pay it again`,
      },
    ],
  },
  paid: {
    word: declared`paid`,
    counted: { qr: declared`qr paid`, transfer: declared`transfer paid`, refund: declared`refund paid` },
    tone: 'good',
    meanings: [
      { kinds: ['qr'], statuses: ['PAID'], when: declared`The payer has paid it`, toDo: NOTHING_TO_DO },
      {
        kinds: ['transfer'],
        statuses: ['PAID_OUT'],
        when: declared`The receiver has the money`,
        toDo: NOTHING_TO_DO,
      },
      {
        kinds: ['refund'],
        statuses: ['COMPLETED'],
        when: declared`The payer has the money back`,
        toDo: NOTHING_TO_DO,
      },
    ],
  },
  'not-paid': {
    word: declared`not paid`,
    counted: { qr: declared`qr not paid`, transfer: declared`transfer not paid`, refund: declared`refund not paid` },
    tone: 'bad',
    meanings: [
      {
        kinds: ['qr'],
        statuses: ['EXPIRED', 'CANCELLED'],
        when: declared`It expired or was cancelled; no money moved`,
        toDo: declared`Create another code`,
      },
      {
        kinds: ['transfer', 'refund'],
        statuses: ['ERROR', 'FAILED', 'CANCELED'],
        when: declared`The gateway accepted it, and then it failed; no money moved`,
        toDo: declared`Correct what the reason names, then send it again`,
      },
    ],
  },
  returned: {
    word: declared`returned`,
    counted: { qr: declared`qr returned`, transfer: declared`transfer returned`, refund: declared`refund returned` },
    tone: 'bad',
    meanings: [
      {
        kinds: ['qr'],
        statuses: ['REFUNDED', 'CHARGEBACK'],
        when: declared`It was paid, and all of it was refunded or charged back`,
        toDo: NOTHING_TO_DO,
      },
      {
        kinds: ['transfer', 'refund'],
        statuses: ['RETURNED'],
        when: declared`It was paid, and the money came back`,
        toDo: declared`Ask the receiver before you send it again`,
      },
    ],
  },
}

function isShownState(state: string): state is ShownState {
  return Object.hasOwn(STATES, state)
}

/** The word that people read for a state, without its kind; of another state of JSON its translation. */
export function stateText(state: string): string {
  return translated(isShownState(state) ? STATES[state].word : state)
}

/** The payments of a kind in a state, as sums name them: `transfer refused`. */
export function kindAndState(kind: PaymentKind, state: ShownState): string {
  const { counted, word } = STATES[state]
  return translated(counted[kind] ?? word)
}

/** When a payment of a kind has a state; empty if it never has. */
export function stateMeaning(kind: PaymentKind, state: ShownState): string {
  const found = STATES[state].meanings.find(({ kinds }) => kinds.includes(kind))
  return found === undefined ? '' : translated(found.when)
}

/** The table of the states, in the language of texts: a row for each state and the kinds for which it means the same. */
export function stateTable(): {
  state: ShownState
  word: string
  kinds: readonly PaymentKind[]
  statuses: readonly string[]
  when: string
  toDo: string
}[] {
  return Object.keys(STATES)
    .filter(isShownState)
    .flatMap((state) =>
      STATES[state].meanings.map(({ kinds, statuses, when, toDo }) => ({
        state,
        word: stateText(state),
        kinds,
        statuses,
        when: translated(when),
        toDo: translated(toDo),
      })),
    )
}

/** Whether a state is what a person hopes for. */
export function stateTone(state: string): StateWords['tone'] {
  return isShownState(state) ? STATES[state].tone : 'plain'
}
