import { isObject } from '../wire/answers.ts'

/** The value under a path of names (`pixgate.knownBy`); undefined where there is none. */
export function valueAt(document: unknown, path: string): unknown {
  if (isObject(document) && Object.hasOwn(document, path)) return document[path]
  let value = document
  for (const name of path.split('.')) {
    if (!isObject(value) || !Object.hasOwn(value, name)) return undefined
    value = value[name]
  }
  return value
}

/** A document with these paths alone, in this order, each value where it stood; null where the document has none. */
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

/** A value as one cell of a table or CSV: text as it is, nothing for null, objects as JSON. */
export function cellText(value: unknown): string {
  if (value === undefined || value === null) return ''
  if (typeof value === 'string') return value
  return JSON.stringify(value)
}
