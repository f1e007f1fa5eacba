import {
  JACKSON_ASCII,
  JAVASCRIPT_STRINGS,
  PHP_STRINGS,
  PHP_UNESCAPED_UNICODE,
  PYTHON_ASCII,
  type StringStyle,
} from '../wire/jsonStrings.ts'
import type { JsonRange } from '../wire/jsonTree.ts'

/** What separates a member that is added to an object or array from what is before it, and its name from its value. */
export interface Separators {
  comma: string
  colon: string
}

/** What is before a value in its object or array: the comma or opening bracket, and a name with its colon unless it is an item. */
const BEFORE_VALUE = /^,?(\s*)(?:"(?:[^"\\]|\\.)*"(\s*:\s*))?$/s
const ESCAPED_LETTER = /\\u(?!00[0-7])([\da-f]{4})/i

/** How a JSON text writes strings, as far as it shows: which characters it escapes, and how. */
export function stringStyleOf(json: string): StringStyle {
  const escapesSlash = json.includes('\\/')
  if (/[^\0-\x7f]/.test(json)) return escapesSlash ? PHP_UNESCAPED_UNICODE : JAVASCRIPT_STRINGS
  if (escapesSlash) return PHP_STRINGS
  const escaped = ESCAPED_LETTER.exec(json)?.[1]
  if (escaped !== undefined) return /[A-F]/.test(escaped) ? JACKSON_ASCII : PYTHON_ASCII
  // Of those who write a space after each comma, Python's json.dumps is by far the most common.
  return /^\s*\{"(?:[^"\\]|\\.)*": /.test(json) ? PYTHON_ASCII : JAVASCRIPT_STRINGS
}

/** The separators before the last child of an object or array; those of `outer` if it has none. */
export function separatorsOf(json: string, { start, children }: JsonRange, outer: Separators): Separators {
  const last = children.at(-1)
  if (last === undefined) return outer
  const before = children.at(-2)
  const [, space = '', colon = outer.colon] = BEFORE_VALUE.exec(json.slice(before?.end ?? start + 1, last.start)) ?? []
  // The space behind an opening bracket is no separator, unless each member has its own line.
  const isKnown = before !== undefined || space.includes('\n')
  return { comma: isKnown ? `,${space}` : /\s$/.test(colon) ? ', ' : ',', colon }
}
