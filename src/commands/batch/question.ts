import type { BatchFile } from '../../money/batch/batchFile.ts'
import { ENCODING_NAMES } from '../../money/batch/encoding.ts'
import type { FileCheck } from '../../money/batch/fileCheck.ts'
import { noticeWords } from '../../money/batch/notices.ts'
import type { Plan } from '../../money/batch/plan.ts'
import { DELIMITER_NAMES } from '../../money/batch/table.ts'
import type { Question } from '../../money/consent.ts'
import { formatReais } from '../../pix/amount.ts'
import type { LabelledRow, Terminal } from '../../terminal/terminal.ts'
import { t } from '../../text/words.ts'

/** What is about to be sent of a file. */
export interface Proposal {
  /** As it was named, `-` for standard input. */
  path: string
  file: BatchFile
  check: FileCheck
  plan: Plan
  /** What is sent, in cents; null where it depends on what the gateway finds. */
  totalCents: number | null
  /** Of the payments that are sent. */
  fingerprint: string
  sentTodayCents: number
}

/** The one question before a batch. */
export function batchQuestion(proposal: Proposal, err: Terminal['err']): Question {
  const { file, plan, totalCents } = proposal
  const amount = totalCents === null ? t`all that is left` : formatReais(totalCents)
  return {
    amountCents: totalCents,
    rows: questionRows(proposal, err),
    text:
      file.kind === 'transfer'
        ? t`Send ${plan.toSend} transfers, ${amount} in all?`
        : t`Send ${plan.toSend} refunds, ${amount} in all?`,
  }
}

function questionRows(proposal: Proposal, err: Terminal['err']): LabelledRow[] {
  const { path, file, check, plan, fingerprint, sentTodayCents } = proposal
  const { accepted, refused, unknown } = plan.leftOut
  const { largest, keyTypes } = check.notices
  const kinds = Object.entries(keyTypes).map(([kind, count]) => `${kind} ${count}`)
  return [
    [t`file`, t`${path}, ${ENCODING_NAMES[file.encoding]}, ${DELIMITER_NAMES[file.delimiter]}`],
    [t`reference`, file.reference],
    [t`rows`, t`${check.count}, ${formatReais(check.totalCents)}`],
    [t`left out`, t`${accepted} accepted before, ${refused} refused before, ${unknown} in doubt`],
    [t`to send`, String(plan.toSend), err.bold],
    ...(largest === null
      ? []
      : [[t`largest`, t`line ${largest.line}: ${formatReais(largest.amountCents)}, ${largest.destination}`] as const]),
    ...(kinds.length === 0 ? [] : [[t`kinds of key`, kinds.join(', ')] as const]),
    ...noticeWords(check.notices).map((words): LabelledRow => [t`look at`, words, err.yellow]),
    [t`sent today`, t`${formatReais(sentTodayCents)} without these`],
    [t`fingerprint`, fingerprint],
  ]
}
