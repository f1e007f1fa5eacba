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
  // The events of a run come before or after its last lines.
  { pattern: String.raw`\b(?:accepted|paid|aceito|pago)(?= \d+, R\$)`, isId: false },
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

/** Adds to `ids` those of an output that is not as the page shows it, paired by kind with those of the page in their order. */
export function learnIds(expected: string, output: string, ids: Map<string, string>): void {
  for (const [index, { isId }] of KINDS.entries()) {
    if (!isId) continue
    const found = (text: string) => [
      ...new Set([...text.matchAll(VARIABLE)].flatMap((match) => match[index + 1] ?? [])),
    ]
    const fresh = found(output).filter((id) => !ids.has(id))
    const onPage = found(expected).filter((id) => !ids.has(id))
    for (const [place, shown] of onPage.entries()) {
      const actual = fresh[place]
      if (actual !== undefined && actual !== shown) ids.set(shown, actual)
    }
  }
}

/**
 * An output, without what the page leaves out with `…`: each part that the page shows begins at the line with the most words of its own
 * at the beginning, and has as many lines, or a few more if it ends with another word, such as the answer to a longer question. Whole if a part is
 * not found.
 */
export function cutAs(expected: string, output: string): string {
  const parts = expected.split(/^…\n/m).map((part) => part.split('\n').slice(0, -1))
  if (parts.length === 1) return output
  const lines = output.split('\n').slice(0, -1)
  const wordsOf = (line = '') => line.replaceAll(VARIABLE, '').trim().split(/\s+/)
  const lastWord = (line = '') => line.slice(line.lastIndexOf(' ') + 1)
  const kept: string[] = []
  let at = 0
  for (const [index, shown] of parts.entries()) {
    let end = at
    if (shown.length > 0) {
      if (index > 0) {
        const wanted = wordsOf(shown[0])
        const scores = lines.slice(at).map((line) => commonBeginning(wordsOf(line), wanted))
        const best = Math.max(0, ...scores)
        if (best === 0) return output
        at += scores.indexOf(best)
      }
      end = index === parts.length - 1 ? lines.length : Math.min(at + shown.length, lines.length)
      const more = lines.slice(end - 1, end + 2).findIndex((line) => lastWord(line) === lastWord(shown.at(-1)))
      end += Math.max(0, more)
    }
    kept.push(...lines.slice(at, end), ...(index < parts.length - 1 ? ['…'] : []))
    at = end
  }
  return kept.map((line) => `${line}\n`).join('')
}

function commonBeginning(one: readonly string[], other: readonly string[]): number {
  const differs = one.findIndex((word, index) => word !== other[index])
  return differs < 0 ? one.length : differs
}
