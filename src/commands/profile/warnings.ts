import type { Context } from '../../context.ts'

/** Collects warnings for the JSON document and, in text mode, prints them to stderr. */
export interface Warnings {
  readonly lines: readonly string[]
  warn(line: string): void
}

/** Creates an empty collection of warnings. */
export function collectWarnings({ terminal }: Context): Warnings {
  const lines: string[] = []
  return {
    lines,
    warn(line) {
      lines.push(line)
      terminal.warn(line)
    },
  }
}
