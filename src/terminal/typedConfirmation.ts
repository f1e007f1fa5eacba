import { formatReais, parseAmount, plainAmount } from '../pix/amount.ts'
import { Malformed, valueOrError } from '../pix/expectedError.ts'
import { t } from '../text/translate.ts'
import { Cancelled } from '../wire/errors.ts'
import type { Prompts } from './prompts.ts'

const ATTEMPTS_MAX = 3

interface TypedConfirmation {
  question: string
  /** Why a trimmed answer does not confirm, and what to type; undefined if it does. */
  faultOf: (answer: string) => string | undefined
  /** The message and the hint after the last attempt. */
  mismatch: string
  hint: string
}

/** Asks a person to type a confirmation, at most three times. Throws Cancelled. */
export async function askToType(
  terminal: Pick<Prompts, 'askText'>,
  { question, faultOf, mismatch, hint }: TypedConfirmation,
): Promise<void> {
  const answer = await terminal.askText(question, { faultOf, attemptsMax: ATTEMPTS_MAX })
  if (faultOf(answer) !== undefined) throw new Cancelled(mismatch, { hint })
}

/** The answer must be this amount, in any form in which an amount may be typed. */
export function mustBeAmount(amountCents: number): TypedConfirmation['faultOf'] {
  const expected = plainAmount(amountCents).replace('.', ',')
  return (answer) => {
    const typedCents = valueOrError(Malformed, () => parseAmount(answer))
    if (typedCents instanceof Malformed) return t`${typedCents.message}; type \`${expected}\``
    if (typedCents === amountCents) return undefined
    return t`Type \`${expected}\`: \`${answer}\` is ${formatReais(typedCents)}`
  }
}

/** The answer must be this word. */
export function mustBeWord(word: string): TypedConfirmation['faultOf'] {
  return (answer) => (answer === word ? undefined : t`Type \`${word}\`, not \`${answer}\`; Ctrl-C stops`)
}
