import { reportFormat, writeReport } from '../../batch/report/reportFile.ts'
import type { Context } from '../../context.ts'
import { unknownRun } from '../../ledger/runs.ts'
import { readText } from '../../optionParsers.ts'
import { t } from '../../text/translate.ts'
import { amountText } from '../../views/valueText.ts'
import { UsageError } from '../../wire/errors.ts'
import { defineCommand } from '../command.ts'
import { findRunByName } from './findRunByName.ts'

export const batchReport = defineCommand({
  arguments: [{ name: '<run>', description: 'name of the run' }],
  options: [
    {
      flags: '--out <file>',
      description:
        'a new file; .xlsx is a workbook of up to 250,000 rows, .html a page to read or print, .csv is for other programs',
      parse: readText,
    },
  ],
  examples: [
    ['pixgate batch report run-5f0c2a9b1d3e --out november.xlsx', 'for the accountant'],
    ['pixgate batch report run-5f0c2a9b1d3e --out november.html', 'one page to read or print'],
  ],
  run: report,
})

async function report(context: Context, { run: name, out: path }: { run: string; out?: string }): Promise<number> {
  if (path === undefined) {
    throw new UsageError(t`\`--out\` is missing`, {
      hint: t`Add \`--out report.xlsx\`; .csv and .html are also supported`,
    })
  }
  const format = reportFormat(path)
  const known = await findRunByName(context, name)
  if (known === undefined) throw unknownRun(name)
  const totals = await writeReport(path, format, await context.ledger(), known, context.now())
  const { all, leftOut, namesDiffer } = totals
  const document = {
    run: name,
    file: path,
    format,
    rows: all.rows,
    totalCents: all.cents,
    leftOut: leftOut.rows,
    namesDiffer: namesDiffer.rows,
    states: totals.states().map(({ state, rows, cents }) => ({ state, rows, cents })),
  }
  context.print.one(document, () => [t`Wrote ${all.rows} rows, ${amountText(all.cents)} in total, to ${path}`])
  return 0
}
