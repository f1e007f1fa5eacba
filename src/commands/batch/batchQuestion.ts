import type { BatchFile } from '../../batch/batchFile.ts'
import type { FileCheck } from '../../batch/fileCheck.ts'
import { type EqualRows, planWarnings } from '../../batch/planWarnings.ts'
import type { RunPlan } from '../../batch/runPlan.ts'
import { formatText } from '../../batch/spreadsheet/fileContent.ts'
import { quotedList } from '../../batch/spreadsheet/header.ts'
import { hiddenRowsText } from '../../batch/spreadsheet/hiddenCells.ts'
import type { Question } from '../../payments/consent.ts'
import { formatReais } from '../../pix/amount.ts'
import type { LabelledRow, Terminal } from '../../terminal/terminal.ts'
import { t } from '../../text/translate.ts'

/** A file that may be sent, with what is known of it. */
export interface CheckedBatch {
  /** As it was typed, `-` for standard input. */
  path: string
  file: BatchFile
  check: FileCheck
  plan: RunPlan
  equal: EqualRows
  /** Keys that were never paid before; 0 for refunds. */
  newKeys: number
  sentTodayCents: number
}

/** The one question before the rows of a file are sent. */
export function batchQuestion(batch: CheckedBatch, err: Terminal['err']): Question {
  const { file, check, plan, equal, newKeys, sentTodayCents } = batch
  const rows: LabelledRow[] = [
    ...totalRows(batch, err),
    [t`to send`, String(plan.now.count), err.bold],
    ...limitRows(plan),
    ...summaryRows(plan),
    ...planWarnings(plan, { equal, newKeys, swallowedLine: check.swallowedLine }).map(
      (text): LabelledRow => [t`check`, text, err.yellow],
    ),
    [t`sent today`, t`${formatReais(sentTodayCents)} without these`],
    [t`fingerprint`, t`${plan.fingerprint}, the same for the same payments in any order`],
  ]
  const amount = amountOf(plan)
  return {
    amountCents: knownCents(plan),
    rows,
    text:
      file.kind === 'transfer'
        ? t`Send ${plan.now.count} transfers, ${amount} in total?`
        : t`Send ${plan.now.count} refunds, ${amount} in total?`,
  }
}

/** The file, and how much of it is left to send. */
export function totalRows({ path, file, check, plan }: CheckedBatch, err: Terminal['err']): LabelledRow[] {
  const { accepted, refused, unknown } = plan.leftOut
  return [
    [t`file`, t`${path}, ${formatText(file.format)}`],
    [t`reference`, file.reference],
    [t`rows`, t`${check.count} in the file, ${formatReais(check.totalCents)}`],
    ...hiddenRowsOf(file, err),
    [t`left out`, t`${accepted} accepted before, ${refused} refused before, ${unknown} with an unknown outcome`],
  ]
}

/** What the spreadsheet does not show; nothing if it shows all. */
function hiddenRowsOf(file: BatchFile, err: Terminal['err']): LabelledRow[] {
  const hidden = file.hiddenSummary()
  if (hidden === null) return []
  const { rows, cents, columns, isLeftOut } = hidden
  const text = hiddenRowsText({ rows, cents })
  return [
    ...(rows === 0 ? [] : [[t`hidden`, isLeftOut ? t`${text}, left out` : t`${text}, sent too`, err.yellow] as const]),
    ...(columns.length === 0 ? [] : [[t`hidden`, t`columns ${quotedList(columns)}, sent too`, err.yellow] as const]),
  ]
}

/** What is sent now, in cents; null if the amount of a refund is not known. */
export function knownCents({ unknownAmounts, now }: RunPlan): number | null {
  return unknownAmounts > 0 ? null : now.cents
}

/** What is sent now, for a person. */
export function amountOf(plan: RunPlan): string {
  const cents = knownCents(plan)
  return cents === null ? t`all that is left` : formatReais(cents)
}

/** The largest payment and the kinds of keys of what is sent now. */
export function summaryRows({ largest, keyTypes }: RunPlan): LabelledRow[] {
  const kinds = Object.entries(keyTypes).map(([kind, count]) => `${kind} ${count}`)
  return [
    ...(largest === null
      ? []
      : [[t`largest`, t`line ${largest.line}: ${formatReais(largest.amountCents)}, ${largest.target}`] as const]),
    ...(kinds.length === 0 ? [] : [[t`kinds of key`, kinds.join(', ')] as const]),
  ]
}

/** That `--limit` sends only a part of the rows now. */
export function limitRows({ count, now }: RunPlan): LabelledRow[] {
  return now.count === count
    ? []
    : [[t`limit`, t`${now.count} of ${count} are sent now, the others with \`pixgate resume\``]]
}
