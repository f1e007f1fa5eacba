import type { Context } from '../context.ts'
import { readText } from '../optionParsers.ts'
import { valueOrError } from '../pix/expectedError.ts'
import type { Terminal } from '../terminal/terminal.ts'
import { t } from '../text/translate.ts'
import { UsageError } from '../wire/errors.ts'

interface RequiredValue<Value> {
  question: string
  /** The hint if the value is missing and prompts are not possible. */
  hint: string
  /** The parser of the option, which gets no name for an answer. If it throws UsageError, the prompt asks again in place. */
  parse: (text: string, name?: string) => Value
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
  return promptFor(terminal, question, parse)
}

/** Prompts for a value until it can be parsed. Throws Cancelled. */
export async function promptFor<Value>(
  terminal: Pick<Terminal, 'askText'>,
  question: string,
  parse: (text: string) => Value,
): Promise<Value> {
  const read = (text: string) => parse(readText(text))
  return read(await terminal.askText(question, { faultOf: faultOf(read) }))
}

/** Prompts for a value that may be omitted, until it can be parsed. Throws Cancelled. */
export async function promptForOptional<Value>(
  terminal: Pick<Terminal, 'askText'>,
  question: string,
  parse: (text: string) => Value,
): Promise<Value | undefined> {
  const read = (text: string) => parse(readText(text))
  const answer = await terminal.askText(question, { faultOf: faultOf(read), isOptional: true })
  return answer === '' ? undefined : read(answer)
}

/** How a prompt checks an answer that this parser reads: what is wrong with it, and what to type. */
export function faultOf(parse: (text: string) => unknown): (answer: string) => string | undefined {
  return (answer) => {
    const fault = valueOrError(UsageError, () => parse(answer))
    return fault instanceof UsageError ? t`${fault.message}. ${fault.hint}` : undefined
  }
}
