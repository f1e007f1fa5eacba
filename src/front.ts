import description from '../package.json' with { type: 'json' }

/** This program's version, as in its package. */
export const VERSION = description.version

/** The options that print it. */
export const VERSION_FLAGS: readonly string[] = ['-V', '--version']

/** The options that print the help of a command; `pixgate` alone prints its own, too. */
export const HELP_FLAGS: readonly [string, string] = ['-h', '--help']

/** The exit code of a failure that is this program's own. */
export const DEFECT_EXIT = 70

const COLUMNS_MAX = 110

/** How wide a help page is drawn for a terminal of this width; undefined is no terminal. */
export function helpColumns(columns: number | undefined): number {
  return Math.min(columns || 80, COLUMNS_MAX)
}
