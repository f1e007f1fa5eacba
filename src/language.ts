import { readFileSync } from 'node:fs'
import { platform } from 'node:os'
import { configFolder } from './folders.ts'
import { readPackagedBytes } from './packagedFile.ts'
import { storePath } from './profiles/profile.ts'
import type { EnvironmentVariables } from './programInfo.ts'
import { settingsBeforeParsing, typedValue } from './settings.ts'
import { searchCatalogue } from './text/catalogue.ts'
import {
  LANGUAGE_SOURCES,
  type Language,
  languageNamed,
  SOURCE_LANGUAGE,
  TRANSLATED_LANGUAGES,
} from './text/languages.ts'
import { type Catalogue, languageFor, setCatalogue, type TextLanguage } from './text/translate.ts'
import { isObject } from './wire/answers.ts'

/** A language, and what chose it. */
export interface ChosenLanguage {
  lang: Language
  source: (typeof LANGUAGE_SOURCES)[number]
}

interface LanguageWords {
  lang: string | undefined
  profile: string | undefined
  env: EnvironmentVariables
}

/**
 * Sets the language of all texts of a command line, before it is parsed: usage errors and help have it, too. A program that reads JSON gets English,
 * except in files for people.
 */
export function startLanguage(argv: readonly string[], env: EnvironmentVariables): void {
  const typed = { lang: typedValue(argv, '--lang'), profile: typedValue(argv, '--profile', '-p'), env }
  setLanguage(chosenLanguage(typed).lang, settingsBeforeParsing(argv, env).output === 'json')
}

/** Sets the language of all texts; with `isForProgram` only that of files for people. */
export function setLanguage(language: Language, isForProgram: boolean): void {
  setCatalogue(CATALOGUES.get(language), isForProgram)
}

/** The language of texts for people. Words that name none are left to the checks of options and variables. */
export function chosenLanguage({ lang, profile, env }: LanguageWords): ChosenLanguage {
  const words: Partial<Record<ChosenLanguage['source'], string | undefined>> = { option: lang, env: env.PIXGATE_LANG }
  for (const source of LANGUAGE_SOURCES) {
    if (source === 'profile') Object.assign(words, storedWords(profile ?? env.PIXGATE_PROFILE, env))
    const language = languageNamed(words[source] ?? '')
    if (language !== undefined) return { lang: language, source }
  }
  return { lang: languageNamed(systemLocaleOf(env)) ?? SOURCE_LANGUAGE, source: 'system' }
}

/** The language of a paper that is given to others in Brazil: Portuguese unless a person chose another one, whatever the system's is. */
export function paperLanguage(words: LanguageWords): TextLanguage {
  const isChosen = chosenLanguage(words).source !== 'system'
  return isChosen ? languageFor('people') : { catalogue: CATALOGUES.get('pt-BR') }
}

/** The variables of the system name its language; on Windows and macOS its settings do where there are none. */
function systemLocaleOf(env: EnvironmentVariables): string {
  return [env.LC_ALL, env.LC_MESSAGES, env.LANG].find(Boolean) ?? systemLocale()
}

/** Texts are searched when the first one is needed. */
const CATALOGUES: ReadonlyMap<Language, Catalogue> = new Map(
  TRANSLATED_LANGUAGES.map((language) => [language, catalogueOf(language)]),
)

function catalogueOf(language: Language): Catalogue {
  let find: Catalogue['find'] | undefined
  return {
    language,
    find(english) {
      find ??= searchCatalogue(readPackagedBytes(`dist/${language}.texts`))
      return find(english)
    },
  }
}

/** What the profile of this name, by default the active one, and `pixgate lang` have stored. */
function storedWords(profile: string | undefined, env: EnvironmentVariables): { profile?: string; stored?: string } {
  const store = storedDocument(env)
  const { profiles, active, lang } = isObject(store) ? store : {}
  const name = profile || active
  const chosen = isObject(profiles) && typeof name === 'string' ? profiles[name] : undefined
  const own = isObject(chosen) ? chosen.lang : undefined
  return { ...(typeof own === 'string' && { profile: own }), ...(typeof lang === 'string' && { stored: lang }) }
}

/** The stored profiles as JSON. What is wrong with them is reported by commands that use them. */
function storedDocument(env: EnvironmentVariables): unknown {
  try {
    return JSON.parse(readFileSync(storePath(configFolder(env)), 'utf8'))
  } catch {
    return undefined
  }
}

function systemLocale(): string {
  if (platform() === 'win32') return Intl.DateTimeFormat().resolvedOptions().locale
  if (platform() !== 'darwin') return ''
  try {
    const { execFileSync } = process.getBuiltinModule('node:child_process')
    return execFileSync('defaults', ['read', '-g', 'AppleLocale'], { encoding: 'utf8', stdio: 'pipe' })
  } catch {
    // A user without settings, such as one of a service.
    return ''
  }
}
