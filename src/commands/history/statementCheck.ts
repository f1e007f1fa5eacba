import type { Context } from '../../context.ts'
import type { PaymentFilter } from '../../ledger/paymentList.ts'
import type { StatementFile, StatementLine } from '../../reconcile/externalLine.ts'
import {
  matchStatement,
  periodOf,
  periodOfPayments,
  type StatementMatch,
  withDirections,
} from '../../reconcile/statement.ts'
import { readStatementFile } from '../../reconcile/statementFile.ts'
import { STATEMENT } from '../../reconcile/statementTable.ts'
import { readMapping } from '../../spreadsheet/header.ts'
import { t } from '../../text/translate.ts'
import { withoutAccents } from '../../text/withoutAccents.ts'
import { PAYMENT_LIST } from '../../views/payments/paymentLists.ts'
import { statementColumns, statementItem } from '../../views/payments/statementMatches.ts'
import { UsageError } from '../../wire/errors.ts'
import { assertNoFaults, readNamedInput } from '../tableInput.ts'
import { ownPayments } from './ownPayments.ts'
import { accountFilter } from './paymentPages.ts'
import { ignoredText, noteOpenQuestions, noteTotals, skippedTexts, unusedText } from './statementNotes.ts'

interface StatementOptions {
  map: readonly string[]
  /** Texts of lines that are left out, such as fees. */
  ignore: readonly string[]
  unmask: boolean
}

/** Compares a statement with the payments of the active account: 0 if all match, else 1. */
export async function checkStatement(
  context: Context,
  path: string,
  options: StatementOptions,
  filter: PaymentFilter,
): Promise<number> {
  const file = await readStatement(context, path, options.map)
  const isPeriodTyped = filter.sinceMs !== null || filter.beforeMs !== null
  const { sinceMs, beforeMs } = isPeriodTyped ? filter : periodOf(file)
  const possible = union(periodOfPayments(file), { sinceMs, beforeMs })
  const ignored = options.ignore.map((text) => file.lines.filter((line) => mentions(line, text)))
  const lines = file.lines.filter((line) => !ignored.some((each) => each.includes(line)))
  const payments = await ownPayments(context, await accountFilter(context), possible)
  const matches = await matchStatement(lines, payments, { sinceMs, beforeMs, kind: filter.kind })
  const isSigned = lines.some(({ direction }) => direction !== null)
  const notes = [...skippedTexts(file), ...options.ignore.flatMap((text, place) => ignoredText(text, ignored[place]))]
  const warnings = [
    ...options.ignore.filter((_, place) => ignored[place]?.length === 0).map(unusedText),
    ...missingDays(lines, sinceMs === null && beforeMs === null),
  ]
  await listMatches(context, matches, isSigned, [...file.remarks, ...notes, ...warnings], options.unmask)
  for (const note of notes) context.terminal.note(note)
  noteTotals(context, matches, isSigned)
  noteOpenQuestions(context, matches)
  for (const warning of warnings) context.terminal.warn(warning)
  return matches.every(({ verdict }) => verdict === 'match') ? 0 : 1
}

/** Prints the matches; as text only those that a person must look at. What is to be said of the file is part of the JSON of the first. */
async function listMatches(
  { print, terminal }: Context,
  matches: readonly StatementMatch[],
  isSigned: boolean,
  warnings: readonly string[],
  unmask: boolean,
): Promise<void> {
  const isText = print.format === 'text'
  const shown = isText ? matches.filter(({ verdict }) => verdict !== 'match') : matches
  if (shown.length === 0 && isText) return
  const items = shown.map((match, place) => statementItem(match, place === 0 ? warnings : [], unmask))
  const columns = statementColumns(items, print, terminal, isSigned)
  await print.listOf(items, { columns, documentOf: PAYMENT_LIST.documentOf })
}

/** Reads a statement. Throws UsageError if it has faults or no lines. */
async function readStatement(context: Context, path: string, map: readonly string[]): Promise<StatementFile> {
  const mapping = readMapping(map, STATEMENT)
  const file = await readStatementFile(await readNamedInput(context, path, 'statement'), mapping)
  const { remarks, faults, recognised } = file
  for (const remark of remarks) context.terminal.warn(remark)
  assertNoFaults(faults, (count) => (count === 1 ? t`The statement has a fault` : t`The statement has ${count} faults`))
  if (recognised.length > 0) {
    context.terminal.note(t`Read as \`--map "${recognised.join(',')}"\`; give another \`--map\` if that is wrong`)
  }
  if (file.lines.length > 0) return { ...file, lines: withDirections(file.lines) }
  throw new UsageError(t`The statement has no rows`, {
    hint: t`Give an OFX file, or a CSV or workbook whose header names \`date\` and \`amount\`, or name these columns with \`--map\``,
  })
}

/** True if what the bank says about a line contains a text, without regard to case and accents. */
function mentions({ description, name }: StatementLine, text: string): boolean {
  return withoutAccents(`${description} ${name ?? ''}`.trim()).includes(withoutAccents(text.trim()))
}

/** The shortest period that holds both; null for an open end. */
function union<Period extends { sinceMs: number | null; beforeMs: number | null }>(one: Period, other: Period) {
  return {
    sinceMs: one.sinceMs === null || other.sinceMs === null ? null : Math.min(one.sinceMs, other.sinceMs),
    beforeMs: one.beforeMs === null || other.beforeMs === null ? null : Math.max(one.beforeMs, other.beforeMs),
  }
}

/** What follows from lines without a day, a sentence each. */
function missingDays(lines: readonly StatementLine[], isWithoutPeriod: boolean): string[] {
  const count = lines.filter(({ id, day }) => id === null && day === null).length
  return [
    ...(isWithoutPeriod
      ? [
          t`The statement has no dates, so all payments were compared: narrow them with \`--month\`, or name its column with \`--map date=…\``,
        ]
      : []),
    ...(count > 0 ? [t`Lines that have neither an id nor a date, so that they match no payment: ${count}`] : []),
  ]
}
