import { t } from '../text/words.ts'

/** Stands among the numbers of damaged lines for a file that is gone. */
export const MISSING = 0

const LISTED_MAX = 20

/** What cannot be read of the files of a log: of each its damaged lines, from 1. */
export class LogDamage {
  readonly #lines = new Map<string, number[]>()

  add(path: string, lines: readonly number[]): void {
    if (lines.length === 0) return
    const all = [...(this.#lines.get(path) ?? []), ...lines]
    this.#lines.set(
      path,
      all.sort((one, other) => one - other),
    )
  }

  /** A sentence for each file. */
  sentences(say = damageSentence): string[] {
    return [...this.#lines].map(([path, lines]) => say(path, lines))
  }
}

/** Says which lines of a file are damaged, or that it is gone. */
export function damageSentence(path: string, lines: readonly number[]): string {
  if (lines.includes(MISSING)) return t`The file ${path} is missing`
  return t`The file ${path} is damaged in line ${listed(lines)}`
}

/** The same of files whose other lines are read. */
export function leftOutSentence(path: string, lines: readonly number[]): string {
  if (lines.includes(MISSING)) return damageSentence(path, lines)
  return t`The file ${path} is damaged in line ${listed(lines)}, which is left out`
}

function listed(lines: readonly number[]): string {
  const shown = lines.slice(0, LISTED_MAX).join(', ')
  return lines.length > LISTED_MAX ? t`${shown} and ${lines.length - LISTED_MAX} more` : shown
}
