import type { Account } from '../profiles/account.ts'
import type { LabelledRow } from '../terminal/terminal.ts'
import { askToType, mustBeAmount, mustBeWord } from '../terminal/typedConfirmation.ts'
import { t } from '../text/translate.ts'
import { Cancelled, UsageError } from '../wire/errors.ts'
import { isAnswered, questionLines } from './consent.ts'
import type { PaymentContext } from './paymentContext.ts'

/** What asking about a finding works with. */
export interface FindingContext extends Pick<PaymentContext, 'terminal' | 'yes' | 'confirm'> {
  account: Pick<Account, 'confirmName' | 'environment' | 'profile' | 'url'>
}

/** What a person is asked before a finding about a payment is recorded. */
export interface FindingQuestion {
  /** Null if the amount is unknown. */
  amountCents: number | null
  /** What is known of the payment so far, and what the person found. */
  rows: readonly LabelledRow[]
  /** Typed if the amount is unknown. */
  name: string
}

/**
 * Shows what is known and what a person found, and asks before that is recorded, because rules about money follow from it. In production a
 * person types the amount, a script names the profile with `--confirm`; in a sandbox nothing is asked. Throws Cancelled if a person declines,
 * UsageError with code CONFIRMATION_REQUIRED without a terminal.
 */
export async function askFindingConsent(context: FindingContext, question: FindingQuestion): Promise<void> {
  const { account, terminal } = context
  const { amountCents, name } = question
  const lines = questionLines(context, question)
  if (isAnswered(account, context, t`Nothing was recorded`) || account.environment === 'sandbox') {
    for (const line of lines) terminal.note(line)
    return
  }
  if (!terminal.canAsk) {
    throw new UsageError(t`This changes what is known of a payment in production, and there is no terminal to ask on`, {
      code: 'CONFIRMATION_REQUIRED',
      details: [t`Nothing was recorded`],
      hint: t`Add \`--confirm ${account.confirmName}\` if you have looked it up`,
    })
  }
  terminal.say(lines.join('\n'))
  const hasAmount = amountCents !== null
  await askToType(terminal, {
    question: hasAmount ? t`Type the amount to record what you found` : t`Type \`${name}\` to record what you found`,
    faultOf: hasAmount ? mustBeAmount(amountCents) : mustBeWord(name),
    mismatch: () =>
      new Cancelled(t`The typed text does not match; nothing was recorded`, {
        hint: t`Check which payment it is, then run the command again`,
      }),
  })
}
