import type { Account } from '../profiles/account.ts'
import { type LabelledRow, labelled, type Terminal } from '../terminal/terminal.ts'
import { t } from '../text/words.ts'
import { Cancelled, UsageError } from '../wire/errors.ts'

/** How the user has answered in advance. */
export interface AdvanceAnswer {
  yes: boolean
  confirm: string | undefined
}

/**
 * Shows what is about to happen and asks. `--yes` or the profile's name answers in advance. Throws Cancelled where a person
 * declines, UsageError with code CONFIRMATION_REQUIRED where nobody can be asked.
 */
export async function askConsent(
  terminal: Terminal,
  account: Account,
  rows: readonly LabelledRow[],
  question: string,
  answer: AdvanceAnswer,
): Promise<void> {
  const name = account.confirmName
  if (answer.confirm !== undefined && answer.confirm !== name) {
    throw new UsageError(t`\`--confirm ${answer.confirm}\` does not name what is used here, which is ${name}`, {
      code: 'CONFIRMATION_REQUIRED',
      hint: t`Check that you mean ${name}, then write \`--confirm ${name}\``,
    })
  }
  const summary = labelled([[t`environment`, environmentText(account)], ...rows], terminal.err)
  if (answer.yes || answer.confirm !== undefined) {
    for (const line of summary) terminal.note(line)
    return
  }
  if (!terminal.canAsk) {
    throw new UsageError(t`Money would move, and nobody can be asked`, {
      code: 'CONFIRMATION_REQUIRED',
      hint: t`Add \`--yes\` if this is what you want, or \`--dry-run\` to see what would be sent`,
    })
  }
  terminal.say(summary.join('\n'))
  if (await terminal.confirm(question)) return
  throw new Cancelled(t`Declined, nothing was sent`, { hint: t`Run the command again when you are ready` })
}

function environmentText(account: Account): string {
  const profile = account.profile === null ? t`credentials from the environment` : t`profile ${account.profile}`
  return `${account.environment} · ${profile} · ${account.url}`
}
