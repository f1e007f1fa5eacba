import type { Context } from '../../context.ts'
import { paymentNames } from '../../ledger/payeeNames.ts'
import {
  ALL_PAYMENTS,
  LIST_START,
  lastPaymentSeq,
  type PaymentFilter,
  paymentsWithEvents,
} from '../../ledger/paymentList.ts'
import { findPayments, isOfAccount, loadPayment, type Payment, refundsOf } from '../../ledger/payments.ts'
import type { Period } from '../../pix/period.ts'
import type { NamedPayment } from '../../reconcile/paymentSides.ts'
import type { OwnPayments } from '../../reconcile/statement.ts'
import type { Database } from '../../storage/sqlite.ts'
import { paymentPages } from './paymentPages.ts'

/** The payments that are read in one transaction. */
const PAGE_PAYMENTS = 100

/**
 * The payments of an account for a comparison with a statement: those that were created in a period, and those that an event of the period is
 * about, because a charge may be paid, and a transfer returned, long after it was created.
 */
export async function ownPayments(
  context: Context,
  account: PaymentFilter['account'],
  period: Period,
): Promise<OwnPayments> {
  const ledger = await context.ledger()
  const filter: PaymentFilter = { ...ALL_PAYMENTS, ...period, account }
  return {
    named: (id) =>
      ledger.read((database) => {
        const found = findPayments(database, id)
        const all = [...found, ...found.flatMap((payment) => refundsOfCharge(database, payment))]
        return all.filter((payment) => isOfFilter(payment, account)).map(withNames)
      }),
    async *all() {
      const [lastSeq, withEvents] = await ledger.read((database) => [
        lastPaymentSeq(database),
        new Set(paymentsWithEvents(database, filter)),
      ])
      for await (const page of paymentPages(ledger, filter, LIST_START, lastSeq)) {
        for (const { id } of page) withEvents.delete(id)
        yield page.map(withNames)
      }
      const ids = [...withEvents]
      for (let at = 0; at < ids.length; at += PAGE_PAYMENTS) {
        yield await ledger.read((database) => {
          const page = ids.slice(at, at + PAGE_PAYMENTS).map((id) => loadPayment(database, id))
          return page.filter((payment) => isOfFilter(payment, account)).map(withNames)
        })
      }
    },
  }
}

/** A statement may name a refund by the payment that it returns. */
function refundsOfCharge(database: Database, { facts, summary }: Payment): Payment[] {
  if (facts.kind !== 'qr' || summary.idTransaction === null) return []
  return refundsOf(database, summary.idTransaction)
}

function withNames(payment: Payment): NamedPayment {
  const { inFile, inEvent } = paymentNames(payment)
  return { payment, names: [inEvent, inFile].filter((name) => name !== null) }
}

function isOfFilter(payment: Payment, account: PaymentFilter['account']): boolean {
  if (account === null) return true
  const { baseUrl: url, clientId, environment } = account
  return isOfAccount(payment, { url, clientId }) && payment.owner.environment === environment
}
