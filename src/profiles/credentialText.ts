import { hasControlCharacter } from '../text/safeText.ts'
import { t } from '../text/translate.ts'
import { UsageError } from '../wire/errors.ts'

/** True for text that an HTTP header can carry unchanged: visible ASCII, with spaces only inside. */
export function isCredentialText(text: string): boolean {
  return /^[\x21-\x7e](?:[\x20-\x7e]*[\x21-\x7e])?$/.test(text)
}

/** True for text that can be a password of a database: anything but control characters. */
export function isPasswordText(text: string): boolean {
  return text !== '' && !hasControlCharacter(text)
}

/** True for a long run of hex digits, or of mixed-case letters and digits, which is unlikely to be a name. */
export function looksLikeSecret(text: string): boolean {
  if (/^[0-9a-f]{24,}$/i.test(text)) return true
  return /^[A-Za-z0-9]{20,}$/.test(text) && [/[a-z]/, /[A-Z]/, /\d/].every((kind) => kind.test(text))
}

/** Checks a client id. Throws a UsageError that names the option, which an answer to a prompt does not have. */
export function clientIdText(text: string, option?: string): string {
  const id = credentialText(text, option)
  if (!id.includes(' ')) return id
  const message = option === undefined ? t`A client id contains no spaces` : t`\`${option}\` contains a space`
  throw new UsageError(message, { hint: t`Copy the client id again from the gateway's dashboard` })
}

/**
 * Checks a client id or secret. Throws a UsageError that names the source, which an answer to a prompt does not have, and never shows
 * the text.
 */
export function credentialText(text: string, source?: string): string {
  if (isCredentialText(text)) return text
  if (source === undefined) {
    throw new UsageError(t`It contains a character that is not allowed in an HTTP header`, {
      hint: t`Copy the value again without line breaks or accents`,
    })
  }
  if (text.trim() === '') {
    throw new UsageError(t`\`${source}\` is empty`, {
      hint: t`Enter the value that the gateway's dashboard shows`,
    })
  }
  if (text.trim() !== text) throw blankAround(source)
  throw new UsageError(t`\`${source}\` contains a character that is not allowed in an HTTP header`, {
    hint: t`Copy the value again without line breaks or accents`,
  })
}

/** The error for a blank or a line end that a file of variables left around a value. */
export function blankAround(source: string): UsageError {
  return new UsageError(t`\`${source}\` has a blank or a line end around its value`, {
    hint: t`Remove it: save a file of variables with the line ends of Linux (LF), without blanks behind the values`,
  })
}

/** The program of a command, without its arguments, which may contain secrets. */
export function programOf(command: string): string {
  const first = command.trim().split(/\s+/)[0] ?? ''
  return /^[\w./~-]{1,40}$/.test(first) && !looksLikeSecret(first) ? first : '…'
}
