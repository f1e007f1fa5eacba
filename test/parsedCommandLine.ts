import { type ParsedCommandLine, parseCommandLine } from '../src/cli/parseCommandLine.ts'

/** 21 November 2026, noon UTC. */
const NOW_MS = Date.UTC(2026, 10, 21, 12)

/** What a command line says, without running it, at {@link NOW_MS}. Throws for one that asks for help. */
export async function parsed(argv: readonly string[]): Promise<ParsedCommandLine> {
  const found = await parseCommandLine(argv, { columns: undefined, nowMs: NOW_MS, write: () => undefined })
  if (found === undefined) throw new Error(`${argv.join(' ')} runs no command`)
  return found
}
