import type { Command } from 'commander'
import { t } from '../text/translate.ts'
import { UsageError } from '../wire/errors.ts'
import { pathOf } from './help/helpPage.ts'

/** What is wrong with a command line, as one error; `faults` must not be empty. */
export function oneFailure(command: Command, faults: readonly UsageError[]): UsageError {
  const [first, ...others] = faults
  if (first === undefined) throw new Error('Nothing is wrong')
  // A fault with details, such as a secret that was typed, is reported alone.
  if (others.length === 0 || first.details.length > 0) return first
  return new UsageError(t`The command line has ${faults.length} mistakes`, {
    details: faults.map(({ message, hint }) => t`${message}. ${hint}`),
    hint: t`Correct them, or run \`${pathOf(command)} --help\``,
  })
}
