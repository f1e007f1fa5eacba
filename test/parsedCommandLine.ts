import { type ParsedCommandLine, parseCommandLine } from '../src/cli/parseCommandLine.ts'
import { UsageError } from '../src/wire/errors.ts'

/** 21 November 2026, noon UTC. */
const NOW_MS = Date.UTC(2026, 10, 21, 12)

/** What a command line says, without running it, at {@link NOW_MS}. Throws for one that asks for help. */
export async function parsed(argv: readonly string[]): Promise<ParsedCommandLine> {
  const found = await parseCommandLine(argv, { columns: undefined, nowMs: NOW_MS, write: () => undefined })
  if (found === undefined) throw new Error(`${argv.join(' ')} runs no command`)
  return found
}

/** A command line, as words or as text with a space between two words, and the message and hint with which it is rejected. */
export type Rejected = readonly [typed: string | readonly string[], message: string, hint: string]

/** The words of a command line. */
export function wordsOf(typed: string | readonly string[]): readonly string[] {
  return typeof typed === 'string' ? typed.split(' ') : typed
}

/** The message and the hint with which a command line is rejected before anything runs; undefined if it is accepted. */
export async function rejection(
  argv: readonly string[],
): Promise<readonly [message: string, hint: string] | undefined> {
  try {
    await parsed(argv)
    return undefined
  } catch (error) {
    if (!(error instanceof UsageError)) throw error
    return [error.message, error.hint]
  }
}
