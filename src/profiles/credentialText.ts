import { t } from '../text/words.ts'
import { UsageError } from '../wire/errors.ts'

/** True for text that an HTTP header can carry unchanged: visible ASCII, with spaces only inside. */
export function isCredentialText(text: string): boolean {
  return /^[\x21-\x7e](?:[\x20-\x7e]*[\x21-\x7e])?$/.test(text)
}

/** True for a long run of hex digits, or of mixed-case letters and digits, which is unlikely to be a name. */
export function looksLikeSecret(text: string): boolean {
  if (/^[0-9a-f]{24,}$/i.test(text)) return true
  return /^[A-Za-z0-9]{20,}$/.test(text) && [/[a-z]/, /[A-Z]/, /\d/].every((kind) => kind.test(text))
}

/** Checks a client id or secret. Throws a UsageError that names the source and never shows the text. */
export function credentialText(text: string, source: string): string {
  if (isCredentialText(text)) return text
  if (text.trim() === '') {
    throw new UsageError(t`\`${source}\` is empty`, {
      hint: t`Enter the value that the gateway's dashboard shows`,
    })
  }
  throw new UsageError(t`\`${source}\` contains a character that is not allowed in an HTTP header`, {
    hint: t`Copy the value again without line breaks, surrounding spaces or accents`,
  })
}
