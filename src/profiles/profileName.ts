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

/** A name for a stored profile, as typed. Throws UsageError that says which names there can be. */
export function checkProfileName(name: string): string {
  if (isProfileName(name)) return name
  if (name === 'local') {
    throw new UsageError(t`The profile \`local\` is built in and cannot be stored or changed`, {
      hint: t`Choose another name, such as \`local-2\``,
    })
  }
  throw new UsageError(t`\`${looksLikeSecret(name) ? '…' : name}\` cannot be the name of a profile`, {
    hint: t`Use a small letter, then at most 31 of small letters, digits, \`-\` and \`_\`; not \`constructor\` or \`prototype\``,
  })
}
