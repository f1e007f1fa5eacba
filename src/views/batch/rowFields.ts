import type { ChalkInstance } from 'chalk'
import { PAYMENT_TABLES } from '../../batch/paymentRows.ts'
import { RESULT_COLUMNS, type RowResult, resultsHeaderNames, resultsOutcome } from '../../batch/rowResults.ts'
import { SHOWN_STATES } from '../../ledger/paymentState.ts'
import { nameColumn, type Run } from '../../ledger/runs.ts'
import { stateText } from '../../ledger/stateWords.ts'
import { reaisOrNull, tryParseAmount } from '../../pix/amount.ts'
import { formatPaymentDate } from '../../pix/calendar.ts'
import { destinationText, formatKey } from '../../pix/destination.ts'
import { BOOLEAN, COUNT, enumOf, INSTANT, orNull, REAIS, TEXT } from '../../schemas/jsonSchema.ts'
import { type Field, fieldsOf } from '../../terminal/fields.ts'
import { csvLine, decimalComma, EXCEL_START, excelRecord, plainCell, textCell } from '../../text/csv.ts'
import { t } from '../../text/translate.ts'
import { writtenFor } from '../../text/writtenFor.ts'
import { stateColour } from '../payments/paymentCells.ts'
import type { ReportColumn } from '../report/reportTable.ts'
import { amountText, instantText, statusColour } from '../valueText.ts'

/** True if the name in the file of a row is not the one that an event of its payment has. */
function isNameMarked({ names }: RowResult): boolean {
  return names.differ === true
}

function formattedKey({ facts }: RowResult): string | null {
  return facts.kind === 'transfer' ? formatKey(facts.key, facts.keyType) : null
}

function refundReason({ facts }: RowResult): string | null {
  return facts.kind === 'refund' ? facts.refundReason : null
}

/** The payee of a row; in a file without names the key, or the id of the refunded payment. */
function payeeText({ typedName, facts }: RowResult): string {
  if (typedName !== null && typedName !== '') return typedName
  return facts.kind === 'transfer' ? destinationText(facts.key, facts.keyType) : facts.originalTransactionId
}

/** The name in the event of a row, marked if it is not the one in the file. The mark comes first, because a long name may be shortened. */
function nameInEventText({ names }: RowResult): string {
  const name = names.inEvent ?? ''
  if (name === '') return '—'
  return names.differ === true ? t`differs: ${name}` : name
}

function colourOfName(result: RowResult, style: ChalkInstance): ChalkInstance | undefined {
  return isNameMarked(result) ? style.red.bold : undefined
}

/** When the last request of a row was sent, in São Paulo time. */
function localTime({ sentMs }: RowResult): string | null {
  return sentMs === null ? null : formatPaymentDate(sentMs)
}

/** A fact as a cell: `yes`, or nothing. */
function yes(isSo: boolean): string {
  return isSo ? t`yes` : ''
}

const isTransfer = ({ kind }: RowFile) => kind === 'transfer'
const isRefund = ({ kind }: RowFile) => kind === 'refund'
const hasNames = (file: RowFile) => file.hasNames

const field = fieldsOf<RowField>('')

/** What is shown of a row of a run, in the order of its JSON in `batch show`. A new field is a row here. */
export const ROW_FIELDS = [
  field('line', COUNT, ({ line }) => line, {
    column: { align: 'right' },
    report: { place: 1, title: () => t`Line`, kind: 'integer', width: 7 },
  })`the line of the batch's file`,
  field('externalId', TEXT, ({ externalId }) => externalId, {
    column: { drop: 8 },
    report: { place: 12, title: () => t`External id`, kind: 'id', width: 39 },
    results: { isId: true },
  })`external id of a transfer; of a refund the id of its row`,
  field('key', TEXT, ({ facts }) => (facts.kind === 'transfer' ? facts.key : undefined), {
    mask: 'whole',
    column: { drop: 7, text: (result) => formattedKey(result) ?? '' },
    isIn: isTransfer,
    report: { place: 5, title: () => t`PIX key`, kind: 'id', width: 39, value: formattedKey },
  })`PIX key of a transfer`,
  field(
    'originalTransactionId',
    TEXT,
    ({ facts }) => (facts.kind === 'refund' ? facts.originalTransactionId : undefined),
    {
      column: { drop: 7 },
      isIn: isRefund,
      report: { place: 5, title: () => t`Refunded transaction`, kind: 'id', width: 39 },
    },
  )`the payment that a refund returns`,
  field('refundReason', TEXT, undefined, {
    mask: 'whole',
    column: null,
    isIn: isRefund,
    report: { place: 6, title: () => t`Reason for the refund`, width: 24, value: refundReason },
  })`in reports: why a refund was requested`,
  field('payee', TEXT, ({ typedName }) => typedName ?? undefined, {
    path: 'name',
    mask: 'whole',
    column: { isProse: true, text: payeeText },
    isIn: hasNames,
    report: { place: 2, title: () => t`Payee`, width: 24 },
  })`the name in the file, or that of the payee; without one the key, or the id of the refunded payment`,
  field('payeeName', TEXT, ({ facts }) => (facts.kind === 'transfer' ? (facts.payee ?? undefined) : undefined), {
    isIn: ({ hasPayees }) => hasPayees,
  })`the name of the payee that the row names, see \`pixgate payee\``,
  field('amount', orNull(REAIS), ({ amountCents }) => reaisOrNull(amountCents), {
    column: { align: 'right', text: ({ amountCents }) => amountText(amountCents) },
    report: {
      place: 7,
      title: () => t`Amount (R$)`,
      kind: 'amount',
      width: 14,
      value: ({ amountCents }) => amountCents,
    },
  })`in reais`,
  field('state', enumOf(...SHOWN_STATES), ({ shownState }) => shownState, {
    column: {
      text: ({ shownState }) => stateText(shownState),
      colour: ({ shownState }, style) => stateColour(shownState, style),
    },
    report: { place: 8, title: () => t`State`, width: 12, value: ({ state }) => stateText(state) },
  })`what is known of the payment: see [the states](#states)`,
  field('outcome', TEXT, undefined, {
    column: null,
    results: { value: ({ outcome }) => resultsOutcome(outcome) },
  })`in results: what became of the request`,
  field('status', orNull(TEXT), ({ status }) => status, {
    column: { drop: 6, colour: ({ status }, style) => statusColour(status, style) },
    report: { place: 9, title: () => t`Status at the gateway`, kind: 'id', width: 16 },
  })`the gateway's status, such as \`PAID_OUT\``,
  field('idTransaction', orNull(TEXT), ({ idTransaction }) => idTransaction, {
    column: { id: ({ idTransaction }) => idTransaction ?? '', shortHeader: 'id', drop: 1, outlastsProse: true },
    report: { place: 13, title: () => t`Transaction id`, kind: 'id', width: 39 },
    results: { isId: true },
  })`the gateway's id`,
  field('errorCode', orNull(TEXT), ({ errorCode }) => errorCode, {
    column: { drop: 0, outlastsProse: true },
    report: { place: 10, title: () => t`Error code`, kind: 'id', width: 26 },
  })`why it failed, as a code`,
  field('reason', orNull(TEXT), ({ message }) => message(), {
    path: 'message',
    mask: 'whole',
    column: { isProse: true, drop: 5 },
    report: { place: 11, title: () => t`Reason`, width: 28 },
  })`why it failed, in words`,
  field('date', orNull(INSTANT), ({ sentMs }) => (sentMs === null ? null : new Date(sentMs).toISOString()), {
    path: 'sentAt',
    column: { drop: 3, text: ({ sentMs }) => instantText(sentMs) },
    report: {
      place: 14,
      title: () => t`Sent at (São Paulo)`,
      kind: 'time',
      width: 22,
      value: ({ sentMs }) => sentMs,
    },
    results: { excel: localTime },
  })`when its last request was sent`,
  field('leftOut', BOOLEAN, ({ isLeftOut }) => isLeftOut, {
    column: { drop: 4, text: ({ isLeftOut }) => (isLeftOut ? t`left out` : '') },
    report: { place: 15, title: () => t`Sent before this run`, width: 10, value: ({ isLeftOut }) => yes(isLeftOut) },
  })`the row had been sent before this run`,
  field('nameInEvent', orNull(TEXT), ({ names }) => names.inEvent, {
    mask: 'whole',
    column: { drop: 10, isProse: true, text: nameInEventText, colour: colourOfName },
    report: { place: 3, title: () => t`Name in the event`, width: 24, isMarked: isNameMarked },
  })`the name that an event of its payment has`,
  field('namesDiffer', orNull(BOOLEAN), ({ names }) => names.differ, {
    report: {
      place: 4,
      title: () => t`Names differ`,
      width: 8,
      value: (result) => yes(isNameMarked(result)),
      isMarked: isNameMarked,
      isIn: hasNames,
    },
  })`that name is not the one in the file; empty unless both are known`,
  field('user', orNull(TEXT), ({ writer }) => writer?.user ?? null, {
    column: { drop: 9 },
  })`who created its payment; empty if it was not sent`,
  field('machine', orNull(TEXT), ({ writer }) => writer?.machine ?? null, {
    column: { drop: 9 },
  })`on which machine`,
]

/** The fields of a CSV of these rows. */
export const ROW_CSV = [
  ...['line', 'key', 'originalTransactionId', 'payee', 'amount', 'state', 'status', 'errorCode', 'externalId'],
  ...['idTransaction', 'reason', 'date', 'leftOut', 'nameInEvent', 'namesDiffer', 'user', 'machine', 'payeeName'],
]

/** What the JSON of a row depends on besides the row. */
interface RowFile {
  kind: Run['record']['kind']
  /** True if a column seems to hold the names of who is paid, or names payees. */
  hasNames: boolean
  /** True if a column names payees. */
  hasPayees: boolean
}

/** The facts about a run's file by which its rows have fields. */
export function rowFile(run: Run): RowFile {
  const hasPayees = run.fields.payee !== undefined
  return { kind: run.record.kind, hasNames: nameColumn(run) !== undefined || hasPayees, hasPayees }
}

/** What is shown of a row of a run. Nothing of it is masked, because the file is the user's own. */
export interface RowField extends Field<RowResult, RowResult> {
  /** False for a file whose rows do not have it in CSV and reports; absent if all have it. */
  isIn?: (file: RowFile) => boolean
  /** Its column in a report for people. */
  report?: {
    place: number
    title: () => string
    /** Text unless it is given. */
    kind?: ReportColumn['kind']
    /** In a workbook, in characters. */
    width: number
    /** If it is not the value in JSON. */
    value?: (result: RowResult) => string | number | null
    /** True of a cell that a reader must not overlook. */
    isMarked?: (result: RowResult) => boolean
    isIn?: (file: RowFile) => boolean
  }
  /** How it is written in `--results`, if not as in JSON; ids are text, also if they consist of digits. */
  results?: {
    isId?: true
    value?: (result: RowResult) => string | null
    /** In the form for spreadsheets, if it is another one. */
    excel?: (result: RowResult) => string | null
  }
}

/** `lossless` is a CSV that gives every cell back as it was; `excel` is one that a Brazilian spreadsheet opens correctly. */
export type ResultsMode = 'lossless' | 'excel'

/** A spreadsheet is read by people, the other form by programs. */
const READERS = { lossless: 'programs', excel: 'people' } as const satisfies Record<ResultsMode, unknown>
/** What follows the columns of the file, in its order. */
const RESULT_FIELDS = RESULT_COLUMNS.flatMap((column) =>
  ROW_FIELDS.flatMap((field: RowField) => (field.path === column ? [{ ...field, ...field.results }] : [])),
)
/** What a spreadsheet would rewrite in a column that pixgate does not know: leading zeros, long numbers, exponents, and parts of dates. */
const WOULD_CHANGE = /^(?:0\d+|\d{12,}|\+\d+|\d[\d.]*e[\d.-]+|\d{1,2}[-/]\d{1,2})$/i

/** The first line of a results file, with its line end. */
export function resultsHeader(columns: readonly string[], mode: ResultsMode): string {
  const cells = writtenFor(READERS[mode], () => resultsHeaderNames(columns))
  return mode === 'excel' ? EXCEL_START + excelRecord(cells.map(plainCell)) : `${csvLine(cells)}\n`
}

/** The lines of some rows in a results file, in the language of those who read it. `fields` are the places of the request's fields among the cells. */
export function resultLines(
  results: readonly RowResult[],
  fields: Readonly<Record<string, number>>,
  mode: ResultsMode,
): string {
  return writtenFor(READERS[mode], () => results.map((result) => resultLine(result, fields, mode)).join(''))
}

/** The line of one row, with its line end. */
function resultLine(result: RowResult, fields: Readonly<Record<string, number>>, mode: ResultsMode): string {
  if (mode === 'lossless') {
    const known = RESULT_FIELDS.map(({ json, value }) => String((value ?? json)?.(result) ?? ''))
    return `${csvLine([String(result.line), ...result.cells, ...known])}\n`
  }
  const known = RESULT_FIELDS.map(({ json, value, excel, isId }) => {
    const text = String((excel ?? value ?? json)?.(result) ?? '')
    return isId === true ? textCell(text) : plainCell(text)
  })
  return excelRecord([plainCell(String(result.line)), ...excelCells(result, fields), ...known])
}

function excelCells({ cells, facts }: RowResult, fields: Readonly<Record<string, number>>): string[] {
  const { texts: textFields, amount } = PAYMENT_TABLES[facts.kind === 'transfer' ? 'transfer' : 'refund']
  const texts = placesOf(textFields, fields)
  const amounts = placesOf([amount], fields)
  return cells.map((cell, place) => {
    if (texts.has(place)) return textCell(cell)
    if (amounts.has(place)) return cell.trim() === '' ? '' : decimalComma(facts.amountCents ?? 0)
    return otherCell(cell)
  })
}

function placesOf(names: readonly string[], fields: Readonly<Record<string, number>>): Set<number> {
  return new Set(names.flatMap((name) => fields[name] ?? []))
}

/** A cell of a column that pixgate does not know: an amount becomes a number, digits that would be lost stay text. */
function otherCell(cell: string): string {
  const text = cell.trim()
  if (/^(?:R\$\s?)?\d[\d.,]*[.,]\d{1,2}$/.test(text)) {
    const cents = tryParseAmount(text, { zeroAllowed: true })
    if (cents !== null) return decimalComma(cents)
  }
  return WOULD_CHANGE.test(text) ? textCell(text) : plainCell(cell)
}
