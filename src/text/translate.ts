import { safeText } from './safeText.ts'

/**
 * A complete sentence for the user: t`Sent ${amount} to ${key}`. The English text will be the key for translations. Every
 * value is made safe for a terminal.
 */
export function t(sentence: TemplateStringsArray, ...values: readonly (string | number)[]): string {
  let text = sentence[0] ?? ''
  values.forEach((value, index) => {
    text += safeText(String(value)) + (sentence[index + 1] ?? '')
  })
  return text
}
