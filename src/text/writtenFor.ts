import type { AsyncLocalStorage } from 'node:async_hooks'
import { followOwnLanguages, languageFor, languageNow, type TextLanguage } from './translate.ts'

let ownLanguages: AsyncLocalStorage<TextLanguage> | undefined

/** What `work` returns with all texts in the language of people, or in English for programs, like {@link writtenIn}. */
export function writtenFor<Value>(readers: 'people' | 'programs', work: () => Value): Value {
  return writtenIn(languageFor(readers), work)
}

/** What `work` returns with all texts in this language, whatever the rest of the process writes. Work that waits keeps its language. */
export function writtenIn<Value>(language: TextLanguage, work: () => Value): Value {
  if (language.catalogue === languageNow().catalogue) return work()
  ownLanguages ??= followed()
  return ownLanguages.run(language, work)
}

/** Loaded when it is first needed: most commands write for people alone, or for programs alone. */
function followed(): AsyncLocalStorage<TextLanguage> {
  const { AsyncLocalStorage } = process.getBuiltinModule('node:async_hooks')
  const languages = new AsyncLocalStorage<TextLanguage>()
  followOwnLanguages(() => languages.getStore())
  return languages
}
