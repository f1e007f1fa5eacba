import { nameColumn } from '../../ledger/payeeNames.ts'
import type { Run } from '../../ledger/runs.ts'
import { formatPaymentDate } from '../../pix/calendar.ts'
import { safeText } from '../../text/safeText.ts'
import { t } from '../../text/translate.ts'
import type { RowResult } from '../resultsCsv.ts'

/** A value of a report; the number in an amount is cents. */
export type ReportValue = string | number | null

/** A column of a report. */
export interface ReportColumn {
  /** The name in a CSV file, for programs. */
  name: string
  /** The heading for people. */
  title: string
  /** `integer` and `amount` are numbers in a workbook; ids and keys are text, also if they consist of digits. */
  kind: 'text' | 'integer' | 'amount'
  /** The width in a workbook, in characters. */
  width: number
  cellOf(result: RowResult): ReportValue
  /** True of a cell that a reader must not overlook. */
  isMarked?(result: RowResult): boolean
}

const KEY_WIDTH = 34
const ID_WIDTH = 38

/** The columns of the report of a run. Text from outside is made harmless: one line, without control characters. */
export function reportColumns(run: Run): ReportColumn[] {
  const namePlace = nameColumn(run)
  const text = (
    name: string,
    title: string,
    width: number,
    cellOf: (result: RowResult) => string | null,
  ): ReportColumn => ({ name, title, kind: 'text', width, cellOf: (result) => safeText(cellOf(result) ?? '') })
  const inEvent = text('nameInEvent', t`Name in the event`, 28, ({ names }) => names.inEvent)
  const differ = text('namesDiffer', t`Names differ`, 10, ({ names }) => (names.differ === true ? t`yes` : ''))
  const isMarked = ({ names }: RowResult) => names.differ === true
  const payees =
    namePlace === undefined
      ? [inEvent]
      : [
          text('name', t`Payee`, 28, ({ cells }) => (cells[namePlace] ?? '').trim()),
          { ...inEvent, isMarked },
          { ...differ, isMarked },
        ]
  const target =
    run.record.kind === 'transfer'
      ? [text('key', t`PIX key`, KEY_WIDTH, ({ facts }) => (facts.kind === 'transfer' ? facts.key : null))]
      : [
          text('originalTransactionId', t`Refunded transaction`, ID_WIDTH, ({ facts }) =>
            facts.kind === 'refund' ? facts.originalTransactionId : null,
          ),
          text('refundReason', t`Reason for the refund`, 28, ({ facts }) =>
            facts.kind === 'refund' ? facts.refundReason : null,
          ),
        ]
  return [
    { name: 'line', title: t`Line`, kind: 'integer', width: 7, cellOf: ({ line }) => line },
    ...payees,
    ...target,
    { name: 'amount', title: t`Amount (R$)`, kind: 'amount', width: 16, cellOf: ({ amountCents }) => amountCents },
    text('state', t`State`, 10, ({ state }) => state),
    text('status', t`Status at the gateway`, 14, ({ status }) => status),
    text('errorCode', t`Error code`, 20, ({ errorCode }) => errorCode),
    text('message', t`Reason`, 40, ({ message }) => message),
    text('externalId', t`External id`, ID_WIDTH, ({ externalId }) => externalId),
    text('idTransaction', t`Transaction id`, ID_WIDTH, ({ idTransaction }) => idTransaction),
    text('sentAt', t`Sent at (São Paulo)`, 20, ({ sentMs }) => (sentMs === null ? null : formatPaymentDate(sentMs))),
    text('leftOut', t`Sent before this run`, 12, ({ isLeftOut }) => (isLeftOut ? t`yes` : '')),
  ]
}
