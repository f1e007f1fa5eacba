import type { PaymentKind } from '../../ledger/facts.ts'
import type { PaymentState } from '../../ledger/paymentState.ts'
import { declared, translated } from '../../text/translate.ts'

/** Whole texts, because in Portuguese the word of a state depends on the kind. */
const TEXTS: Readonly<Record<PaymentKind, Readonly<Record<PaymentState, string>>>> = {
  qr: {
    'not-sent': declared`qr not-sent`,
    refused: declared`qr refused`,
    accepted: declared`qr accepted`,
    unknown: declared`qr unknown`,
    paid: declared`qr paid`,
    'not-paid': declared`qr not-paid`,
    returned: declared`qr returned`,
  },
  transfer: {
    'not-sent': declared`transfer not-sent`,
    refused: declared`transfer refused`,
    accepted: declared`transfer accepted`,
    unknown: declared`transfer unknown`,
    paid: declared`transfer paid`,
    'not-paid': declared`transfer not-paid`,
    returned: declared`transfer returned`,
  },
  refund: {
    'not-sent': declared`refund not-sent`,
    refused: declared`refund refused`,
    accepted: declared`refund accepted`,
    unknown: declared`refund unknown`,
    paid: declared`refund paid`,
    'not-paid': declared`refund not-paid`,
    returned: declared`refund returned`,
  },
}

/** The payments of a kind in a state, as sums name them: `transfer not-sent`. */
export function kindAndState(kind: PaymentKind, state: PaymentState): string {
  return translated(TEXTS[kind][state])
}
