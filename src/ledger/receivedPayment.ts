import { comparableTaxDocument } from '../pix/taxDocument.ts'
import type { Account } from '../profiles/account.ts'
import type { Database } from '../storage/sqlite.ts'
import { accountId } from './accounts.ts'
import { RECORD_COLUMNS, readRecord } from './chain.ts'
import { eventScope, findingFromEvent } from './eventMeaning.ts'
import { refundsOf } from './payments.ts'
import type { EventRecord, LedgerRecord } from './records.ts'

/** What to look for: a payment of this amount, received since a time, that one of these tax documents paid. */
export interface ReceivedQuery {
  amountCents: number
  /** Plain tax documents. */
  taxDocuments: readonly string[]
  sinceMs: number
}

export interface ReceivedPayment {
  idTransaction: string
  /** When its event arrived, in RFC 3339. */
  at: string
}

/** How many of the newest payments with the same amount are compared. */
const COMPARED_MAX = 200
/** As many characters of a masked tax document must be visible. */
const VISIBLE_MIN = 6

/** The newest payment that matches and was not refunded, as signed events tell; undefined if there is none. */
export function findReceivedPayment(
  database: Database,
  account: Pick<Account, 'environment' | 'url' | 'clientId'>,
  { amountCents, taxDocuments, sinceMs }: ReceivedQuery,
): ReceivedPayment | undefined {
  if (taxDocuments.length === 0) return undefined
  const { environment, url, clientId } = account
  const scope = eventScope({ environment, baseUrl: url, clientId })
  const ofCharges = `SELECT id FROM payment
    WHERE account = $account AND known_cents = $amountCents
      AND kind = 'qr' AND state = 'paid'
    ORDER BY seq DESC LIMIT ${COMPARED_MAX}`
  const newest = `AND event.subject = 'payment' AND event.received_ms >= $sinceMs ORDER BY event.n DESC LIMIT ${COMPARED_MAX}`
  const events = [
    ...database.all(`${SELECT_EVENTS} WHERE event.payment IN (${ofCharges}) ${newest}`, {
      account: accountId(database, account),
      amountCents,
      sinceMs,
    }),
    ...database.all(
      `${SELECT_EVENTS} WHERE event.payment IS NULL AND event.scope = $scope AND event.amount_cents = $amountCents ${newest}`,
      { scope, amountCents, sinceMs },
    ),
  ].map(readRecord)
  const found = events
    .filter((record): record is LedgerRecord<EventRecord> => record.type === 'event')
    .filter((event) => findingFromEvent(event) === 'paid' && isPaidBy(event, taxDocuments))
    .toSorted((one, other) => other.n - one.n)
    .find(({ idTransaction }) => idTransaction !== null && !isRefunded(database, idTransaction))
  return found?.idTransaction == null ? undefined : { idTransaction: found.idTransaction, at: found.at }
}

const SELECT_EVENTS = `SELECT ${RECORD_COLUMNS} FROM event JOIN record ON record.seq = event.seq`

/** True if the payer is one of the tax documents, as far as a masked one shows. */
function isPaidBy({ taxId }: EventRecord, taxDocuments: readonly string[]): boolean {
  const seen = comparableTaxDocument(taxId ?? '')
  if (seen.replaceAll('*', '').length < VISIBLE_MIN) return false
  return taxDocuments.some(
    (taxDocument) =>
      taxDocument.length === seen.length && [...seen].every((each, at) => each === '*' || each === taxDocument[at]),
  )
}

function isRefunded(database: Database, idTransaction: string): boolean {
  return refundsOf(database, idTransaction).some(({ summary }) => summary.mayHaveMoved)
}
