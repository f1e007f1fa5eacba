import { translated } from '../text/translate.ts'
import { isObject } from '../wire/answers.ts'

/** The value at a path of names (`pixgate.knownBy`); undefined if there is none. */
export function valueAt(document: unknown, path: string): unknown {
  if (isObject(document) && Object.hasOwn(document, path)) return document[path]
  let value = document
  for (const name of path.split('.')) {
    if (!isObject(value) || !Object.hasOwn(value, name)) return undefined
    value = value[name]
  }
  return value
}

/** A document with only these paths, in this order, keeping its nesting; null for missing values. */
export function pickFields(document: unknown, paths: readonly string[]): Record<string, unknown> {
  const picked: Record<string, unknown> = {}
  for (const path of paths) {
    const names = path.split('.')
    const last = names.pop() ?? path
    let place = picked
    for (const name of names) {
      const inner = place[name]
      const next = isObject(inner) ? inner : {}
      place[name] = next
      place = next
    }
    place[last] = valueAt(document, path) ?? null
  }
  return picked
}

/** A value as a cell of a table or CSV: strings unchanged, '' for null, objects as JSON. */
export function cellText(value: unknown): string {
  if (value === undefined || value === null) return ''
  if (typeof value === 'string') return value
  return JSON.stringify(value)
}

/** The same of a value that is one of a few words, such as a state, in the language of people. */
export function wordText(value: unknown): string {
  return translated(cellText(value))
}

/** A document with further fields under `pixgate`. */
export function withPixgate(document: Readonly<Record<string, unknown>>, fields: object): Record<string, unknown> {
  const own = isObject(document.pixgate) ? document.pixgate : {}
  return { ...document, pixgate: { ...own, ...fields } }
}
