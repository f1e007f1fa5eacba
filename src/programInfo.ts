import description from '../package.json' with { type: 'json' }

export const VERSION = description.version

/** The exit code for a defect of this program. */
export const DEFECT_EXIT = 70

/** The environment variables of the process. */
export type EnvironmentVariables = Readonly<Record<string, string | undefined>>
