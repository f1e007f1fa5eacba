/** What differs each time a command runs. Those that name something are its ids. */
const KINDS = [
  { pattern: String.raw`[\da-f]{8}-[\da-f]{4}-[\da-f]{4}-[\da-f]{4}-[\da-f]{12}`, isId: true },
  { pattern: String.raw`run-[\da-f]{12}`, isId: true },
  { pattern: String.raw`\b[\da-f]{8}\b`, isId: true },
  { pattern: String.raw`\b[\da-f]{16}\b`, isId: false },
  { pattern: String.raw`\d{4}-\d\d-\d\dT[\d:.]+Z`, isId: false },
  { pattern: String.raw`\b\d\d/\d\d/\d{4}(?: \d\d:\d\d:\d\d)?`, isId: false },
  { pattern: String.raw`\b\d\d/\d\d(?: \d\d:\d\d)?\b`, isId: false },
  { pattern: String.raw`\b\d\d:\d\d(?::\d\d)?\b`, isId: false },
  { pattern: String.raw`\b\d+(?:[.,]\d+)? m?s\b`, isId: false },
] as const

const VARIABLE = new RegExp(KINDS.map(({ pattern }) => `(${pattern})`).join('|'), 'g')
/** A line that stands for any number of lines. */
const LEFT_OUT = / …(?= |$)/g

/** A text with these ids in place of those; the beginning of a longer id is none. */
export function withIds(text: string, ids: Iterable<readonly [from: string, to: string]>): string {
  let replaced = text
  for (const [from, to] of ids) replaced = replaced.replaceAll(new RegExp(String.raw`${from}(?!-?\w)`, 'g'), to)
  return replaced
}

/** A text in one line, so that it does not matter where a terminal broke it. */
export function inOneLine(text: string): string {
  return ` ${text.replaceAll(/\s+/g, ' ').trim()}`
}

/**
 * True if the output of a command, in one line, is what a page shows, but for ids and times; `…` on a line of its own stands for any
 * lines. What the ids of the page are here is added to `ids`.
 */
export function compareOutput(expected: string, output: string, ids: Map<string, string>): boolean {
  const page = inOneLine(expected)
  const variables = [...page.matchAll(VARIABLE)].map((match) => ({
    shown: match[0],
    end: match.index + match[0].length,
    start: match.index,
    kind: KINDS.find((_kind, index) => match[index + 1] !== undefined) ?? KINDS[0],
  }))
  const parts = variables.map(({ start, kind }, index) => {
    const before = page.slice(variables[index - 1]?.end ?? 0, start)
    return `${literalPattern(before)}(${kind.pattern})`
  })
  const pattern = parts.join('') + literalPattern(page.slice(variables.at(-1)?.end ?? 0))
  const match = new RegExp(`^${pattern}$`).exec(output)
  if (match === null) return false
  const found = variables.flatMap(({ shown, kind }, index) =>
    kind.isId ? [[shown, match[index + 1] ?? ''] as const] : [],
  )
  // What is known of an id has been replaced in the output.
  if (found.some(([shown, actual]) => shown !== actual && ids.has(shown))) return false
  for (const [shown, actual] of found) if (shown !== actual) ids.set(shown, actual)
  return true
}

function literalPattern(text: string): string {
  const escaped = text.replaceAll(/[.*+?^${}()|[\]\\]/g, '\\$&')
  return escaped.replaceAll(LEFT_OUT, '.*?')
}
