import type { Context } from '../../context.ts'
import { formatReais } from '../../pix/amount.ts'
import { type LabelledRow, labelledLines } from '../../terminal/terminal.ts'
import { t } from '../../text/translate.ts'

/** How a rehearsal went. */
export interface RehearsalVerdict {
  /** Rows that were sent, of those in the file. */
  rows: number
  fileRows: number
  faults: number
  kills: number
  starts: number
  paidOnce: number
  paidTwice: number
  missing: number
  totalCents: number
  paidCents: number
  fingerprint: string
  seed: number
  passed: boolean
}

const FAILED_EXIT = 70

/** Prints the verdict, and gives its exit code. */
export function showVerdict(context: Context, verdict: RehearsalVerdict): number {
  const { out } = context.terminal
  context.print.one({ type: 'rehearsal', ...verdict }, () => labelledLines(verdictRows(verdict, out), out))
  context.terminal.note(t`That was a rehearsal: no money moved`)
  if (!verdict.passed) {
    context.terminal.warn(t`The rehearsal failed: do not send this file, and report the verdict`)
    return FAILED_EXIT
  }
  context.terminal.next(
    t`Compare the fingerprint with the one that the real run shows before it asks; they match unless some of these rows were already sent`,
  )
  return 0
}

function verdictRows(verdict: RehearsalVerdict, out: Context['terminal']['out']): LabelledRow[] {
  const { rows, fileRows, faults, kills, starts, paidOnce, paidTwice, missing, totalCents, paidCents } = verdict
  const bad = (count: number) => (count > 0 ? out.red.bold : out)
  return [
    [
      t`rehearsal`,
      verdict.passed ? t`every payment once` : t`not every payment once`,
      verdict.passed ? out.green : out.red.bold,
    ],
    [t`rows`, t`${rows} of ${fileRows}`],
    [t`lost answers`, String(faults)],
    [t`killed`, t`${kills} times, ${starts} starts`],
    [t`paid once`, String(paidOnce)],
    [t`paid twice`, String(paidTwice), bad(paidTwice)],
    [t`missing`, String(missing), bad(missing)],
    [
      t`total`,
      t`${formatReais(totalCents)} in the file, ${formatReais(paidCents)} paid`,
      bad(Math.abs(totalCents - paidCents)),
    ],
    [t`fingerprint`, verdict.fingerprint, out.bold],
    [t`seed`, String(verdict.seed)],
  ]
}
