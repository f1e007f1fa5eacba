import type { Context } from '../../context.ts'
import { paymentDocument } from '../../ledger/paymentDocument.ts'
import { LIST_START, lastPaymentSeq, type PaymentFilter } from '../../ledger/paymentList.ts'
import type { PaymentState } from '../../ledger/paymentState.ts'
import { findPayments, isOfAccount, type Payment } from '../../ledger/payments.ts'
import { readText } from '../../optionParsers.ts'
import { formatReais, reaisFromCents } from '../../pix/amount.ts'
import { readMapping } from '../../spreadsheet/header.ts'
import type { Column, Document } from '../../terminal/printer.ts'
import { t } from '../../text/translate.ts'
import { cellText, valueAt, withPixgate } from '../../views/documentFields.ts'
import { amountText } from '../../views/valueText.ts'
import { readPaymentStatus } from '../../wire/answers.ts'
import { directionOf, findingFromStatusText, readTextInput, signedCents } from '../externalTable.ts'
import { DIFFERENCES_COLUMN, type Difference, PAYMENT_COLUMNS, VERDICT_COLUMN } from '../listColumns.ts'
import { shownDocument } from '../maskPersonalData.ts'
import { accountFilter, paymentPages } from './paymentPages.ts'
import { readStatement, STATEMENT_FIELDS, type Statement, type StatementRow } from './statementFile.ts'

type StatementVerdict = 'match' | 'differs' | 'only-here' | 'only-there'

/** A payment of the ledger, a row of the statement, or both. */
interface Compared {
  payment: Payment | null
  row: StatementRow | null
  verdict: StatementVerdict
  /** The properties in which they differ. */
  differences: readonly Difference[]
}

const VERDICTS: readonly StatementVerdict[] = ['match', 'differs', 'only-here', 'only-there']

/** `isSigned` if the statement tells debits from credits. */
function columnsOf(isSigned: boolean, isText: boolean): Column[] {
  return [
    { path: 'pixgate.statement.line', header: 'line', align: 'right' },
    VERDICT_COLUMN,
    ...(isText ? [DIFFERENCES_COLUMN] : []),
    { ...PAYMENT_COLUMNS.amount, header: 'here', text: (document) => amountHere(document, isSigned) },
    { path: 'pixgate.statement.amount', header: 'statement', align: 'right', text: statementAmount },
    PAYMENT_COLUMNS.payee,
    { path: 'status', header: 'status here', drop: 2 },
    { path: 'pixgate.statement.status', header: 'status there', drop: 3 },
    { ...PAYMENT_COLUMNS.name, drop: 5 },
    { ...PAYMENT_COLUMNS.date, drop: 4 },
    { ...PAYMENT_COLUMNS.kind, drop: 6 },
    PAYMENT_COLUMNS.idTransaction,
  ]
}

/** Compares a statement with the payments of the active account: 0 if all match, else 1. */
export async function checkStatement(
  context: Context,
  file: string,
  options: { map?: string[]; unmask?: boolean },
  filter: PaymentFilter,
): Promise<number> {
  const { terminal, print } = context
  const mapping = readMapping(options.map ?? [], STATEMENT_FIELDS)
  const statement = await readStatement(
    await readTextInput(context, readText(file, '--statement'), 'statement'),
    mapping,
  )
  if (statement.recognised.length > 0) {
    terminal.note(t`Read as \`--map "${statement.recognised.join(',')}"\`; give another \`--map\` if that is wrong`)
  }
  const isPeriodTyped = filter.sinceMs !== null || filter.beforeMs !== null
  const { sinceMs, beforeMs } = isPeriodTyped ? filter : statement
  const compared = await compareStatement(context, statement, {
    ...filter,
    sinceMs,
    beforeMs,
    account: await accountFilter(context),
  })
  const documents = compared.map((each) => ({
    compared: each,
    document: shownDocument(context, comparedDocument(each), options.unmask),
  }))
  const isSigned = statement.rows.some(({ direction }) => direction !== null)
  const shown = print.format === 'text' ? documents.filter((each) => each.compared.verdict !== 'match') : documents
  if (shown.length > 0 || print.format !== 'text') {
    await print.list(
      shown.map(({ document }) => document),
      columnsOf(isSigned, print.format === 'text'),
    )
  }
  noteTotals(context, compared, isSigned)
  suggestFindings(context, compared)
  if (sinceMs === null && beforeMs === null) {
    terminal.note(
      t`The statement has no dates, so all payments were compared: narrow them with \`--month\`, or name its column with \`--map date=…\``,
    )
  }
  return compared.every(({ verdict }) => verdict === 'match') ? 0 : 1
}

/**
 * A row matches the payment that its id names, preferably one that moved money. Each payment matches once: a second row with the same id is
 * only there. Payments without a row count if they were created in the period, and moved money or may have.
 */
async function compareStatement(
  context: Context,
  { rows }: Statement,
  filter: PaymentFilter,
): Promise<readonly Compared[]> {
  const ledger = await context.ledger()
  const taken = new Set<string>()
  const compared: Compared[] = []
  for (const row of rows) {
    const named = await ledger.read((database) => findPayments(database, row.id))
    const free = named.filter((each) => isOfFilter(each, filter) && !taken.has(each.id))
    const payment = free.find(hasMoved) ?? free[0]
    if (payment === undefined) compared.push({ payment: null, row, verdict: 'only-there', differences: [] })
    else {
      taken.add(payment.id)
      const differences = differencesOf(payment, row)
      compared.push({ payment, row, verdict: differences.length === 0 ? 'match' : 'differs', differences })
    }
  }
  const lastSeq = await ledger.read(lastPaymentSeq)
  for await (const page of paymentPages(ledger, filter, LIST_START, lastSeq)) {
    for (const payment of page) {
      if (taken.has(payment.id) || !hasMoved(payment)) continue
      compared.push({ payment, row: null, verdict: 'only-here', differences: [] })
    }
  }
  return compared
}

/** A comparison as JSON; amounts in reais. */
function comparedDocument({ payment, row, verdict, differences }: Compared): Document {
  const statement =
    row === null
      ? null
      : {
          line: row.line,
          id: row.id,
          amount: reaisFromCents(signedCents(row.amountCents, row.direction)),
          direction: row.direction,
          status: row.status,
          date: row.day,
        }
  if (payment === null) {
    return { idTransaction: row?.id ?? null, pixgate: { name: row?.id, statement, verdict, differences } }
  }
  return withPixgate(paymentDocument(payment), { statement, verdict, differences })
}

function isOfFilter(payment: Payment, { account }: PaymentFilter): boolean {
  if (account === null) return true
  const { baseUrl: url, clientId, environment } = account
  return isOfAccount(payment, { url, clientId }) && payment.owner.environment === environment
}

function differencesOf({ facts, amountCents, summary }: Payment, row: StatementRow): Difference[] {
  const differences: Difference[] = []
  if (amountCents !== null && amountCents !== row.amountCents) differences.push('amount')
  if (row.direction !== null && row.direction !== directionOf(facts.kind)) differences.push('sign')
  if (isOtherStatus(summary.state, row)) differences.push('status')
  return differences
}

/** A line of a statement is evidence that money moved, unless its own status says that it did not. */
function isOtherStatus(state: PaymentState, row: StatementRow): boolean {
  const there = findingFromStatusText(row.status ?? '')
  switch (state) {
    case 'accepted':
      return false
    case 'unknown':
      return true
    case 'refused':
    case 'not-sent':
    case 'not-paid':
      return there !== 'not-paid'
    default:
      return there !== null && there !== state
  }
}

/** A charge is on no statement until it is paid. */
function hasMoved({ facts, summary: { state } }: Payment): boolean {
  if (state === 'paid' || state === 'returned') return true
  return facts.kind !== 'qr' && (state === 'accepted' || state === 'unknown')
}

function statementAmount(document: Document): string {
  const amount = valueAt(document, 'pixgate.statement.amount')
  return typeof amount === 'number' ? formatReais(Math.round(amount * 100)) : '—'
}

function amountHere(document: Document, isSigned: boolean): string {
  const { amountCents } = readPaymentStatus(document)
  const direction = isSigned ? directionOf(cellText(valueAt(document, 'pixgate.kind'))) : null
  return amountText(amountCents === null ? null : signedCents(amountCents, direction))
}

/** Suggests recording that a payment with an unknown outcome was made, if the statement has it. */
function suggestFindings({ terminal }: Context, compared: readonly Compared[]): void {
  for (const { payment, row } of compared) {
    if (payment === null || row === null || payment.summary.state !== 'unknown') continue
    if (!['paid', null].includes(findingFromStatusText(row.status ?? ''))) continue
    terminal.next(
      t`Check whether line ${row.line} of the statement is the payment ${payment.name}, whose outcome is unknown here, then record it with \`pixgate history settle ${payment.id}\``,
    )
  }
}

/** Prints the count and the sums on both sides for each verdict. */
function noteTotals({ terminal }: Context, compared: readonly Compared[], isSigned: boolean): void {
  for (const verdict of VERDICTS) {
    const members = compared.filter((each) => each.verdict === verdict)
    if (members.length === 0) continue
    const here = members.reduce((sum, { payment }) => sum + centsHere(payment, isSigned), 0n)
    const there = members.reduce((sum, { row }) => sum + centsThere(row), 0n)
    terminal.note(t`${verdict}: ${members.length}, ${formatReais(here)} here, ${formatReais(there)} there`)
  }
}

function centsHere(payment: Payment | null, isSigned: boolean): bigint {
  if (payment === null) return 0n
  return BigInt(signedCents(payment.amountCents ?? 0, isSigned ? directionOf(payment.facts.kind) : null))
}

function centsThere(row: StatementRow | null): bigint {
  return row === null ? 0n : BigInt(signedCents(row.amountCents, row.direction))
}
