import { readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'

/** Control characters, which no text for people has, separate the texts: see `src/text/catalogue.ts`, which searches them. */
const ENTRY = '\u001e'
const MEANS = '\u001f'

/** Writes the translations into one file for each language, such as `pt-BR.texts`. Those that are missing or equal to the English text are left out. */
export function writeCatalogues(root, dist) {
  const folder = join(root, 'src/text/translations')
  for (const language of readdirSync(folder)) {
    const files = readdirSync(join(folder, language), { recursive: true }).filter((file) => file.endsWith('.json'))
    const entries = files
      .sort()
      .flatMap((file) => Object.entries(JSON.parse(readFileSync(join(folder, language, file), 'utf8'))))
      .filter(([english, translation]) => translation !== '' && translation !== english)
      .map(([english, translation]) => `${ENTRY}${english}${MEANS}${translation}`)
    writeFileSync(join(dist, `${language}.texts`), entries.join('') + ENTRY)
  }
}
