import { parseAmount } from '../../pix/amount.ts'
import { Malformed } from '../../pix/malformed.ts'
import { t } from '../../text/words.ts'
import { checkTextCell, type RowCells, readCallbackUrl, readTypedId } from './rowCells.ts'

/** What a row of a refund file says, checked. */
export interface RefundFacts {
  kind: 'refund'
  originalTransactionId: string
  /** Null for all that is left of the payment. */
  amountCents: number | null
  refundReason: string
  /** Null if the row has none, so that the run's own is used. */
  callbackUrl: string | null
}

/** The columns of a refund file, by the names of the request. */
export const REFUND_FIELDS = {
  all: ['originalTransactionId', 'amount', 'refundReason', 'callbackUrl'],
  required: ['originalTransactionId'],
  amount: 'amount',
}

/** What a row of a refund file takes from the command line. */
export interface RefundDefaults {
  /** Why payments are returned whose row does not say it. */
  reason: string | null
  /** True if a row without an amount returns all that is left of its payment. */
  isFull: boolean
}

/** Reads one row of a refund file; undefined if it has faults, which are in the cells. */
export function readRefundRow(cells: RowCells, defaults: RefundDefaults): RefundFacts | undefined {
  const originalTransactionId = readTypedId(cells, 'originalTransactionId')
  if (originalTransactionId === null) cells.fault('originalTransactionId', t`The id of the payment is empty`)
  const amountCents = cells.readOptional('amount', (text) => parseAmount(text))
  if (amountCents === null && !defaults.isFull) {
    cells.fault(
      'amount',
      t`The amount is empty. Write it, or add \`--full\` to return all that is left of payments without an amount`,
    )
  }
  const refundReason = cells.readText('refundReason', (text) => {
    const reason = text === '' ? defaults.reason : text
    if (reason === null) throw new Malformed(t`The reason is empty`, t`Write why the payment is returned`)
    checkTextCell(reason)
    return reason
  })
  const callbackUrl = readCallbackUrl(cells)
  if (cells.faults.length > 0 || originalTransactionId === undefined || originalTransactionId === null) return undefined
  if (amountCents === undefined || refundReason === undefined || callbackUrl === undefined) return undefined
  return { kind: 'refund', originalTransactionId, amountCents, refundReason, callbackUrl }
}
