import type { Context } from '../../context.ts'
import type { PaymentDetail, SearchResult } from '../../inspector/pageData.ts'
import { searchEvents } from '../../ledger/eventSearch.ts'
import { eventsNumbered } from '../../ledger/events.ts'
import {
  ALL_PAYMENTS,
  lastPaymentSeq,
  listPayments,
  type PaymentFilter,
  positionOfNewest,
} from '../../ledger/paymentList.ts'
import { findPayments, loadPayment, type Payment, refundSumsOf } from '../../ledger/payments.ts'
import type { Database } from '../../storage/sqlite.ts'
import { t } from '../../text/translate.ts'
import { eventLine, labelledTexts, PLAIN_STYLE, recordedEvent } from '../../views/events/inspectedEvent.ts'
import { paymentLine } from '../../views/payments/inspectedPayment.ts'
import { paymentRows } from '../../views/payments/paymentText.ts'
import { NotFound } from '../../wire/errors.ts'
import { paymentFilter } from '../history/filterOptions.ts'
import { parseSearchTerms } from '../history/searchTerms.ts'

const FOUND_MAX = 100
const EVENTS_READ_MAX = 50_000

/**
 * The newest payments and events that words find, of all accounts; without words, the newest payments. Throws UsageError for words that
 * cannot be searched for.
 */
export async function searchFromPage(context: Context, typed: string, unmask: boolean): Promise<SearchResult> {
  const ledger = await context.ledger()
  const words = typed.trim() === '' ? undefined : parseSearchTerms([typed], context.now())
  const filter = words === undefined ? ALL_PAYMENTS : paymentFilter({}, words)
  const payments = await ledger.read((database) => newestPayments(database, filter))
  const numbers =
    words === undefined
      ? []
      : await searchEvents(
          ledger,
          { ...words, sinceMs: words.period?.sinceMs ?? null, beforeMs: words.period?.beforeMs ?? null },
          { limit: FOUND_MAX, readMax: EVENTS_READ_MAX },
        )
  const events = await ledger.read((database) => eventsNumbered(database, numbers))
  const isCut = payments.length === FOUND_MAX || events.length === FOUND_MAX
  return {
    payments: payments.map((payment) => paymentLine(payment, unmask)),
    events: events.map((event) => eventLine(recordedEvent(event))),
    note: isCut ? t`Only the newest ${FOUND_MAX} are shown; more words narrow the search` : '',
  }
}

/** Everything that is known of the payment with an id. Throws NotFound. */
export async function paymentDetail(context: Context, id: string, unmask: boolean): Promise<PaymentDetail> {
  const ledger = await context.ledger()
  return ledger.read((database) => {
    const [payment] = findPayments(database, id)
    if (payment === undefined) throw noPayment(id)
    const nowMs = ledger.environment.now()
    const { facts, records } = paymentRows(payment, refundSumsOf(database, payment), PLAIN_STYLE, unmask, nowMs)
    return { facts: labelledTexts(facts), records: labelledTexts(records) }
  })
}

function noPayment(id: string): NotFound {
  return new NotFound(t`No recorded payment has the id ${id}`, {
    outcome: 'not-sent',
    hint: t`Run \`pixgate history --all\` to list the payments`,
  })
}

function newestPayments(database: Database, filter: PaymentFilter): Payment[] {
  const last = lastPaymentSeq(database)
  const after = positionOfNewest(database, filter, last, FOUND_MAX)
  const listed = listPayments(database, filter, after, last, FOUND_MAX)
  return listed.map(({ id }) => loadPayment(database, id)).reverse()
}
