import type { Context } from '../context.ts'
import { readText } from '../optionParsers.ts'
import { t } from '../text/translate.ts'
import { UsageError } from '../wire/errors.ts'

/** A required value, and how to prompt for it. */
interface RequiredValue<Value> {
  question: string
  /** The hint if the value is missing and prompts are not possible. */
  hint: string
  /** The parser of the option. If it throws UsageError, the prompt is repeated immediately. */
  parse: (text: string, name: string) => Value
}

/**
 * Returns the value of a required option, or prompts for it on a terminal. Throws UsageError with the hint if it is missing and prompts
 * are not possible.
 */
export async function typedOrPrompted<Value>(
  { terminal }: Context,
  typed: Value | undefined,
  option: string,
  { question, parse, hint }: RequiredValue<Value>,
): Promise<Value> {
  if (typed !== undefined) return typed
  if (!terminal.canAsk) throw new UsageError(t`\`${option}\` is missing`, { hint })
  const read = (text: string) => parse(readText(text, option), option)
  return read(await terminal.askText(question, (text) => faultOf(() => read(text))))
}

function faultOf(check: () => void): string | undefined {
  try {
    check()
    return undefined
  } catch (error) {
    if (!(error instanceof UsageError)) throw error
    return t`${error.message}. ${error.hint}`
  }
}
