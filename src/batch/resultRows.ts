import type { Payment } from '../ledger/payments.ts'
import { isSameRefundAmount, isSameRequest, isSameTarget } from '../ledger/samePayment.ts'
import { formatReais } from '../pix/amount.ts'
import type { TableRecord } from '../spreadsheet/table.ts'
import { t } from '../text/translate.ts'
import { moneyPayment } from './paymentRows.ts'
import { type ResultPlaces, readOutcome } from './resultColumns.ts'
import type { RowFacts, RowIds } from './rowIds.ts'

/** Gives the payments of the account that have an id: the externalId of an attempt, or the id of a refund's row. */
export type FindPayments = (id: string) => Promise<readonly Payment[]>

/** What a results file says of a payment that the ledger does not know. */
export type ElsewhereOutcome = 'accepted' | 'unknown'

/** The id of a row of a results file, why it is left out, or what is wrong with it. */
export type ResultRowId =
  | { is: 'row'; id: string; isTyped: boolean }
  /** The file says so of a payment that the ledger does not know, so that another machine sent it. */
  | { is: 'answered-elsewhere'; outcome: ElsewhereOutcome }
  | { is: 'fault'; column: 'externalId' | 'outcome'; message: string }

/** So many rows are looked at to find the run of a results file. */
const SOUGHT_IDS = 200

/** The reference of the run that a results file comes from; undefined if the ledger knows none of its first payments. */
export async function referenceOfResults(
  records: AsyncIterable<Partial<TableRecord>>,
  { id: place }: ResultPlaces,
  findPayments: FindPayments,
): Promise<string | undefined> {
  let sought = 0
  for await (const { cells } of records) {
    const id = cells?.[place]?.trim() ?? ''
    if (id === '') continue
    const found = (await findPayments(id)).find(({ first }) => first.place !== null)
    if (found !== undefined) return found.first.place?.reference
    sought += 1
    if (sought === SOUGHT_IDS) break
  }
  return undefined
}

/**
 * Finds the id of a row of a results file. The payment with its id is that of the row if the row still asks for it. If it was refused and the row
 * was corrected, the row is a new payment with an id of its own; what was sent cannot be changed.
 */
export async function resultRowId(
  { cells }: TableRecord,
  places: ResultPlaces,
  facts: RowFacts,
  { ids, findPayments }: { ids: RowIds; findPayments: FindPayments },
): Promise<ResultRowId> {
  const derived = (): ResultRowId => ({ is: 'row', id: ids.newIdOf(facts), isTyped: false })
  const id = (cells[places.id] ?? '').trim()
  if (id === '' && (cells[places.inputId] ?? '').trim() === '') return derived()
  if (id === '') return { is: 'fault', column: 'externalId', message: t`Write the id of the row here, too` }
  const payments = await findPayments(id)
  const same = payments.findLast((payment) => isSamePayment(payment, facts))
  if (same !== undefined) {
    const { externalId, rowId, place } = same.first
    return { is: 'row', id: rowId ?? externalId ?? id, isTyped: place?.isDerivedId !== true }
  }
  const other = payments.find(({ summary }) => summary.mayHaveMoved) ?? payments.at(-1)
  if (other === undefined) return unknownRow(id, readOutcome(cells[places.outcome] ?? ''), facts, derived)
  if (other.summary.mayHaveMoved) {
    const message = t`This is the id of a payment that was sent: ${paymentText(other)}. Restore the row, or write the new payment in a row without an id`
    return { is: 'fault', column: 'externalId', message }
  }
  if (other.first.place?.isDerivedId === true) return derived()
  const ownId = (cells[places.inputId] ?? '').trim()
  // A further attempt has another id than its row.
  if (ownId !== '' && ownId !== other.first.rowId) return { is: 'row', id: ownId, isTyped: true }
  const message = t`This is the id of another payment, which was refused: ${paymentText(other)}. Write a new id for the corrected row`
  return { is: 'fault', column: 'externalId', message }
}

/** A row whose id the ledger does not know. Its id makes the gateway refuse what another machine may have sent. */
function unknownRow(id: string, outcome: string, { kind }: RowFacts, derived: () => ResultRowId): ResultRowId {
  switch (outcome) {
    case 'accepted':
    case 'accepted-before':
      return { is: 'answered-elsewhere', outcome: 'accepted' }
    case 'unknown':
      return { is: 'answered-elsewhere', outcome }
    case '':
    case 'refused':
    case 'not-sent':
      return kind === 'refund' ? derived() : { is: 'row', id, isTyped: true }
    default: {
      const message = t`\`${outcome}\` is not an outcome. Restore the cell, or clear it to send the row`
      return { is: 'fault', column: 'outcome', message }
    }
  }
}

/** True if a payment asks for what a row asks for. */
function isSamePayment({ facts: known }: Payment, facts: RowFacts): boolean {
  const row = moneyPayment(facts, () => '')
  if (row.kind !== 'refund' || known.kind !== 'refund') return isSameRequest(known, row)
  return isSameTarget(known, row) && isSameRefundAmount(known, row)
}

function paymentText({ facts, amountCents }: Payment): string {
  const target = facts.kind === 'transfer' ? facts.key : facts.kind === 'refund' ? facts.originalTransactionId : ''
  return amountCents === null ? target : t`${formatReais(amountCents)} to ${target}`
}
