import type { ShownEvent } from './shownEvent.ts'

/** A deeper body is shown only as its bytes, because writing it as JSON would overflow the stack. */
const DEPTH_MAX = 100

/** A body with facts as JSON, which it is, so that parsing cannot fail; null if it is too deep. */
export function payloadOf(body: Buffer): unknown {
  const payload: unknown = JSON.parse(body.toString('utf8').replace(/^\uFEFF/, ''))
  return isWithin(payload, DEPTH_MAX) ? payload : null
}

function isWithin(value: unknown, levels: number): boolean {
  if (typeof value !== 'object' || value === null) return true
  return levels > 0 && Object.values(value).every((inner) => isWithin(inner, levels - 1))
}

/** Headers by their names in lower case; a repeated one has all its values. */
export function headersByName(headers: ShownEvent['headers']): Record<string, string | string[]> {
  // A sender may name a header `__proto__`.
  const byName: Record<string, string | string[]> = Object.create(null)
  for (const [name, value] of headers) {
    const key = name.toLowerCase()
    const earlier = byName[key]
    if (earlier === undefined) byName[key] = value
    else if (Array.isArray(earlier)) earlier.push(value)
    else byName[key] = [earlier, value]
  }
  return byName
}
