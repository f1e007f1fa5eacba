import type { Signer } from '../profiles/signer.ts'
import { type LabelledRow, labelled, type Terminal } from '../terminal/terminal.ts'
import { t } from '../text/words.ts'
import { Cancelled, UsageError } from '../wire/errors.ts'
import { environmentRow, type GivenAnswer, isAnswered, knownAmountRows, typedCents } from './consent.ts'

/** What signing works with. */
export interface SigningDesk extends GivenAnswer {
  signer: Signer
  terminal: Pick<Terminal, 'askText' | 'canAsk' | 'columns' | 'err' | 'note' | 'say'>
}

/** What is about to be signed. */
export interface SigningQuestion {
  /** What the event says was paid; null where it names no amount. */
  amountCents: number | null
  /** The rows below environment, address and amount. */
  rows: readonly LabelledRow[]
}

/** Typed where there is no amount to type. */
const WORD = 'sign'

/**
 * Asks before a webhook is signed with the secret of production: it is a signed payment that never happened. A person types
 * the event's amount, or `sign` where it has none; a script names the profile with `--confirm`. In a sandbox nothing is
 * asked. Throws UsageError for a read-only profile, where nobody can be asked (code CONFIRMATION_REQUIRED) or the answer in
 * advance is not enough; Cancelled where a person declines.
 */
export async function askSigningConsent(desk: SigningDesk, question: SigningQuestion): Promise<void> {
  const { signer, terminal } = desk
  checkSigningAllowed(signer)
  const isConfirmed = isAnswered(signer, desk, t`Nothing was signed`)
  if (signer.environment === 'sandbox') return
  const summary = labelled(rowsOf(signer, question, terminal), terminal.err)
  if (isConfirmed) {
    for (const line of summary) terminal.note(line)
    return
  }
  if (!terminal.canAsk) throw nobodyToAsk(signer)
  terminal.say(summary.join('\n'))
  const { amountCents } = question
  const typed =
    amountCents === null
      ? await terminal.askText(t`It will count as genuine. Type \`${WORD}\` to sign it`)
      : await terminal.askText(t`It will count as genuine. Type the amount to sign it`)
  if (amountCents === null ? typed.trim() === WORD : typedCents(typed) === amountCents) return
  throw new Cancelled(t`The typed text does not match, nothing was signed`, {
    hint: t`Check what is signed, then run the command again`,
  })
}

/** Refuses to sign for a read-only profile. Throws UsageError. */
function checkSigningAllowed({ readOnly, confirmName }: Pick<Signer, 'readOnly' | 'confirmName'>): void {
  if (!readOnly) return
  throw new UsageError(t`The profile ${confirmName} is read-only: nothing is signed with it`, {
    hint: t`Use another profile with \`--profile\`; a person with the right to do so can change this one with \`pixgate profile edit ${confirmName}\``,
  })
}

function rowsOf(
  signer: Signer,
  { amountCents, rows }: SigningQuestion,
  terminal: Pick<Terminal, 'columns' | 'err'>,
): LabelledRow[] {
  return [
    environmentRow(signer, terminal.err),
    ...(signer.baseUrl === null ? [] : [[t`address`, signer.baseUrl] as const]),
    [t`what it is`, t`a signed payment that never happened`, terminal.err.red.bold],
    ...(amountCents === null ? [] : knownAmountRows(amountCents, terminal)),
    ...rows,
  ]
}

function nobodyToAsk({ confirmName }: Signer): UsageError {
  return new UsageError(t`This signs with a production secret, and there is no terminal to ask on`, {
    code: 'CONFIRMATION_REQUIRED',
    details: [t`It would be a signed payment that never happened`, t`Nothing was signed`],
    hint: t`Add \`--confirm ${confirmName}\` if this is what you want, or use a sandbox with \`--profile local\``,
  })
}
