import { recentExternalCharges } from '../ledger/externalCharges.ts'
import type { Named } from '../ledger/namedByIds.ts'
import { knownOriginal } from '../ledger/originals.ts'
import {
  ALL_PAYMENTS,
  lastPaymentSeq,
  listPayments,
  type PaymentFilter,
  positionOfNewest,
} from '../ledger/paymentList.ts'
import { loadPayment, type Payment } from '../ledger/payments.ts'
import { parseInstant } from '../pix/calendar.ts'
import type { Account } from '../profiles/account.ts'
import type { Database } from '../storage/sqlite.ts'
import { refundedCents } from './paymentRules.ts'
import { isStillRefundable } from './refundable.ts'

/** As many are offered. */
const OFFERED_MAX = 20
/** No more of the newest charges than this are considered: most may have expired. */
const CONSIDERED_MAX = 200

type PaymentOwner = Pick<Account, 'environment' | 'url' | 'clientId'>

/** The newest payments of an account that fit, newest first. */
export function recentPayments(
  database: Database,
  { url, clientId, environment }: PaymentOwner,
  fitting: Partial<Pick<PaymentFilter, 'kind' | 'state'>> = {},
  limit = OFFERED_MAX,
): Named[] {
  const filter = { ...ALL_PAYMENTS, ...fitting, account: { baseUrl: url, clientId, environment } }
  const lastSeq = lastPaymentSeq(database)
  const after = positionOfNewest(database, filter, lastSeq, limit)
  return listPayments(database, filter, after, lastSeq, limit)
    .map(({ id }): Named => ({ is: 'payment', payment: loadPayment(database, id) }))
    .toReversed()
}

/**
 * The payments that an account received last and that can be refunded as far as the ledger knows: paid within 30 days, with something left and no
 * known chargeback. Newest first.
 */
export function recentRefundable(database: Database, account: Account, nowMs: number): Named[] {
  const charges = recentPayments(database, account, { kind: 'qr' }, CONSIDERED_MAX)
  const external = recentExternalCharges(database, account, CONSIDERED_MAX)
  const isRefundable = (id: string | null, isPaid: boolean) => {
    if (id === null) return false
    const known = knownOriginal(database, account, id)
    if ((!isPaid && known.paidAtMs === null) || known.isContested) return false
    return isStillRefundable(known, refundedCents(database, account, id), nowMs)
  }
  return [
    ...charges.filter(
      (each) => each.is === 'payment' && isRefundable(each.payment.summary.idTransaction, isPaid(each.payment)),
    ),
    ...external.filter(({ id }) => isRefundable(id, false)).map((charge): Named => ({ is: 'external', charge })),
  ]
    .toSorted((one, other) => timeOf(other) - timeOf(one))
    .slice(0, OFFERED_MAX)
}

function isPaid({ summary }: Payment): boolean {
  return summary.state === 'paid'
}

function timeOf(named: Named): number {
  if (named.is === 'external') return named.charge.paidAtMs ?? 0
  const { at } = named.is === 'payment' ? named.payment.first : named.run.record
  return parseInstant(at) ?? 0
}
