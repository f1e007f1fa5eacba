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

/** The key under which an object or array that was parsed has the literals of its numbers, by their names; a copy with `{...object}` has it too. */
const LITERALS = Symbol('the numbers as they were written')
/**
 * Notes in a value that was parsed from a text how those of its numbers are written that JavaScript would write in another way, such as `10.50`,
 * 9007199254740993 or `1e400`.
 */
export function noteLiterals(value: unknown, text: string): void {
  const tree = readJsonTree(text)
  if (tree !== undefined) note(value, tree)
}

function note(value: unknown, tree: JsonTree): void {
  if (typeof value !== 'object' || value === null) return
  const literals = new Map<string, string>()
  for (const [name, member] of membersIn(tree)) {
    if (member.kind === 'number') {
      if (JSON.stringify(Number(member.literal)) === member.literal) literals.delete(name)
      else literals.set(name, member.literal)
    } else note(Reflect.get(value, name), member)
  }
  if (literals.size > 0) Object.defineProperty(value, LITERALS, { value: literals, enumerable: true })
}

function membersIn(tree: JsonTree): [string, JsonTree][] {
  if (tree.kind === 'array') return tree.items.map((item, place) => [String(place), item])
  return tree.kind === 'object' ? tree.members.map(({ name, value }) => [name, value]) : []
}

/** `JSON.stringify` that writes numbers as they came, as far as {@link noteLiterals} noted them and they have not been changed since. */
export function exactJson(value: unknown, indent = 0): string {
  return markedJson(value, indent, '#') ?? JSON.stringify(value, null, indent)
}

/** JSON in which literals are strings behind a mark until all is written; undefined if there are none. The mark grows until no other string begins with it. */
function markedJson(value: unknown, indent: number, mark: string): string | undefined {
  let count = 0
  const json = JSON.stringify(
    value,
    function (this: unknown, name: string, member: unknown) {
      const literal = typeof member === 'number' ? literalOf(this, name) : undefined
      if (literal === undefined || !Object.is(Number(literal), member)) return member
      count += 1
      return mark + literal
    },
    indent,
  )
  if (count === 0) return undefined
  const marked = json.split(`"${mark}`).length - 1
  return marked === count
    ? json.replace(new RegExp(`"${mark}([^"]*)"`, 'g'), '$1')
    : markedJson(value, indent, `${mark}#`)
}

function literalOf(holder: unknown, name: string): string | undefined {
  if (typeof holder !== 'object' || holder === null) return undefined
  const literals: unknown = Reflect.get(holder, LITERALS)
  return literals instanceof Map ? literals.get(name) : undefined
}
