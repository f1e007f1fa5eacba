import { safeText } from './safeText.ts'

/**
 * A whole sentence for a person: t`Sent ${amount} to ${key}`. The English text is the key under which a translation is
 * found later. Every value is made harmless for a terminal, so that what came from outside cannot paint on the screen.
 */
export function t(sentence: TemplateStringsArray, ...values: readonly (string | number)[]): string {
  let text = sentence[0] ?? ''
  values.forEach((value, index) => {
    text += safeText(String(value)) + (sentence[index + 1] ?? '')
  })
  return text
}
