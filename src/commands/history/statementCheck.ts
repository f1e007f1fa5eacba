import type { Context } from '../../context.ts'
import { LIST_START, lastPaymentSeq, type PaymentFilter } from '../../ledger/paymentList.ts'
import { findPayments, isOfAccount, type Payment } from '../../ledger/payments.ts'
import { paymentDocument } from '../../payments/paymentDocument.ts'
import { formatReais, reaisOrNull } from '../../pix/amount.ts'
import { directionOf, type ExternalLine, signedCents } from '../../reconcile/externalLine.ts'
import {
  matchStatement,
  type OwnPayments,
  periodOf,
  STATEMENT,
  type StatementMatch,
  type StatementVerdict,
  suggestsPaid,
  withDirections,
} from '../../reconcile/statement.ts'
import type { Column, Document } from '../../terminal/printer.ts'
import { t } from '../../text/translate.ts'
import { withPixgate } from '../../views/documentFields.ts'
import { UsageError } from '../../wire/errors.ts'
import { type ComparedItem, otherAmountColumn, ownAmountText } from '../comparedAmounts.ts'
import { PAYMENT_LIST, paymentColumn, shownDocument } from '../paymentLists.ts'
import { readTableInput } from '../tableInput.ts'
import { accountFilter, paymentPages } from './paymentPages.ts'

const VERDICTS: readonly StatementVerdict[] = ['match', 'differs', 'only-here', 'only-there']

/** `isSigned` if the statement tells debits from credits. */
function statementColumns(isSigned: boolean, isText: boolean): Column<ComparedItem>[] {
  return [
    { path: 'pixgate.statement.line', header: 'line', align: 'right' },
    paymentColumn('verdict'),
    ...(isText ? [paymentColumn('in')] : []),
    { ...paymentColumn('amount'), header: 'here', text: (item) => ownAmountText(item, isSigned) },
    otherAmountColumn('pixgate.statement.amount', 'statement'),
    paymentColumn('payee'),
    { path: 'status', header: 'status here', drop: 2 },
    { path: 'pixgate.statement.status', header: 'status there', drop: 3 },
    { ...paymentColumn('name'), drop: 5 },
    { ...paymentColumn('date'), drop: 4 },
    { ...paymentColumn('kind'), drop: 6 },
    paymentColumn('idTransaction'),
  ]
}

/** Compares a statement with the payments of the active account: 0 if all match, else 1. */
export async function checkStatement(
  context: Context,
  file: string,
  options: { map: readonly string[]; unmask: boolean },
  filter: PaymentFilter,
): Promise<number> {
  const { terminal, print } = context
  const lines = await readStatement(context, file, options.map)
  const isPeriodTyped = filter.sinceMs !== null || filter.beforeMs !== null
  const { sinceMs, beforeMs } = isPeriodTyped ? filter : periodOf(lines)
  const account = await accountFilter(context)
  const matches = await matchStatement(lines, await ownPayments(context, { ...filter, sinceMs, beforeMs, account }))
  const isSigned = lines.some(({ direction }) => direction !== null)
  const isText = print.format === 'text'
  const shown = isText ? matches.filter(({ verdict }) => verdict !== 'match') : matches
  const items = shown.map((match) => ({
    document: shownDocument(context, matchDocument(match), options.unmask),
    amountCents: match.payment?.amountCents ?? null,
    otherCents: otherCents(match),
  }))
  if (items.length > 0 || !isText) {
    await print.listOf(items, { columns: statementColumns(isSigned, isText), documentOf: PAYMENT_LIST.documentOf })
  }
  noteTotals(context, matches, isSigned)
  for (const { payment, line } of matches.filter(suggestsPaid)) {
    terminal.next(
      t`Check whether line ${line.line} of the statement is the payment ${payment.name}, whose outcome is unknown here, then record it with \`pixgate history settle ${payment.id}\``,
    )
  }
  if (sinceMs === null && beforeMs === null) {
    terminal.note(
      t`The statement has no dates, so all payments were compared: narrow them with \`--month\`, or name its column with \`--map date=…\``,
    )
  }
  return matches.every(({ verdict }) => verdict === 'match') ? 0 : 1
}

/** Reads a statement. Throws UsageError if it has faults or no lines. */
async function readStatement(context: Context, file: string, map: readonly string[]): Promise<ExternalLine[]> {
  const path = file
  const { lines } = await readTableInput(context, path, map, 'statement', STATEMENT)
  if (lines.length > 0) return withDirections(lines)
  throw new UsageError(t`The statement has no rows`, {
    hint: t`Give a CSV whose header names \`id\` and \`amount\`, or name these columns with \`--map\``,
  })
}

async function ownPayments(context: Context, filter: PaymentFilter): Promise<OwnPayments> {
  const ledger = await context.ledger()
  return {
    async named(id) {
      const found = await ledger.read((database) => findPayments(database, id))
      return found.filter((payment) => isOfFilter(payment, filter))
    },
    async *all() {
      yield* paymentPages(ledger, filter, LIST_START, await ledger.read(lastPaymentSeq))
    },
  }
}

/** The amount of the line in cents, with its sign if it has one; null if it has none. */
function otherCents({ line }: StatementMatch): number | null {
  return line === null || line.amountCents === null ? null : signedCents(line.amountCents, line.direction)
}

/** A match as JSON; amounts in reais. */
function matchDocument(match: StatementMatch): Document {
  const { payment, line, verdict, differences } = match
  const statement =
    line === null
      ? null
      : {
          line: line.line,
          id: line.id,
          amount: reaisOrNull(otherCents(match)),
          direction: line.direction,
          status: line.status,
          date: line.day,
        }
  if (payment === null) {
    return { idTransaction: line?.id ?? null, pixgate: { name: line?.id, statement, verdict, differences } }
  }
  return withPixgate(paymentDocument(payment), { statement, verdict, differences })
}

function isOfFilter(payment: Payment, { account }: PaymentFilter): boolean {
  if (account === null) return true
  const { baseUrl: url, clientId, environment } = account
  return isOfAccount(payment, { url, clientId }) && payment.owner.environment === environment
}

/** Prints the count and the sums on both sides for each verdict. */
function noteTotals({ terminal }: Context, matches: readonly StatementMatch[], isSigned: boolean): void {
  for (const verdict of VERDICTS) {
    const members = matches.filter((each) => each.verdict === verdict)
    if (members.length === 0) continue
    const here = members.reduce((sum, { payment }) => sum + centsHere(payment, isSigned), 0n)
    const there = members.reduce((sum, { line }) => sum + centsThere(line), 0n)
    terminal.note(t`${verdict}: ${members.length}, ${formatReais(here)} here, ${formatReais(there)} there`)
  }
}

function centsHere(payment: Payment | null, isSigned: boolean): bigint {
  if (payment === null) return 0n
  return BigInt(signedCents(payment.amountCents ?? 0, isSigned ? directionOf(payment.facts.kind) : null))
}

function centsThere(line: ExternalLine | null): bigint {
  return line === null ? 0n : BigInt(signedCents(line.amountCents ?? 0, line.direction))
}
