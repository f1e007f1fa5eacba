import { accountId } from '../ledger/accounts.ts'
import { eventScope, findingFromEvent } from '../ledger/eventMeaning.ts'
import type { Ledger } from '../ledger/ledger.ts'
import { isSameId } from '../ledger/samePayment.ts'
import type { Account } from '../profiles/account.ts'
import { type Database, integerOf, integerOrNull, type Row, textOf, textOrNull } from '../storage/sqlite.ts'
import { type AnswerFields, readPaymentStatus } from '../wire/answers.ts'
import type { EventSubject } from '../wire/eventFacts.ts'
import { ownerOf } from './paymentContext.ts'

/** What the ledger knows about a received payment, from the queries of all commands, from events, and from its own charges. */
export interface KnownOriginal {
  /** Its id as it was recorded; null if nothing is known. */
  id: string | null
  amountCents: number | null
  paidAtMs: number | null
  /** True if a chargeback is known. */
  isContested: boolean
  /** What refunds that this ledger did not send have returned, in cents, as their events say; Infinity if the gateway says that all was. */
  refundedElsewhereCents: number
}

const CHARGEBACK = 'CHARGEBACK'
const REFUNDED = 'REFUNDED'
const EVENT_SUBJECTS = ['payment', 'refund', 'transfer'] as const satisfies readonly EventSubject[]

/** What is known of a payment of this account that can be refunded. Ids are compared without case. */
export function knownOriginal(database: Database, account: Account, idTransaction: string): KnownOriginal {
  const own = accountId(database, account)
  const queried = database.get('SELECT * FROM original WHERE account = ? AND id = ?', own, idTransaction.trim())
  const charge = database.get(
    `SELECT attempt.id_transaction, payment.known_cents FROM attempt JOIN payment ON payment.id = attempt.payment
     WHERE attempt.id_transaction = ? AND payment.kind = 'qr' AND payment.account = ? ORDER BY attempt.seq DESC LIMIT 1`,
    idTransaction.trim(),
    own,
  )
  const events = eventsAbout(database, account, 'id_transaction', idTransaction).filter(
    (row) => textOrNull(row, 'subject') === 'payment',
  )
  const queriedStatus = queried === undefined ? null : (textOrNull(queried, 'status')?.toUpperCase() ?? null)
  const paid = events.find((row) => findingFromEvent(facts(row)) === 'paid')
  return {
    id: idOf(charge, 'id_transaction') ?? idOf(queried, 'id') ?? idOf(events[0], 'id_transaction'),
    amountCents: centsOf(queried, 'amount_cents') ?? centsOf(charge, 'known_cents') ?? centsOf(paid, 'amount_cents'),
    paidAtMs: centsOf(queried, 'paid_at_ms') ?? centsOf(paid, 'received_ms'),
    isContested:
      queriedStatus === CHARGEBACK || events.some((row) => textOrNull(row, 'status')?.toUpperCase() === CHARGEBACK),
    refundedElsewhereCents:
      queriedStatus === REFUNDED ? Number.POSITIVE_INFINITY : refundedElsewhere(database, account, idTransaction),
  }
}

/**
 * Records what the gateway says of a payment, if it says anything new about one that was paid. To be called after each query, so that
 * `--skip-query` and later refunds know it.
 */
export async function recordOriginal(
  ledger: Ledger,
  account: Account,
  idTransaction: string,
  fields: AnswerFields,
): Promise<void> {
  const { status, amountCents, paidAtMs } = readPaymentStatus(fields)
  if (status === null || !['PAID', REFUNDED, CHARGEBACK].includes(status.toUpperCase())) return
  const isKnown = (database: Database) => {
    const row = database.get(
      'SELECT * FROM original WHERE account = ? AND id = ?',
      accountId(database, account),
      idTransaction,
    )
    return (
      row !== undefined &&
      textOrNull(row, 'status') === status &&
      (amountCents === null || integerOrNull(row, 'amount_cents') === amountCents) &&
      (paidAtMs === null || integerOrNull(row, 'paid_at_ms') === paidAtMs)
    )
  }
  if (await ledger.read(isKnown)) return
  await ledger.write((writer) => {
    if (isKnown(writer.database)) return
    writer.append({ type: 'original', owner: ownerOf(account), idTransaction, status, amountCents, paidAtMs })
  })
}

/** Refunds that were made in the dashboard or with another ledger: their events belong to no payment of this one. */
function refundedElsewhere(database: Database, account: Account, idTransaction: string): number {
  const ids: string[] = []
  let cents = 0
  for (const row of eventsAbout(database, account, 'original_id', idTransaction)) {
    const id = textOrNull(row, 'id_transaction') ?? ''
    if (textOrNull(row, 'payment') !== null || findingFromEvent(facts(row)) !== 'paid') continue
    if (ids.some((each) => isSameId(each, id))) continue
    ids.push(id)
    cents += integerOrNull(row, 'amount_cents') ?? 0
  }
  return cents
}

function eventsAbout(
  database: Database,
  { environment, url, clientId }: Account,
  column: 'id_transaction' | 'original_id',
  id: string,
): Row[] {
  return database.all(
    `SELECT event.*, json_extract(record.content, '$.errorCode') AS error_code FROM event JOIN record ON record.seq = event.seq
     WHERE event.${column} = ? AND event.scope = ? AND event.duplicate_of IS NULL ORDER BY event.n`,
    id.trim(),
    eventScope({ environment, baseUrl: url, clientId }),
  )
}

function facts(row: Row) {
  const subject = textOrNull(row, 'subject')
  return {
    event: textOrNull(row, 'event'),
    subject: EVENT_SUBJECTS.find((each) => each === subject) ?? null,
    status: textOrNull(row, 'status'),
    errorCode: textOrNull(row, 'error_code'),
  }
}

function idOf(row: Row | undefined, column: string): string | null {
  return row === undefined ? null : textOf(row, column)
}

function centsOf(row: Row | undefined, column: string): number | null {
  return row === undefined || row[column] === null ? null : integerOf(row, column)
}
