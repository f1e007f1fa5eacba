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

/** One token: punctuation, a string, or any other literal. */
const TOKEN = /[[\]{}:,]|"[^"\\]*(?:\\.[^"\\]*)*"|[^\s[\]{}:,"]+/g

/** Finds the value that begins at or after `from`. The text must be valid JSON. */
export function locateJson(text: string, from: number): JsonRange {
  const tokens = tokensOf(text, from)
  const first = tokens.next().value
  if (first === undefined) throw new RangeError('there is no JSON value here')
  const { start, end } = first
  if (first.text !== '{' && first.text !== '[') return { kind: 'scalar', start, end, children: [] }
  const kind = first.text === '{' ? 'object' : 'array'
  const children: JsonRange['children'] = []
  let depth = 1
  let name: string | undefined
  let value: { start: number; end: number } | undefined
  for (const token of tokens) {
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
  throw new RangeError('the JSON value has no end')
}

function* tokensOf(text: string, from: number): Generator<Token, undefined> {
  const pattern = new RegExp(TOKEN)
  pattern.lastIndex = from
  for (let match = pattern.exec(text); match !== null; match = pattern.exec(text)) {
    yield { text: match[0], start: match.index, end: pattern.lastIndex }
  }
  return undefined
}
