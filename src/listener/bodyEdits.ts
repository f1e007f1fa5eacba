import { t } from '../text/translate.ts'
import { UsageError } from '../wire/errors.ts'
import { type JsonRange, locateJson, parseJson } from '../wire/jsonTree.ts'
import {
  JACKSON_ASCII,
  JAVASCRIPT_STRINGS,
  PHP_STRINGS,
  PHP_UNESCAPED_UNICODE,
  PYTHON_ASCII,
  type StringStyle,
  writeString,
} from '../wire/jsonWriters.ts'

/** A value to set at a path in a JSON body. */
export interface BodyEdit {
  /** As it was typed. */
  typed: string
  /** Names of members and places in arrays, from the outside to the inside. */
  path: readonly string[]
  /** JSON text as it was typed, or text that becomes a string. */
  value: string
  isJson: boolean
}

/** Reads `data.amount=10.50`. What is JSON behind the `=` goes in as it was typed, all else as a string. Throws UsageError. */
export function readBodyEdit(typed: string): BodyEdit {
  const at = typed.indexOf('=')
  const path = typed.slice(0, at === -1 ? undefined : at).split('.')
  if (at === -1 || path.includes('')) {
    throw new UsageError(t`\`--set\` takes a path and a value, not \`${typed}\``, {
      hint: t`Write a path and a value: \`--set data.amount=10.50\``,
    })
  }
  const value = typed.slice(at + 1)
  return { typed, path, value, isJson: parseJson(value) !== undefined }
}

/**
 * Sets these values in a body, one after the other, and leaves all other bytes as they are. A member that does not exist is
 * added, and `onAdded` gets its path. What is written anew has the style of the body; `strings` is known of a sample, else it is taken from the
 * body. Throws UsageError if the body is not JSON or a path leads nowhere.
 */
export function editBody(
  body: Buffer,
  edits: readonly BodyEdit[],
  onAdded: (path: string) => void = () => {},
  strings?: StringStyle,
): Buffer {
  if (edits.length === 0) return body
  const text = new TextDecoder('utf-8', { ignoreBOM: true }).decode(body)
  const hasMark = text.startsWith('\uFEFF')
  const json = hasMark ? text.slice(1) : text
  if (parseJson(json) === undefined || !Buffer.from(text).equals(body)) {
    throw new UsageError(t`The body is not JSON, so no value can be set in it`, {
      hint: t`Give a whole body with \`--body\``,
    })
  }
  const style = strings ?? stringStyleOf(json)
  return Buffer.from(
    (hasMark ? '\uFEFF' : '') + edits.reduce((text, edit) => withEdit(text, edit, style, onAdded), json),
  )
}

function withEdit(json: string, edit: BodyEdit, strings: StringStyle, onAdded: (path: string) => void): string {
  const literal = edit.isJson ? edit.value : writeString(edit.value, strings)
  let place = locateJson(json, 0)
  let separators: Separators = { comma: ',', colon: ':' }
  for (const [depth, name] of edit.path.entries()) {
    separators = separatorsOf(json, place, separators)
    const next = childOf(place, name, edit, depth)
    if (next === undefined) {
      onAdded(edit.path.join('.'))
      return addMember(json, place, separators, edit.path.slice(depth), literal, strings)
    }
    place = locateJson(json, next.start)
  }
  return json.slice(0, place.start) + literal + json.slice(place.end)
}

/** The value under this name; undefined if it does not exist and can be added. */
function childOf(place: JsonRange, name: string, edit: BodyEdit, depth: number): { start: number } | undefined {
  const whole = edit.path.slice(0, depth).join('.')
  if (place.kind === 'scalar') {
    throw pathFailure(edit, t`\`${whole || t`the body`}\` is neither an object nor an array`)
  }
  const found = place.children.filter((child) => child.name === name)
  if (found.length > 1) {
    throw pathFailure(edit, t`\`${edit.path.slice(0, depth + 1).join('.')}\` occurs ${found.length} times`)
  }
  if (place.kind === 'array' && found.length === 0 && name !== String(place.children.length)) {
    throw pathFailure(
      edit,
      place.children.length === 1
        ? t`\`${name}\` is not an index of the array \`${whole}\`, which has 1 item`
        : t`\`${name}\` is not an index of the array \`${whole}\`, which has ${place.children.length} items`,
    )
  }
  return found[0]
}

function addMember(
  json: string,
  place: JsonRange,
  { comma, colon }: Separators,
  [name = '', ...deeper]: readonly string[],
  literal: string,
  strings: StringStyle,
): string {
  const value = deeper.reduceRight((inner, each) => `{${writeString(each, strings)}${colon}${inner}}`, literal)
  const member = place.kind === 'array' ? value : `${writeString(name, strings)}${colon}${value}`
  const last = place.children.at(-1)
  const at = last?.end ?? place.start + 1
  return json.slice(0, at) + (last === undefined ? '' : comma) + member + json.slice(at)
}

function pathFailure({ typed }: BodyEdit, why: string): UsageError {
  return new UsageError(t`The path of \`--set ${typed}\` does not match the body`, {
    details: [why],
    hint: t`Check the path against the body, or give a whole body with \`--body\``,
  })
}

/** What separates a member that is added to an object or array from what is before it, and its name from its value. */
interface Separators {
  comma: string
  colon: string
}

/** What is before a value in its object or array: the comma or opening bracket, and a name with its colon unless it is an item. */
const BEFORE_VALUE = /^,?(\s*)(?:"(?:[^"\\]|\\.)*"(\s*:\s*))?$/s
const ESCAPED_LETTER = /\\u(?!00[0-7])([\da-f]{4})/i

/** How a JSON text writes strings, as far as it shows: which characters it escapes, and how. */
function stringStyleOf(json: string): StringStyle {
  const escapesSlash = json.includes('\\/')
  if (/[^\0-\x7f]/.test(json)) return escapesSlash ? PHP_UNESCAPED_UNICODE : JAVASCRIPT_STRINGS
  if (escapesSlash) return PHP_STRINGS
  const escaped = ESCAPED_LETTER.exec(json)?.[1]
  if (escaped !== undefined) return /[A-F]/.test(escaped) ? JACKSON_ASCII : PYTHON_ASCII
  // Of those who write a space after each comma, Python's json.dumps is by far the most common.
  return /^\s*\{"(?:[^"\\]|\\.)*": /.test(json) ? PYTHON_ASCII : JAVASCRIPT_STRINGS
}

/** The separators before the last child of an object or array; those of `outer` if it has none. */
function separatorsOf(json: string, { start, children }: JsonRange, outer: Separators): Separators {
  const last = children.at(-1)
  if (last === undefined) return outer
  const before = children.at(-2)
  const [, space = '', colon = outer.colon] = BEFORE_VALUE.exec(json.slice(before?.end ?? start + 1, last.start)) ?? []
  // The space behind an opening bracket is no separator, unless each member has its own line.
  const isKnown = before !== undefined || space.includes('\n')
  return { comma: isKnown ? `,${space}` : /\s$/.test(colon) ? ', ' : ',', colon }
}
