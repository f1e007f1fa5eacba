import type { Run } from '../ledger/runs.ts'
import { reaisFromCents } from '../pix/amount.ts'
import type { RowResult } from './resultsCsv.ts'

/** Names of columns that hold the name of the person who is paid. */
const NAME_COLUMN = /^(?:nome|name|favorecido|benefici[aá]rio)\b/i

/** The place of the column that seems to hold names; undefined if there is none. */
export function nameColumn({ columns, fields }: Pick<Run, 'columns' | 'fields'>): number | undefined {
  const used = new Set(Object.values(fields))
  const place = columns.findIndex((column, index) => !used.has(index) && NAME_COLUMN.test(column))
  return place === -1 ? undefined : place
}

/** A row of a run as `batch show` lists it. */
export function rowDetail(result: RowResult, namePlace: number | undefined) {
  const { line, externalId, facts, amountCents, state, status, idTransaction, errorCode, message, sentMs } = result
  const target = facts.kind === 'transfer' ? { key: facts.key } : { originalTransactionId: facts.originalTransactionId }
  const name = namePlace === undefined ? {} : { name: (result.cells[namePlace] ?? '').trim() }
  return {
    line,
    externalId,
    ...target,
    ...name,
    amount: amountCents === null ? null : reaisFromCents(amountCents),
    state,
    status,
    idTransaction,
    errorCode,
    message,
    sentAt: sentMs === null ? null : new Date(sentMs).toISOString(),
    leftOut: result.isLeftOut,
  }
}
