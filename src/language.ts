import { readFileSync } from 'node:fs'
import { platform } from 'node:os'
import { configFolder } from './folders.ts'
import { readPackagedBytes } from './packagedFile.ts'
import { storePath } from './profiles/storeFile.ts'
import type { EnvironmentVariables } from './programInfo.ts'
import { settingsBeforeParsing, typedValue } from './settings.ts'
import { searchCatalogue } from './text/catalogue.ts'
import { type Language, languageNamed } from './text/languages.ts'
import { type Catalogue, setCatalogue } from './text/translate.ts'
import { isObject } from './wire/answers.ts'

/**
 * Sets the language of all texts of a command line, before it is parsed: usage errors and help have it, too. A program that reads JSON gets English,
 * except in files for people.
 */
export function startLanguage(argv: readonly string[], env: EnvironmentVariables): void {
  const catalogue = CATALOGUES[chosenLanguage(argv, env)]
  setCatalogue(catalogue, settingsBeforeParsing(argv, env).output === 'json')
}

/** The language that the option, the variable, the profile, `pixgate lang` or the system chooses, in this order. */
function chosenLanguage(argv: readonly string[], env: EnvironmentVariables): Language {
  return (
    languageNamed(typedValue(argv, '--lang') ?? '') ??
    languageNamed(env.PIXGATE_LANG ?? '') ??
    storedLanguage(typedValue(argv, '--profile', '-p') ?? env.PIXGATE_PROFILE, env) ??
    systemLanguage(env)
  )
}

/** The language of the system: its variables say it, and on Windows and macOS its settings where there are none. */
function systemLanguage(env: EnvironmentVariables): Language {
  const locale = [env.LC_ALL, env.LC_MESSAGES, env.LANG].find(Boolean) ?? systemLocale()
  return languageNamed(locale) ?? 'en'
}

/** Texts are searched when the first one is needed. */
const CATALOGUES: Readonly<Record<Language, Catalogue | undefined>> = { en: undefined, 'pt-BR': catalogueOf('pt-BR') }

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

/** What the stored profile of this name, by default the active one, or else `pixgate lang` says. */
function storedLanguage(profile: string | undefined, env: EnvironmentVariables): Language | undefined {
  const store = storedDocument(env)
  const { profiles, active, lang } = isObject(store) ? store : {}
  const name = profile || active
  const chosen = isObject(profiles) && typeof name === 'string' ? profiles[name] : undefined
  const words = [isObject(chosen) ? chosen.lang : undefined, lang]
  return words.map((word) => (typeof word === 'string' ? languageNamed(word) : undefined)).find(Boolean)
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
