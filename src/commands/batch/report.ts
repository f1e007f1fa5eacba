import { resultPages } from '../../batch/rowResults.ts'
import type { Context } from '../../context.ts'
import { unknownRun } from '../../payments/unknownRun.ts'
import { companyOf } from '../../profiles/company.ts'
import { t } from '../../text/translate.ts'
import { runReport } from '../../views/batch/runReport.ts'
import { RunSums } from '../../views/batch/runSums.ts'
import { amountText } from '../../views/valueText.ts'
import { defineCommand, type OptionsOf } from '../command.ts'
import { REPORT_OPTIONS, reportFile, writeReport } from '../reportFile.ts'
import { findRunByName } from './findRunByName.ts'

export const batchReport = defineCommand({
  arguments: [{ name: '<run>', description: 'name of the run' }],
  options: REPORT_OPTIONS,
  examples: [
    ['pixgate batch report run-5f0c2a9b1d3e --out november.xlsx', 'for the accountant'],
    ['pixgate batch report run-5f0c2a9b1d3e --out november.html', 'one page to read or print'],
  ],
  run: report,
})

async function report(
  context: Context,
  { run: name, ...options }: { run: string } & OptionsOf<typeof REPORT_OPTIONS>,
): Promise<number> {
  const file = reportFile(options)
  const known = await findRunByName(context, name)
  if (known === undefined) throw unknownRun(name)
  const { owner } = known.record
  const ledger = await context.ledger()
  const { user, machine } = ledger.environment
  const company = await companyOf(context.configFolder(), owner, (line) => context.terminal.warn(line))
  const origin = { owner, company, user, machine, writtenMs: context.now() }
  const sums = new RunSums()
  await writeReport(file, () => runReport(known, resultPages(ledger, known), sums, origin))
  const { all, leftOut, namesDiffer } = sums
  const document = {
    run: name,
    file: file.path,
    format: file.format,
    rows: all.rows,
    totalCents: all.cents,
    unknownAmounts: all.unknownAmounts,
    leftOut: leftOut.rows,
    namesDiffer: namesDiffer.rows,
    pixgate: { user: known.record.user, machine: known.record.machine, storedBy: known.record.login },
    states: sums.states().map(({ state, rows, cents, unknownAmounts }) => ({ state, rows, cents, unknownAmounts })),
  }
  context.print.one(document, () => [writtenSentence(all, file.path)])
  return 0
}

function writtenSentence({ rows, cents }: RunSums['all'], path: string): string {
  return rows === 1
    ? t`Wrote 1 row, ${amountText(cents)}, to ${path}`
    : t`Wrote ${rows} rows, ${amountText(cents)} in total, to ${path}`
}
