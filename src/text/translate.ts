import { safeText } from './safeText.ts'

/** The texts of one language other than English. */
export interface Catalogue {
  /** As BCP 47 names it: `pt-BR`. */
  readonly language: string
  /** The translation of an English text; undefined without one. */
  find(english: string): string | undefined
}

/** What people read; undefined for English, which is what the source says. */
let forReaders: Catalogue | undefined
/** The same, or undefined where a program reads. */
let current: Catalogue | undefined
/** The translations of templates into the current language. */
let known = new WeakMap<TemplateStringsArray, string>()

/** From now on texts are in the language of this catalogue, or in English. With `isForProgram` only those in {@link forPeople} are. */
export function setCatalogue(catalogue: Catalogue | undefined, isForProgram = false): void {
  forReaders = catalogue
  change(isForProgram ? undefined : catalogue)
}

/** What `work`, which must not wait for anything, returns with all texts in English: what programs read. */
export function inEnglish<Value>(work: () => Value): Value {
  return withCatalogue(undefined, work)
}

/** What `work`, which must not wait for anything, returns in the language of people also where the output is for a program: a file for them. */
export function forPeople<Value>(work: () => Value): Value {
  return withCatalogue(forReaders, work)
}

/** What `work` gives with all texts in the language of people, or in English for programs. Nothing else may make texts meanwhile: the language is that of the process. */
export async function writtenFor<Value>(readers: 'people' | 'programs', work: () => Promise<Value>): Promise<Value> {
  const before = current
  change(readers === 'people' ? forReaders : undefined)
  try {
    return await work()
  } finally {
    change(before)
  }
}

/** The language of the texts now. */
export function currentLanguage(): string {
  return current?.language ?? 'en'
}

/**
 * A complete sentence for the user: t`Sent ${amount} to ${key}`. Its English text is its key in the catalogue, with `{0}`, `{1}`, … for the values.
 * Every value is made safe for a terminal. Use it in functions only: while modules load, the language is not known.
 */
export function t(sentence: TemplateStringsArray, ...values: readonly (string | number)[]): string {
  if (current === undefined) return english(sentence, ...values)
  const translation = known.get(sentence) ?? translated(keyOf(sentence))
  known.set(sentence, translation)
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

/** A text of a table that is made while modules load, in English. {@link translated} translates it where it is shown. */
export function declared(text: TemplateStringsArray): string {
  return text.join('')
}

/** The translation of a text that is declared in English: a description, a heading, the name of a state. */
export function translated(text: string): string {
  return current?.find(text) ?? text
}

/** The key of a sentence: `Sent {0} to {1}`. */
function keyOf(sentence: TemplateStringsArray): string {
  return sentence.reduce((text, part, index) => `${text}{${index - 1}}${part}`)
}

function withCatalogue<Value>(catalogue: Catalogue | undefined, work: () => Value): Value {
  const before = current
  change(catalogue)
  try {
    return work()
  } finally {
    change(before)
  }
}

function change(catalogue: Catalogue | undefined): void {
  if (catalogue === current) return
  current = catalogue
  known = new WeakMap()
}
