import { readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'

/** Control characters, which no text for people has, separate the texts: see `src/text/catalogue.ts`, which searches them. */
const ENTRY = '\u001e'
const MEANS = '\u001f'
/** The file of the states, kinds and other words that JSON has. */
const WORDS = 'words.json'

/** Writes the translations into one file for each language, such as `pt-BR.texts`. */
export function writeCatalogues(root, dist) {
  for (const [language, translations] of catalogues(root)) {
    const entries = translations.map(([english, translation]) => `${ENTRY}${english}${MEANS}${translation}`)
    writeFileSync(join(dist, `${language}.texts`), entries.join('') + ENTRY)
  }
}

/** The translations that may be needed by code that has been bundled, by language: of the texts that stand in it, and of the words of JSON. */
export function translationsFor(root, code) {
  const literal = code.replaceAll('\\`', '`')
  const stands = (english) => english.split(/\{\d+\}/).every((part) => literal.includes(part))
  return Object.fromEntries(
    catalogues(root).map(([language, translations]) => [
      language,
      Object.fromEntries(translations.filter(([english, , area]) => area === WORDS || stands(english))),
    ]),
  )
}

/** English texts, their translations and the areas, by language. Those that are missing or equal to the English text are left out. */
function catalogues(root) {
  const folder = join(root, 'src/text/translations')
  return readdirSync(folder).map((language) => [
    language,
    readdirSync(join(folder, language))
      .sort()
      .flatMap((file) =>
        Object.entries(JSON.parse(readFileSync(join(folder, language, file), 'utf8'))).map((entry) => [...entry, file]),
      )
      .filter(([english, translation]) => translation !== '' && translation !== english),
  ])
}
