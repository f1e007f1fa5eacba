import type { RowCells } from '../spreadsheet/rowCells.ts'
import { hasControlCharacter } from '../text/safeText.ts'
import { t } from '../text/translate.ts'
import { withoutAccents } from '../text/withoutAccents.ts'
import { readDay, readSignedAmount, type SignedAmount, tryRead } from './cellValues.ts'
import type { Direction, StatementLine } from './externalLine.ts'
import { STATEMENT_TEXT_MAX } from './statementLimits.ts'
import { isBalanceText, isTotalText } from './statementText.ts'
import type { TableColumns } from './tableColumns.ts'

const AMOUNTS = ['amount', 'debit', 'credit']
const DEBIT_WORD = /^(d|deb|debito|debit|saida|s|-)$/
const CREDIT_WORD = /^(c|cred|credito|credit|entrada|e|\+)$/

/** The line of a statement that a row of a table is; undefined if the row has faults. */
export function readStatementRow(cells: RowCells, { places }: TableColumns): StatementLine | undefined {
  const id = textOf(cells, 'id')
  if (hasControlCharacter(id)) cells.fault('id', t`The id has a control character in it`)
  const amount = places.has('amount') ? readAmount(cells) : readSides(cells)
  const day = cells.readOptional('date', readDay) ?? null
  if (amount === undefined || cells.faults.length > 0) return undefined
  return {
    line: cells.line,
    id: id || null,
    ...amount,
    status: textOf(cells, 'status') || null,
    day,
    description: descriptionOf(cells),
    name: textOf(cells, 'name').slice(0, STATEMENT_TEXT_MAX) || null,
  }
}

/** What a row says about a payment; a bank may write it into two columns. */
export function descriptionOf(cells: RowCells): string {
  const texts = [textOf(cells, 'description'), textOf(cells, 'details')].filter((text) => text !== '')
  return texts.join(' - ').slice(0, STATEMENT_TEXT_MAX)
}

/** True for a row that holds a balance. */
export function isBalanceRow(cells: RowCells, first: string): boolean {
  if ([first, textOf(cells, 'description'), textOf(cells, 'details')].some(isBalanceText)) return true
  return textOf(cells, 'balance') !== '' && hasNoAmount(cells) && textOf(cells, 'description') === ''
}

/** True for a row that has more to say about the payment above it. */
export function isContinuation(cells: RowCells): boolean {
  return textOf(cells, 'date') === '' && textOf(cells, 'id') === '' && hasNoAmount(cells) && descriptionOf(cells) !== ''
}

/** True for a row that is neither a payment nor a faulty one: a sum, a note, or the header again. */
export function isNoPayment(cells: RowCells, texts: readonly string[], { names, places }: TableColumns): boolean {
  if (places.has('date') && hasDay(cells)) return false
  if (isTotalText(texts[0] ?? '')) return true
  if (texts.join('\n') === names.filter((name) => name !== '').join('\n')) return true
  return textOf(cells, 'id') === '' && hasNoAmount(cells)
}

function hasDay(cells: RowCells): boolean {
  return tryRead(textOf(cells, 'date'), readDay) !== undefined
}

function hasNoAmount(cells: RowCells): boolean {
  return AMOUNTS.every((field) => textOf(cells, field) === '')
}

/** The amount of the one column, and its direction by its sign or by a column of its own. */
function readAmount(cells: RowCells): SignedAmount | undefined {
  const amount = cells.read('amount', readSignedAmount)
  const word = withoutAccents(cells.raw('direction').trim())
  const stated: Direction | null = DEBIT_WORD.test(word) ? 'debit' : CREDIT_WORD.test(word) ? 'credit' : null
  if (amount === undefined || stated === null) return amount
  if (amount.direction !== null && amount.direction !== stated) {
    cells.fault(
      'direction',
      t`\`${cells.raw('direction').trim()}\` contradicts the sign of \`${cells.raw('amount').trim()}\``,
    )
  }
  return { ...amount, direction: stated }
}

/** The amount of the one of two columns that has one. */
function readSides(cells: RowCells): SignedAmount | undefined {
  const debit = readSide(cells, 'debit')
  const credit = readSide(cells, 'credit')
  if (debit !== null && credit !== null) {
    cells.fault('credit', t`The line has a debit and a credit, but a payment is only one of them`)
    return undefined
  }
  if (debit === null && credit === null && cells.faults.length === 0) {
    cells.fault('debit', t`The line has neither a debit nor a credit`)
  }
  return debit ?? credit ?? undefined
}

/** The amount in a column for one direction; null if it is empty or zero, or has a fault. */
function readSide(cells: RowCells, direction: Direction): SignedAmount | null {
  const amount = cells.readOptional(direction, readSignedAmount) ?? null
  if (amount === null || amount.amountCents === 0) return null
  // A minus in a column of debits only repeats what the column says.
  if (amount.direction !== null && amount.direction !== direction) {
    cells.fault(direction, t`\`${cells.raw(direction).trim()}\` contradicts its column`)
  }
  return { amountCents: amount.amountCents, direction }
}

function textOf(cells: RowCells, field: string): string {
  return cells.raw(field).trim()
}
