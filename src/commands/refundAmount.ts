import type { Context } from '../context.ts'
import { readAmount } from '../optionParsers.ts'
import { formatReais } from '../pix/amount.ts'
import { type LabelledRow, labelledLines } from '../terminal/terminal.ts'
import { t } from '../text/translate.ts'
import { UsageError } from '../wire/errors.ts'
import { promptFor } from './requiredValue.ts'

/** The error for a refund in production that does not say how much, and whose amount nobody can be asked for. */
export function amountRequired(): UsageError {
  return new UsageError(t`In production \`--amount\` or \`--full\` is required`, {
    hint: t`Add \`--amount\`, or \`--full\` to refund all that is left`,
  })
}

/**
 * Shows the payment and asks how much of it to refund, in cents; null is all that is left. `leftCents` is null if what is left is unknown.
 * Throws Cancelled.
 */
export async function askRefundAmount(
  { terminal }: Context,
  original: readonly LabelledRow[],
  leftCents: number | null,
): Promise<number | null> {
  terminal.say(labelledLines(original, terminal.err, terminal.errColumns).join('\n'))
  const isAll = await terminal.choose(t`How much should be refunded?`, [
    { value: true, name: leftCents === null ? t`all that is left` : t`all that is left, ${formatReais(leftCents)}` },
    { value: false, name: t`a part of it` },
  ])
  return isAll ? null : promptFor(terminal, t`Amount to refund`, (typed) => amountWithin(typed, leftCents))
}

/** An amount that is at most what is left. Throws UsageError. */
function amountWithin(typed: string, leftCents: number | null): number {
  const amountCents = readAmount(typed)
  if (leftCents === null || amountCents <= leftCents) return amountCents
  throw new UsageError(t`Only ${formatReais(leftCents)} is left of this payment`, {
    hint: t`Type that amount or a smaller one`,
  })
}
