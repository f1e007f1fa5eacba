import { t } from '../text/words.ts'
import { UsageError } from '../wire/errors.ts'

/** True for text that an HTTP header can carry as it is: visible ASCII, spaces inside only. */
export function isCredentialText(text: string): boolean {
  return /^[\x21-\x7e](?:[\x20-\x7e]*[\x21-\x7e])?$/.test(text)
}

/** True for what nobody calls a variable, a program or a profile: a long run of hex, or of small and capital letters and digits. */
export function looksLikeSecret(text: string): boolean {
  if (/^[0-9a-f]{24,}$/i.test(text)) return true
  return /^[A-Za-z0-9]{20,}$/.test(text) && [/[a-z]/, /[A-Z]/, /\d/].every((kind) => kind.test(text))
}

/** A client id or secret as typed. Throws UsageError, which names the source and never shows the text. */
export function credentialText(text: string, source: string): string {
  if (isCredentialText(text)) return text
  if (text.trim() === '') {
    throw new UsageError(t`\`${source}\` gives no value`, {
      hint: t`Give the value as the gateway's dashboard shows it`,
    })
  }
  throw new UsageError(t`\`${source}\` holds a character that no HTTP header can carry`, {
    hint: t`Copy the value again without line break, space around it or accents`,
  })
}
