/** The languages of what people read, by their names in BCP 47. */
export const LANGUAGES = ['en', 'pt-BR'] as const

export type Language = (typeof LANGUAGES)[number]

/** The language in which texts are written; the others have a folder of translations. */
export const SOURCE_LANGUAGE = 'en'
export type TranslatedLanguage = Exclude<Language, typeof SOURCE_LANGUAGE>
export const TRANSLATED_LANGUAGES = LANGUAGES.filter((language) => language !== SOURCE_LANGUAGE)

/** What an option takes that chooses a language: `en or pt-BR`. */
export const LANGUAGE_CHOICE = `${LANGUAGES.slice(0, -1).join(', ')} or ${LANGUAGES.at(-1)}`

/** The language that a word such as `pt-BR`, `pt_BR.UTF-8` or `PT` names; undefined for any other. */
export function languageNamed(word: string): Language | undefined {
  const [name = ''] = word.toLowerCase().split(/[._@-]/)
  return LANGUAGES.find((language) => language.split('-')[0] === name)
}

/** What chooses the language, in this order. */
export const LANGUAGE_SOURCES = ['option', 'env', 'profile', 'stored', 'system'] as const
