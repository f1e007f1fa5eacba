import type { PageTexts } from '../pageTexts.ts'

/** The page's texts, in the language of the server. */
export const texts: PageTexts = JSON.parse(document.getElementById('texts')?.textContent ?? '{}')

/** A text with its `{name}` places filled in. */
export function fill(text: string, values: Readonly<Record<string, string | number>>): string {
  return text.replace(/\{(\w+)\}/g, (place, name: string) => String(values[name] ?? place))
}
