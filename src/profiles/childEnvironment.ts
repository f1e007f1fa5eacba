import { type EnvironmentVariables, emptyVariables } from '../programInfo.ts'

/** Variables that hold a secret: they are redacted from all output, also of commands that do not use them. */
export const SECRET_VARIABLES = ['PIXGATE_CLIENT_SECRET', 'PIXGATE_PREVIOUS_CLIENT_SECRET', 'PGPASSWORD'] as const

/** The environment of a program that pixgate starts: without secrets, and without the variables `more`. */
export function withoutSecrets(env: EnvironmentVariables, more: Iterable<string> = []): EnvironmentVariables {
  const hidden = new Set<string>([...SECRET_VARIABLES, ...more])
  const whole = { ...emptyVariables(), ...env }
  return Object.fromEntries(Object.entries(whole).filter(([name]) => !hidden.has(name)))
}

/** The environment of a program that gets an account of its own: without secrets and without everything that selects an account or a ledger. */
export function withoutAccount(env: EnvironmentVariables): EnvironmentVariables {
  const own = Object.keys({ ...emptyVariables(), ...env }).filter((name) => name.toUpperCase().startsWith('PIXGATE_'))
  return withoutSecrets(env, own)
}
