import description from '../package.json' with { type: 'json' }

export const VERSION = description.version

/** The exit code for a defect of this program. */
export const DEFECT_EXIT = 70

/** The environment variables of the process. */
export type EnvironmentVariables = Readonly<Record<string, string | undefined>>

let taken: readonly string[] = []

/** Takes the empty variables away, because an empty one is an unset one for everything that reads them. */
export function unsetEmptyVariables(env: Record<string, string | undefined>): void {
  taken = Object.keys(env).filter((name) => env[name] === '')
  for (const name of taken) delete env[name]
}

/** The variables that were empty: a program that pixgate starts may tell them from unset ones. */
export function emptyVariables(): Readonly<Record<string, string>> {
  return Object.fromEntries(taken.map((name) => [name, '']))
}
