import { resultPages } from '../../batch/rowResults.ts'
import type { Context } from '../../context.ts'
import { unknownRun } from '../../payments/unknownRun.ts'
import { companyOf } from '../../profiles/company.ts'
import { commandArgument } from '../../text/shellWord.ts'
import { t } from '../../text/translate.ts'
import { runReport } from '../../views/batch/runReport.ts'
import { RunSums } from '../../views/batch/runSums.ts'
import { amountText } from '../../views/valueText.ts'
import { defineCommand, defineOptions, type OptionsOf } from '../command.ts'
import { OUT_OPTION, reportFile, writeReport } from '../reportFile.ts'
import { findRunByName } from './findRunByName.ts'

const OPTIONS = defineOptions(OUT_OPTION)

export const batchReport = defineCommand({
  arguments: [{ name: '<run>', description: 'name of the run' }],
  options: OPTIONS,
  examples: [['pixgate batch report run-5f0c2a9b1d3e --out november.xlsx', 'for the accountant']],
  run: report,
})

async function report(
  context: Context,
  { run: name, out }: { run: string } & OptionsOf<typeof OPTIONS>,
): Promise<number> {
  const list = `pixgate batch show ${commandArgument(name)}`
  const path = reportFile(out, t`report`, list)
  const known = await findRunByName(context, name)
  if (known === undefined) throw unknownRun(name)
  const { owner } = known.record
  const ledger = await context.ledger()
  const { user, machine } = ledger.environment
  const company = await companyOf(context.configFolder(), owner, (line) => context.terminal.warn(line))
  const origin = { owner, company, user, machine, writtenMs: context.now() }
  const sums = new RunSums()
  await writeReport(path, () => runReport(known, resultPages(ledger, known), sums, origin), list)
  const { all, leftOut, namesDiffer } = sums
  const document = {
    run: name,
    file: path,
    rows: all.rows,
    totalCents: all.cents,
    unknownAmounts: all.unknownAmounts,
    leftOut: leftOut.rows,
    namesDiffer: namesDiffer.rows,
    pixgate: { user: known.record.user, machine: known.record.machine, storedBy: known.record.login },
    states: sums.states().map(({ state, rows, cents, unknownAmounts }) => ({ state, rows, cents, unknownAmounts })),
  }
  context.print.one(document, () => [writtenSentence(all, path)])
  return 0
}

function writtenSentence({ rows, cents }: RunSums['all'], path: string): string {
  return rows === 1
    ? t`Wrote 1 row, ${amountText(cents)}, to ${path}`
    : t`Wrote ${rows} rows, ${amountText(cents)} in total, to ${path}`
}
