import type { Context } from '../../context.ts'
import { isAnswered, questionAccountRows } from '../../payments/consent.ts'
import { type LabelledRow, labelledLines } from '../../terminal/terminal.ts'
import { t } from '../../text/translate.ts'
import { Cancelled, UsageError } from '../../wire/errors.ts'
import type { ActiveAccount } from '../history/paymentPages.ts'

/**
 * Shows to where payees will be paid and asks, because payments follow it: a person says yes; a script adds `--yes`, in production `--confirm`. Throws
 * Cancelled if a person declines, UsageError with code CONFIRMATION_REQUIRED without a terminal.
 */
export async function askToChangePayees(
  { terminal, settings }: Context,
  account: ActiveAccount,
  rows: readonly LabelledRow[],
  question: string,
): Promise<void> {
  const { err, errColumns } = terminal
  const lines = labelledLines([...questionAccountRows(account, err), ...rows], err, errColumns)
  const nothingDone = t`Nothing was changed`
  if (isAnswered(account, settings, nothingDone)) {
    for (const line of lines) terminal.note(line)
    return
  }
  if (!terminal.canAsk) {
    const word = account.environment === 'sandbox' ? '--yes' : `--confirm ${account.confirmName}`
    throw new UsageError(t`This changes where payments go, and there is no terminal to ask on`, {
      code: 'CONFIRMATION_REQUIRED',
      details: [...rows.map(([label, value]) => `${label}: ${value}`), nothingDone],
      hint: t`Add \`${word}\` if this is what you want`,
    })
  }
  terminal.say(lines.join('\n'))
  if (await terminal.confirm(question)) return
  throw new Cancelled(t`Declined; nothing was changed`, { hint: t`Run the command again when you are ready` })
}
