import { displayWidth } from './cellLayout.ts'

/** Wraps text at spaces to so many columns of a terminal; a longer word gets its own line. */
export function wrapWords(text: string, columns: number): string {
  return text
    .split('\n')
    .map((line) => wrapLine(line, columns))
    .join('\n')
}

function wrapLine(line: string, columns: number): string {
  if (displayWidth(line) <= columns) return line
  const indent = /^ {0,8}/.exec(line)?.[0] ?? ''
  const lines: string[] = []
  let current = indent
  for (const word of line.trimStart().split(' ')) {
    const isFirst = current.trim() === ''
    if (!isFirst && displayWidth(current) + 1 + displayWidth(word) > columns) {
      lines.push(current)
      current = indent + word
    } else current = isFirst ? current + word : `${current} ${word}`
  }
  return [...lines, current].join('\n')
}
