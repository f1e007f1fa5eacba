import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'

const SRC = join(import.meta.dirname, '..', 'src')

/** A text for people in the source: `${…}` is replaced by `VALUE`. */
export interface SourceText {
  /** Its file below src and its line. */
  place: string
  text: string
  /** True for what tells the user what to do next: a hint, or an argument of `terminal.next`. */
  isAdvice: boolean
}

/** A hint, or what is printed as the next step, as an expression. */
const EXPRESSIONS = /(?<!['\w`])hint:|\bhint =(?!=)|\.next\(/g
/** A function that returns a hint. */
const FUNCTIONS = /^(?:export )?function (?:\w*Hint|hintFor|didYouMean)\([^)]*\)[^{\n]*\{$/gm
/** A call whose second argument is a hint. */
const CALLS = /\b(?:new Malformed|overLimit|notAllowed)\(/g

/** All texts for people in src. */
export function sourceTexts(): SourceText[] {
  return readdirSync(SRC, { recursive: true, encoding: 'utf8' })
    .filter((path) => path.endsWith('.ts'))
    .flatMap((path) => textsIn(path, readFileSync(join(SRC, path), 'utf8')))
}

function textsIn(path: string, source: string): SourceText[] {
  const code = source.replaceAll(/^\s*(?:\/\*\*|\*|\/\/).*$/gm, (comment) => ' '.repeat(comment.length))
  const advice = [
    ...endsOf(code, EXPRESSIONS).map((from) => ({ from, to: endOfExpression(code, from) })),
    ...endsOf(code, FUNCTIONS).map((from) => ({ from, to: endOfBracket(code, from) })),
    ...endsOf(code, CALLS).map((from) => ({ from: endOfExpression(code, from), to: endOfBracket(code, from) })),
  ]
  return [...code.matchAll(/\bt`/g)].map(({ index }) => {
    const end = endOfTemplate(code, index + 2)
    return {
      place: `${path}:${code.slice(0, index).split('\n').length}`,
      text: withoutValues(code.slice(index + 2, end)),
      isAdvice: advice.some(({ from, to }) => index >= from && index < to),
    }
  })
}

function endsOf(code: string, pattern: RegExp): number[] {
  return [...code.matchAll(pattern)].map(({ 0: { length }, index }) => index + length)
}

/** The index of the closing backtick of a template whose text begins at this index. */
function endOfTemplate(code: string, start: number): number {
  for (let at = start; at < code.length; at++) {
    if (code[at] === '\\') at++
    else if (code[at] === '`') return at
    else if (code.startsWith('${', at)) at = endOfBracket(code, at + 2)
  }
  throw new Error('a template has no end')
}

/** The index of the bracket that closes the one before this index. */
function endOfBracket(code: string, start: number): number {
  return skip(code, start, () => false)
}

/** The index at which an expression that begins here ends: at a comma or bracket of what it is in, or before a statement. */
function endOfExpression(code: string, start: number): number {
  return skip(code, start, (at) => code[at] === ',' || STATEMENT.test(code.slice(at, at + 40)))
}

/** The index of the quote that ends the string that begins here. */
function endOfString(code: string, start: number): number {
  for (let at = start + 1; at < code.length; at++) {
    if (code[at] === '\\') at++
    else if (code[at] === code[start]) return at
  }
  throw new Error(`a string has no end: ${code.slice(start, start + 40)}`)
}

const STATEMENT = /^\n *(?:const|return|throw|if|for|switch|await)\b/

function skip(code: string, start: number, isEnd: (at: number) => boolean): number {
  let depth = 0
  for (let at = start; at < code.length; at++) {
    const character = code[at] ?? ''
    if (character === '`') at = endOfTemplate(code, at + 1)
    else if (character === "'" || character === '"') at = endOfString(code, at)
    else if ('([{'.includes(character)) depth++
    else if (')]}'.includes(character) && depth-- === 0) return at
    else if (depth === 0 && isEnd(at)) return at
  }
  return code.length
}

function withoutValues(template: string): string {
  let text = ''
  for (let at = 0; at < template.length; at++) {
    if (template[at] === '\\') text += template[++at]
    else if (template.startsWith('${', at)) {
      at = endOfBracket(template, at + 2)
      text += 'VALUE'
    } else text += template[at]
  }
  return text
}
