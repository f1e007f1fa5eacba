/**
 * JSON as written: members in order, repeated keys kept, numbers as text. `JSON.parse` loses all three,
 * but a signature covers them.
 */
export type JsonTree =
  | { kind: 'object'; members: { name: string; value: JsonTree }[] }
  | { kind: 'array'; items: JsonTree[] }
  | { kind: 'string'; text: string }
  | { kind: 'number'; literal: string }
  | { kind: 'word'; word: 'true' | 'false' | 'null' }

const DEPTH_MAX = 100
/** One token: a string, a number, a word, or punctuation. */
const TOKEN = /"(?:[^"\\]|\\.)*"|-?\d[\d.eE+-]*|true|false|null|[[\]{}:,]/y
const SPACE = /[ \t\r\n]*/y

/** Parses JSON text; undefined if it is invalid or nested more than 100 levels deep. */
export function readJsonTree(text: string): JsonTree | undefined {
  if (parseJson(text) === undefined) return undefined
  return new Reader(text).read(0)
}

/** `JSON.parse` that returns undefined for invalid JSON. */
export function parseJson(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}

/** The last value of the member with this name, as in `JSON.parse`; undefined if there is none. */
export function memberOf(tree: JsonTree | undefined, name: string): JsonTree | undefined {
  return membersOf(tree, name).at(-1)
}

/** All values of the members with this name, in order. */
export function membersOf(tree: JsonTree | undefined, name: string): JsonTree[] {
  if (tree?.kind !== 'object') return []
  return tree.members.filter((member) => member.name === name).map((member) => member.value)
}

/** The tree as compact JSON, strings escaped as `JSON.stringify` does. */
export function writeJsonTree(tree: JsonTree): string {
  switch (tree.kind) {
    case 'object':
      return `{${tree.members.map(({ name, value }) => `${JSON.stringify(name)}:${writeJsonTree(value)}`).join(',')}}`
    case 'array':
      return `[${tree.items.map(writeJsonTree).join(',')}]`
    case 'string':
      return JSON.stringify(tree.text)
    case 'number':
      return tree.literal
    case 'word':
      return tree.word
  }
}

/** Parses text that is known to be valid JSON. */
class Reader {
  readonly #text: string
  #at = 0

  constructor(text: string) {
    this.#text = text
  }

  read(depth: number): JsonTree | undefined {
    if (depth > DEPTH_MAX) return undefined
    const token = this.#next()
    if (token === '{') return this.#object(depth)
    if (token === '[') return this.#array(depth)
    if (token.startsWith('"')) return { kind: 'string', text: String(JSON.parse(token)) }
    if (token === 'true' || token === 'false' || token === 'null') return { kind: 'word', word: token }
    return { kind: 'number', literal: token }
  }

  #object(depth: number): JsonTree | undefined {
    const members: { name: string; value: JsonTree }[] = []
    for (let token = this.#next(); token !== '}'; token = this.#next()) {
      if (token === ',') continue
      this.#next()
      const value = this.read(depth + 1)
      if (value === undefined) return undefined
      members.push({ name: String(JSON.parse(token)), value })
    }
    return { kind: 'object', members }
  }

  #array(depth: number): JsonTree | undefined {
    const items: JsonTree[] = []
    for (;;) {
      if (this.#peek() === ']') break
      if (this.#peek() === ',') this.#next()
      const item = this.read(depth + 1)
      if (item === undefined) return undefined
      items.push(item)
    }
    this.#next()
    return { kind: 'array', items }
  }

  #peek(): string {
    const at = this.#at
    const token = this.#next()
    this.#at = at
    return token
  }

  #next(): string {
    SPACE.lastIndex = this.#at
    SPACE.exec(this.#text)
    TOKEN.lastIndex = SPACE.lastIndex
    const token = TOKEN.exec(this.#text)?.[0] ?? ''
    this.#at = TOKEN.lastIndex
    return token
  }
}
