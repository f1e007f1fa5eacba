import type { Context } from '../../context.ts'

/** What a person must not miss: said on stderr in text, kept for the document that a program reads. */
export interface Warnings {
  readonly lines: readonly string[]
  warn(line: string): void
}

/** No warnings yet. */
export function noWarnings({ terminal }: Context): Warnings {
  const lines: string[] = []
  return {
    lines,
    warn(line) {
      lines.push(line)
      terminal.warn(line)
    },
  }
}
