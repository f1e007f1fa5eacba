import { Malformed } from '../../pix/malformed.ts'
import { readPixKey } from '../../pix/pixKey.ts'
import { safeText } from '../../text/safeText.ts'
import { t } from '../../text/translate.ts'

const NAME_CHARACTERS_MAX = 64
const DISPLAY_NAME_CHARACTERS_MAX = 200

/**
 * The name of a payee, without outer spaces. Throws Malformed for one that a person could take for something else: too long, with an invisible
 * character, a formula of a spreadsheet, or a PIX key, which may belong to somebody else.
 */
export function parsePayeeName(typed: string): string {
  const name = typed.trim()
  if (name.length > NAME_CHARACTERS_MAX) {
    throw new Malformed(
      t`The name of a payee has at most ${NAME_CHARACTERS_MAX} characters`,
      t`Use a short name, and a display name for the whole one`,
    )
  }
  assertShownAsItIs(name)
  if (isPixKey(name)) {
    throw new Malformed(t`\`${name}\` is a PIX key, not a name`, t`Use a short name, such as \`acme\``)
  }
  return name
}

/** The name that people see of a payee, without outer spaces. Throws Malformed like {@link parsePayeeName}, except for a key. */
export function parseDisplayName(typed: string): string {
  const name = typed.trim()
  if (name.length > DISPLAY_NAME_CHARACTERS_MAX) {
    throw new Malformed(
      t`The display name of a payee has at most ${DISPLAY_NAME_CHARACTERS_MAX} characters`,
      t`Shorten it`,
    )
  }
  assertShownAsItIs(name)
  return name
}

function assertShownAsItIs(name: string): void {
  if (/^[=+\-@']/.test(name)) {
    throw new Malformed(
      t`\`${name}\` begins with \`${name.slice(0, 1)}\`, so a spreadsheet would take it for a formula`,
      t`Begin the name with a letter or a digit`,
    )
  }
  if (safeText(name) === name) return
  throw new Malformed(t`\`${name}\` has an invisible character in it`, t`Type the name again`)
}

function isPixKey(text: string): boolean {
  try {
    readPixKey(text)
    return true
  } catch (error) {
    if (error instanceof Malformed) return false
    throw error
  }
}
