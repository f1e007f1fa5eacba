import type { Context } from '../context.ts'
import { wholeNumber } from '../optionParsers.ts'
import { t } from '../text/translate.ts'

/** As many of the newest are listed on a terminal unless all are requested. */
const NEWEST_ROWS = 30
/** The most that `--limit` takes. */
const LIMIT_MAX = 100_000_000

/** The option that limits a list to the newest. */
export const LIMIT_OPTION = {
  flags: '--limit <n>',
  description: 'only the newest n',
  parse: wholeNumber(1, LIMIT_MAX),
} as const

/** The option of lists that are cut on a terminal. */
export const ALL_ROWS_OPTION = {
  flags: '--all-rows',
  description: `on a terminal, too, all rows: not only the newest ${NEWEST_ROWS}`,
} as const

/** How many of the newest a list has; null for all of them: in a pipe, and in a format for programs. */
export function listLimit({ terminal, print }: Pick<Context, 'terminal' | 'print'>, allRows: boolean): number | null {
  return allRows || !terminal.outIsTerminal || print.format !== 'text' ? null : NEWEST_ROWS
}

/** Says how to see what a list leaves out. `isLimitTyped` is false if its limit is that of every list on a terminal. */
export function suggestAllRows({ terminal }: Pick<Context, 'terminal'>, isLimitTyped: boolean): void {
  terminal.next(isLimitTyped ? t`Omit \`--limit\` to list all` : t`Add \`--all-rows\` to list all`)
}
