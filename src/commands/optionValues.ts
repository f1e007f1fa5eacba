import type { Context } from '../context.ts'
import { hasControlCharacter } from '../text/safeText.ts'
import { t } from '../text/words.ts'
import { UsageError } from '../wire/errors.ts'

/** A required value: as typed, else asked for on a terminal. Throws UsageError where nobody can be asked. */
export async function typedOrAsked(
  context: Context,
  typed: string | undefined,
  option: string,
  question: string,
): Promise<string> {
  if (typed !== undefined) return notBlank(typed, option)
  if (context.terminal.canAsk) return notBlank(await context.terminal.askText(question), option)
  throw new UsageError(t`\`${option}\` is missing`, { hint: t`Add \`${option} <value>\`; \`--help\` has examples` })
}

/** Text that must hold something and no control characters. Throws UsageError. */
export function notBlank(text: string, option: string): string {
  if (text.trim() === '') {
    throw new UsageError(t`\`${option}\` is empty`, { hint: t`Write a value after \`${option}\`` })
  }
  if (hasControlCharacter(text)) {
    throw new UsageError(t`\`${option}\` has a line break or another control character in it`, {
      hint: t`Type the value again on one line`,
    })
  }
  return text
}

/** One of these words, exactly. Throws UsageError that lists them. */
export function oneOf<Word extends string>(words: readonly Word[], typed: string, option: string): Word {
  const word = words.find((each) => each === typed)
  if (word !== undefined) return word
  throw new UsageError(t`${typed} is not something that \`${option}\` can be`, {
    hint: t`Choose one of: ${words.join(', ')}`,
  })
}
