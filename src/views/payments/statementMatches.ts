import { reaisFromCents } from '../../pix/amount.ts'
import { statedName } from '../../reconcile/partyName.ts'
import { calledName, matchDay, type StatementMatch, statedCents } from '../../reconcile/statement.ts'
import type { StatementLine } from '../../reconcile/tableFile.ts'
import { COUNT, enumOf, objectOf, orNull, REAIS, shapedBy, TEXT, type ValueOf } from '../../schemas/jsonSchema.ts'
import { type Column, type Printer, withPixgate } from '../../terminal/printer.ts'
import type { Terminal } from '../../terminal/terminal.ts'
import { t, translated } from '../../text/translate.ts'
import { amountText } from '../valueText.ts'
import {
  type ComparedItem,
  otherAmountColumn,
  type PaymentDocument,
  paymentColumn,
  paymentDocument,
  shownDocument,
} from './paymentFields.ts'

/** A narrower terminal has no space for whole ids beside everything else. */
const WHOLE_ID_COLUMNS = 140
/** The longest id of a bank that such a terminal has space for. */
const ID_CHARACTERS_MAX = 8

interface StatementItem extends ComparedItem {
  match: StatementMatch
}

/** A match as a list shows it; `unmask` shows what is masked otherwise. */
export function statementItem(match: StatementMatch, warnings: readonly string[], unmask: boolean): StatementItem {
  return {
    match,
    document: shownDocument(matchDocument(match, warnings), unmask),
    amountCents: match.hereCents,
    otherCents: match.line === null ? null : statedCents(match.line),
  }
}

/** The columns of the matches that a format shows. `isSigned` if the statement tells debits from credits. */
export function statementColumns(
  items: readonly StatementItem[],
  { format }: Pick<Printer, 'format'>,
  terminal: Pick<Terminal, 'outIsTerminal' | 'columns'>,
  isSigned: boolean,
): readonly Column<StatementItem>[] {
  if (format !== 'text') return DATA_COLUMNS
  const hasStatus = items.some(({ match: { line } }) => line !== null && line.status !== null)
  return textColumns(isSigned, hasStatus, terminal.outIsTerminal && terminal.columns < WHOLE_ID_COLUMNS)
}

/** The columns of CSV. */
const DATA_COLUMNS: readonly Column<StatementItem>[] = [
  { path: 'pixgate.statement.line', header: 'line' },
  paymentColumn('verdict'),
  paymentColumn('amount'),
  { path: 'pixgate.statement.amount', header: 'statement' },
  paymentColumn('payee'),
  { path: 'status', header: 'status here' },
  { path: 'pixgate.statement.status', header: 'status there' },
  paymentColumn('name'),
  paymentColumn('date'),
  paymentColumn('kind'),
  paymentColumn('idTransaction'),
  paymentColumn('matchedBy'),
  paymentColumn('ambiguous'),
  { path: 'pixgate.statement.date', header: 'day there' },
  { path: 'pixgate.statement.description', header: 'description' },
]

function textColumns(isSigned: boolean, hasStatus: boolean, isNarrow: boolean): Column<StatementItem>[] {
  return [
    { path: 'pixgate.statement.line', header: 'line', align: 'right' },
    isNarrow ? { ...paymentColumn('verdict'), text: verdictText } : paymentColumn('verdict'),
    ...(isNarrow ? [] : [{ ...paymentColumn('in'), text: differencesOf }]),
    { path: 'pixgate.at', header: 'date', text: (item) => dayText(item, isNarrow) },
    otherAmountColumn('pixgate.statement.amount', 'statement'),
    { ...paymentColumn('amount'), header: 'here', text: (item) => hereText(item, isSigned) },
    { path: 'pixgate.name', header: 'name', isProse: true, text: (item) => nameText(item, isNarrow) },
    ...(isNarrow ? [] : [{ ...paymentColumn('party'), drop: 6 }]),
    ...(hasStatus && !isNarrow
      ? [
          { path: 'status', header: 'status here', drop: 7 },
          { path: 'pixgate.statement.status', header: 'status there', drop: 8 },
        ]
      : []),
    ...(isNarrow ? [] : [{ ...paymentColumn('kind'), drop: 9, outlastsProse: false }]),
    {
      path: 'idTransaction',
      header: 'id',
      text: (item) => idText(item, isNarrow),
      id: (item) => idText(item, isNarrow),
    },
  ]
}

function verdictText(item: StatementItem): string {
  const verdict = translated(item.match.verdict)
  const differences = differencesOf(item)
  return differences === '' ? verdict : `${verdict}: ${differences}`
}

/** What differs, or that it is not known which of several payments or lines this is. */
function differencesOf({ match: { differences, isAmbiguous } }: StatementItem): string {
  return isAmbiguous ? t`one of several` : differences.join(', ')
}

/** The day of the line, else of the payment; the year of a statement is known. */
function dayText({ match: { line, payment } }: StatementItem, isNarrow: boolean): string {
  const day = matchDay({ payment, line })
  if (day === undefined) return '—'
  const [year = '', month = '', date = ''] = day.split('-')
  return isNarrow ? `${date}/${month}` : `${date}/${month}/${year}`
}

function hereText({ amountCents }: StatementItem, isSigned: boolean): string {
  return amountText(amountCents === null || isSigned ? amountCents : Math.abs(amountCents))
}

/** What people call the payment, else what the bank says about the line: where space is short, the name in it. */
function nameText({ match: { payment, line } }: StatementItem, isNarrow: boolean): string {
  if (payment !== null) return calledName(payment)
  if (line === null) return ''
  const { description, name, id } = line
  const party = isNarrow ? statedName(description, null)?.party.join(' ') : undefined
  return name ?? party ?? (description || (id ?? ''))
}

/** Where space is short, no long numbers of a bank. */
function idText({ document, match: { payment } }: StatementItem, isNarrow: boolean): string {
  const id = document.idTransaction || (document.pixgate?.id ?? '')
  const fits = !isNarrow || payment !== null || id.length <= ID_CHARACTERS_MAX
  return fits && id !== '' ? id : '—'
}

/** A match as JSON; amounts in reais. */
function matchDocument(match: StatementMatch, warnings: readonly string[]): PaymentDocument {
  const { payment, line, verdict, differences, matchedBy, isAmbiguous } = match
  const own = {
    statement: line === null ? null : lineDocument(line),
    verdict,
    differences: [...differences],
    matchedBy,
    ambiguous: isAmbiguous,
    warnings: [...warnings],
  }
  if (payment === null) return { idTransaction: line?.id ?? null, pixgate: { name: line?.id ?? null, ...own } }
  return withPixgate(paymentDocument(payment), own)
}

/** A line of a statement as JSON. */
export const STATEMENT_LINE = objectOf({
  line: COUNT,
  id: orNull(TEXT),
  amount: REAIS,
  direction: orNull(enumOf('credit', 'debit')),
  status: orNull(TEXT),
  date: orNull(TEXT),
  description: TEXT,
  name: orNull(TEXT),
})

function lineDocument(line: StatementLine): ValueOf<typeof STATEMENT_LINE> {
  return shapedBy(STATEMENT_LINE, { ...line, amount: reaisFromCents(statedCents(line)), date: line.day })
}
