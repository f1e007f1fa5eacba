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

/** The position of a JSON value in a text, and of its direct children. `end` is exclusive. */
export interface JsonRange {
  kind: 'object' | 'array' | 'scalar'
  start: number
  end: number
  /** Members by name, items by index. */
  children: { name: string; start: number; end: number }[]
}

interface Token {
  text: string
  start: number
  end: number
}

const DEPTH_MAX = 100
/** One token: punctuation, a string, or any other literal. */
const TOKEN = /[[\]{}:,]|"[^"\\]*(?:\\.[^"\\]*)*"|[^\s[\]{}:,"]+/g

/** Parses JSON text; undefined if it is invalid or nested more than 100 levels deep. */
export function readJsonTree(text: string): JsonTree | undefined {
  if (parseJson(text) === undefined) return undefined
  const next = tokensOf(text, 0)
  return readValue(next, next(), 0)
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

/** Finds the value that begins at or after `from`. The text must be valid JSON. */
export function locateJson(text: string, from: number): JsonRange {
  const next = tokensOf(text, from)
  const first = next()
  const { start, end } = first
  if (first.text !== '{' && first.text !== '[') return { kind: 'scalar', start, end, children: [] }
  const kind = first.text === '{' ? 'object' : 'array'
  const children: JsonRange['children'] = []
  let depth = 1
  let name: string | undefined
  let value: { start: number; end: number } | undefined
  for (;;) {
    const token = next()
    const isEnd = token.text === '}' || token.text === ']'
    if (depth === 1 && (isEnd || token.text === ',')) {
      if (value !== undefined) children.push({ name: name ?? String(children.length), ...value })
      if (isEnd) return { kind, start, end: token.end, children }
      name = undefined
      value = undefined
    } else if (depth === 1 && kind === 'object' && name === undefined) {
      name = String(JSON.parse(token.text))
    } else if (depth > 1 || token.text !== ':') {
      if (token.text === '{' || token.text === '[') depth += 1
      if (isEnd) depth -= 1
      value = { start: value?.start ?? token.start, end: token.end }
    }
  }
}

/** Gives the tokens of valid JSON text from a place on, one with each call. */
function tokensOf(text: string, from: number): () => Token {
  const pattern = new RegExp(TOKEN)
  pattern.lastIndex = from
  return () => {
    const match = pattern.exec(text)
    if (match === null) throw new RangeError('the JSON text ends here')
    return { text: match[0], start: match.index, end: pattern.lastIndex }
  }
}

/** Reads the value that begins with a token; undefined if it is nested too deeply. */
function readValue(next: () => Token, { text: first }: Token, depth: number): JsonTree | undefined {
  if (depth > DEPTH_MAX) return undefined
  if (first === '{') {
    const members: { name: string; value: JsonTree }[] = []
    for (let { text } = next(); text !== '}'; { text } = next()) {
      if (text === ',') continue
      next()
      const value = readValue(next, next(), depth + 1)
      if (value === undefined) return undefined
      members.push({ name: String(JSON.parse(text)), value })
    }
    return { kind: 'object', members }
  }
  if (first === '[') {
    const items: JsonTree[] = []
    for (let token = next(); token.text !== ']'; token = next()) {
      if (token.text === ',') continue
      const item = readValue(next, token, depth + 1)
      if (item === undefined) return undefined
      items.push(item)
    }
    return { kind: 'array', items }
  }
  if (first.startsWith('"')) return { kind: 'string', text: String(JSON.parse(first)) }
  if (first === 'true' || first === 'false' || first === 'null') return { kind: 'word', word: first }
  return { kind: 'number', literal: first }
}
