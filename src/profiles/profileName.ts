import { t } from '../text/words.ts'
import { UsageError } from '../wire/errors.ts'
import { looksLikeSecret } from './credentialText.ts'

const NAME = /^[a-z][a-z0-9_-]{0,31}$/
/** `local` is built in; the others are names that JavaScript objects already have. */
const RESERVED: readonly string[] = ['local', 'constructor', 'prototype']

/** True for a name under which a profile can be stored. */
export function isProfileName(name: string): boolean {
  return NAME.test(name) && !RESERVED.includes(name)
}

/** Checks the name of a profile to store. Throws a UsageError that says which names are valid. */
export function checkProfileName(name: string): string {
  if (isProfileName(name)) return name
  if (name === 'local') {
    throw new UsageError(t`The profile \`local\` is built in and cannot be stored or changed`, {
      hint: t`Choose another name, such as \`local-2\``,
    })
  }
  throw new UsageError(t`\`${looksLikeSecret(name) ? '…' : name}\` is not a valid profile name`, {
    hint: t`Use at most 32 lower-case letters, digits, \`-\` and \`_\`, beginning with a letter; not \`constructor\` or \`prototype\``,
  })
}
