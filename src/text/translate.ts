import { SOURCE_LANGUAGE } from './languages.ts'
import { safeText } from './safeText.ts'

/** The texts of one language other than English. */
export interface Catalogue {
  /** As BCP 47 names it: `pt-BR`. */
  readonly language: string
  /** The translation of an English text; undefined without one. */
  find(english: string): string | undefined
}

/** The language of texts: English, which is what the source says, without a catalogue. */
export interface TextLanguage {
  readonly catalogue: Catalogue | undefined
}

const ENGLISH: TextLanguage = { catalogue: undefined }

/** What people read. */
let forPeople = ENGLISH
/** The same, or English where a program reads. */
let current = ENGLISH
/** The language that the work which runs now has of its own, if it has one. */
let ownLanguage: () => TextLanguage | undefined = () => undefined
/** The translations of templates, by the catalogue that they come from. */
const known = new WeakMap<Catalogue, WeakMap<TemplateStringsArray, string>>()

/** From now on texts are in the language of this catalogue, or in English. With `isForProgram` only those that are written for people are. */
export function setCatalogue(catalogue: Catalogue | undefined, isForProgram = false): void {
  forPeople = { catalogue }
  current = isForProgram ? ENGLISH : forPeople
}

/** The language of what people, or programs, read. */
export function languageFor(readers: 'people' | 'programs'): TextLanguage {
  return readers === 'people' ? forPeople : ENGLISH
}

/** The language of texts now. */
export function languageNow(): TextLanguage {
  return ownLanguage() ?? current
}

/** From now on `find` tells of the work that runs whether it has a language of its own. */
export function followOwnLanguages(find: () => TextLanguage | undefined): void {
  ownLanguage = find
}

/** The name of the language of texts now, as BCP 47 names it. */
export function currentLanguage(): string {
  return nameOf(languageNow())
}

/** The name of a language, as BCP 47 names it. */
export function nameOf({ catalogue }: TextLanguage): string {
  return catalogue?.language ?? SOURCE_LANGUAGE
}

/**
 * A complete sentence for the user: t`Sent ${amount} to ${key}`. Its English text is its key in the catalogue, with `{0}`, `{1}`, … for the values.
 * Every value is made safe for a terminal. Use it in functions only: while modules load, the language is not known.
 */
export function t(sentence: TemplateStringsArray, ...values: readonly (string | number)[]): string {
  const { catalogue } = languageNow()
  if (catalogue === undefined) return english(sentence, ...values)
  const translations = known.get(catalogue) ?? new WeakMap<TemplateStringsArray, string>()
  known.set(catalogue, translations)
  const translation = translations.get(sentence) ?? translationOf(keyOf(sentence))
  translations.set(sentence, translation)
  return filled(translation, values)
}

function filled(translation: string, values: readonly (string | number)[]): string {
  return translation.replace(/\{(\d+)\}/g, (_, place: string) => safeText(String(values[Number(place)])))
}

/** The same for what programs read, such as the answers of the sandbox: it is never translated. */
export function english(sentence: TemplateStringsArray, ...values: readonly (string | number)[]): string {
  let text = sentence[0] ?? ''
  values.forEach((value, index) => {
    text += safeText(String(value)) + (sentence[index + 1] ?? '')
  })
  return text
}

const declaredValues = new Map<string, { key: string; values: readonly (string | number)[] }>()

/**
 * A text of a table that is made while modules load, in English. {@link translated} translates it where it is shown. The description of an option
 * has no values, because completion reads it from a file.
 */
export function declared(text: TemplateStringsArray, ...values: readonly (string | number)[]): string {
  const shown = english(text, ...values)
  if (values.length > 0) declaredValues.set(shown, { key: keyOf(text), values })
  return shown
}

/** The translation of a text that is declared in English: a description, a heading, the name of a state. */
export function translated(text: string): string {
  const declaration = declaredValues.get(text)
  return declaration === undefined ? translationOf(text) : filled(translationOf(declaration.key), declaration.values)
}

/** What the catalogue has for a key, else the key. */
function translationOf(key: string): string {
  return languageNow().catalogue?.find(key) ?? key
}

/** The key of a sentence: `Sent {0} to {1}`. */
function keyOf(sentence: TemplateStringsArray): string {
  return sentence.reduce((text, part, index) => `${text}{${index - 1}}${part}`)
}
