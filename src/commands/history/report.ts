import { defineCommand, defineOptions, type OptionsOf } from '../../commandDefinition.ts'
import type { Context } from '../../context.ts'
import { type MonthBook, readMonthBook } from '../../ledger/monthBook.ts'
import { countOfOtherAccounts, lastPaymentSeq, type PaymentFilter } from '../../ledger/paymentList.ts'
import { paymentsBeingSent } from '../../ledger/processes.ts'
import { formatInstant, saoPauloDay } from '../../pix/calendar.ts'
import { companyOf } from '../../profiles/company.ts'
import type { ValueOf } from '../../schemas/jsonSchema.ts'
import { activeAccount } from '../../steps/activeAccount.ts'
import { readMonth } from '../../steps/historyFilters.ts'
import { OUT_OPTION, reportFile, writeReport } from '../../steps/reportFile.ts'
import { columnDrawing } from '../../terminal/tableWriter.ts'
import { wrapWords } from '../../text/cellLayout.ts'
import { t, translated } from '../../text/translate.ts'
import { type Month, monthNotes, monthReport } from '../../views/month/monthReport.ts'
import {
  apartSums,
  type KindSums,
  kindLines,
  kindSums,
  type MONTH,
  monthDocument,
  netLine,
} from '../../views/month/monthSums.ts'
import { amountText } from '../../views/valueText.ts'
import { UsageError } from '../../wire/errors.ts'

const OPTIONS = defineOptions(
  { flags: '--month <month>', description: 'the month in São Paulo: 11/2026 or 2026-11', parse: readMonth },
  OUT_OPTION,
)

export const historyReport = defineCommand({
  options: OPTIONS,
  details: [
    'The net is what was received less what was refunded, charged back and sent, plus what came back. What is open or unknown is listed apart, and so is what only events tell of.',
  ],
  examples: [['pixgate history report --month 11/2026 --out month.xlsx', 'a workbook for the accountant']],
  run: report,
})

async function report(context: Context, { month: period, out }: OptionsOf<typeof OPTIONS>): Promise<number> {
  if (period === undefined) {
    throw new UsageError(t`\`--month\` is missing`, { hint: t`Add a month, like \`--month 11/2026\`` })
  }
  const day = saoPauloDay(period.sinceMs)
  const month: Month = { ...period, name: `${day.slice(5, 7)}/${day.slice(0, 4)}` }
  const list = `pixgate history --month ${month.name}`
  const path = reportFile(out, t`report-${day.slice(0, 7)}`, list)
  const writtenMs = context.now()
  if (month.sinceMs > writtenMs) {
    throw new UsageError(t`\`--month\`: ${month.name} begins at ${formatInstant(month.sinceMs)}`, {
      hint: t`Give a month that has begun, like \`--month 11/2026\``,
    })
  }
  const { url, clientId, environment, profile } = await activeAccount(context)
  const owner = { baseUrl: url, clientId, environment, profile }
  const company = await companyOf(context.configFolder(), owner, (line) => context.terminal.warn(line))
  const ledger = await context.ledger()
  const { user, machine } = ledger.environment
  const account = { url, clientId, environment }
  const beingSent = await paymentsBeingSent(ledger)
  const book = await ledger.read((database) => readMonthBook(database, account, month, beingSent))
  await writeReport(path, () => monthReport(month, book, { owner, company, user, machine, writtenMs }), list)
  const sums = kindSums(book.movements)
  const document: ValueOf<typeof MONTH> = {
    month: day.slice(0, 7),
    from: new Date(month.sinceMs).toISOString(),
    until: new Date(month.beforeMs).toISOString(),
    file: path,
    profile,
    environment,
    baseUrl: url,
    clientId,
    ...monthDocument(book),
  }
  const written = t`Wrote ${month.name} of the ${translated(environment)} account ${clientId} at ${url} to ${path}`
  const sumLines = await shownSums(book, sums)
  context.print.one(document, () => [...sumLines, '', wrapWords(written, context.terminal.textColumns)])
  for (const note of monthNotes(month, book, sums, writtenMs)) context.terminal.note(note)
  const isEmpty = book.movements.length + book.open.length + book.withoutMoney.size === 0
  if (isEmpty) await noteOtherAccounts(context, { baseUrl: url, clientId, environment }, month)
  return 0
}

/** An empty month is often that of the wrong profile. */
async function noteOtherAccounts(
  { ledger, terminal }: Context,
  account: PaymentFilter['account'],
  { sinceMs, beforeMs }: Month,
): Promise<void> {
  const filter = { account, sinceMs, beforeMs }
  const others = await (await ledger()).read((database) =>
    countOfOtherAccounts(database, filter, lastPaymentSeq(database)),
  )
  if (others > 0)
    terminal.next(t`Use \`-p\` for the payments of other accounts and environments in this month: ${others}`)
}

/** The sums as aligned lines, with the net below a rule. */
async function shownSums(book: MonthBook, sums: KindSums): Promise<string[]> {
  const kinds = kindLines(sums)
  const apart = apartSums(book)
  const rows = [...kinds, netLine(sums), ...apart]
  const draw = await columnDrawing()
  const sumLines = draw(
    rows.map(({ title, payments, cents }) => [title, String(payments), amountText(cents)]),
    ['left', 'right', 'right'],
  )
  const lines = rows.map(({ unknownAmounts: unknown }, place) => [
    sumLines[place] ?? '',
    ...(unknown === 0 ? [] : [t`  without unknown amounts: ${unknown}`]),
  ])
  return [
    ...lines.slice(0, kinds.length).flat(),
    '-'.repeat(sumLines[0]?.length ?? 0),
    ...lines.slice(kinds.length, kinds.length + 1).flat(),
    ...(apart.length === 0 ? [] : ['', t`Not in the net:`, ...lines.slice(kinds.length + 1).flat()]),
  ]
}
