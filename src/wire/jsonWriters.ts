import type { JsonTree } from './jsonTree.ts'

type Member = { name: string; value: JsonTree }

/** Orders or filters the members of an object before they are written. */
export type MemberOrder = (members: readonly Member[]) => readonly Member[]

/** The members of all events, in the order of the specification. */
const SPECIFIED = [
  ...['event', 'data', 'idTransaction', 'originalTransactionId', 'externalId', 'typeTransaction', 'statusTransaction'],
  ...['status', 'amount', 'value', 'paidAt', 'timestamp', 'destinationName', 'destinationTaxId', 'destinationBank'],
  ...['errorCode', 'errorMessage', 'payerName', 'payerTaxId', 'paymentDate'],
]
const PLACES = new Map(SPECIFIED.map((name, place) => [name, place]))

export const originalOrder: MemberOrder = (members) => members

/** Sorted by the bytes of the names, as many serialisers write maps. */
export const sorted: MemberOrder = (members) => members.toSorted((a, b) => compareBytes(a.name, b.name))

/** Shorter names first, as PostgreSQL and MySQL store JSON. */
export const shorterFirst: MemberOrder = (members) =>
  members.toSorted((a, b) => Buffer.byteLength(a.name) - Buffer.byteLength(b.name) || compareBytes(a.name, b.name))

/** In the order of the specification; unknown members follow in their original order. */
export const specificationOrder: MemberOrder = (members) => members.toSorted((a, b) => placeOf(a) - placeOf(b))

/** Keeps only the last value of a repeated name, at the position of the first, as maps do. */
export const withoutRepeats: MemberOrder = (members) => {
  const values = new Map(members.map(({ name, value }) => [name, value]))
  return Array.from(values, ([name, value]) => ({ name, value }))
}

/** Applies an arrangement to all objects of a tree. */
export function reorder(tree: JsonTree, arrange: MemberOrder): JsonTree {
  if (tree.kind === 'array') return { kind: 'array', items: tree.items.map((item) => reorder(item, arrange)) }
  if (tree.kind !== 'object') return tree
  const members = arrange(tree.members).map(({ name, value }) => ({ name, value: reorder(value, arrange) }))
  return { kind: 'object', members }
}

function compareBytes(a: string, b: string): number {
  return Buffer.compare(Buffer.from(a), Buffer.from(b))
}

function placeOf({ name }: Member): number {
  return PLACES.get(name) ?? SPECIFIED.length
}

/** The white space that a serialiser writes. */
export interface JsonLayout {
  comma: string
  colon: string
  /** Padding inside the brackets of a non-empty object or array on one line. */
  padding: string
  /** The indentation of each level; null to write everything on one line. */
  indent: string | null
  lineEnd: string
  /** Arrays on one line, as Jackson writes them. */
  hasInlineArrays: boolean
  emptyObject: string
  emptyArray: string
}

const ON_ONE_LINE: JsonLayout = {
  comma: ',',
  colon: ':',
  padding: '',
  indent: null,
  lineEnd: '\n',
  hasInlineArrays: false,
  emptyObject: '{}',
  emptyArray: '[]',
}

export const COMPACT = ON_ONE_LINE
/** `{"a": 1, "b": 2}` */
export const SPACED: JsonLayout = { ...ON_ONE_LINE, comma: ', ', colon: ': ' }
/** `{ "a": 1, "b": 2 }` */
const PADDED: JsonLayout = { ...SPACED, padding: ' ' }
/** `{ "a" : 1, "b" : 2 }` */
const PADDED_WIDE: JsonLayout = { ...PADDED, colon: ' : ' }

/** One member or item per line. */
export function indented(indent: string, lineEnd = '\n'): JsonLayout {
  return { ...ON_ONE_LINE, colon: ': ', indent, lineEnd }
}

/** Jackson's pretty printer: `"a" : 1`, arrays on one line. */
export function jacksonPretty(lineEnd = '\n'): JsonLayout {
  return {
    ...indented('  ', lineEnd),
    colon: ' : ',
    hasInlineArrays: true,
    emptyObject: '{ }',
    emptyArray: '[ ]',
  }
}

/** Writes the leaves of a tree. `name` is the name of the member that holds the value or its list; empty if none. */
interface LeafWriter {
  text(text: string, name: string): string
  number(literal: string, name: string): string
  /** If the names of members are not written like texts. */
  name?(name: string): string
}

/** Writes a tree as JSON in this layout. */
export function layOut(tree: JsonTree, layout: JsonLayout, leaves: LeafWriter): string {
  const { comma, colon, padding, indent, lineEnd } = layout
  const writeName = leaves.name ?? ((name) => leaves.text(name, ''))

  function block(open: string, parts: readonly string[], close: string, depth: number): string {
    if (indent === null) return `${open}${padding}${parts.join(comma)}${padding}${close}`
    const outer = lineEnd + indent.repeat(depth)
    return `${open}${outer}${indent}${parts.join(`,${outer}${indent}`)}${outer}${close}`
  }

  function write(node: JsonTree, name: string, depth: number): string {
    switch (node.kind) {
      case 'object': {
        if (node.members.length === 0) return layout.emptyObject
        const members = node.members.map(
          (member) => writeName(member.name) + colon + write(member.value, member.name, depth + 1),
        )
        return block('{', members, '}', depth)
      }
      case 'array': {
        if (node.items.length === 0) return layout.emptyArray
        // An array on one line does not indent what is in it.
        const below = layout.hasInlineArrays ? depth : depth + 1
        const items = node.items.map((item) => write(item, name, below))
        return layout.hasInlineArrays ? `[ ${items.join(', ')} ]` : block('[', items, ']', depth)
      }
      case 'string':
        return leaves.text(node.text, name)
      case 'number':
        return leaves.number(node.literal, name)
      case 'word':
        return node.word
    }
  }

  return write(tree, '', 0)
}

/** The tree as compact JSON, strings escaped as `JSON.stringify` does. */
export function writeJsonTree(tree: JsonTree): string {
  return layOut(tree, COMPACT, { text: (text) => JSON.stringify(text), number: (literal) => literal })
}

/** Rewrites a number literal as a serialiser would. `name` is the name of the member that holds it. */
export type NumberStyle = (literal: string, name: string) => string

/** Names of fields that hold money, for serialisers that format only money with fixed decimals. */
const MONEY = /amount|value|price|total|fee|balance/i
const IS_WHOLE = /^-?\d+$/

export const asWritten: NumberStyle = (literal) => literal

/** The shortest literal with the same value, as JavaScript and Go write it: `10.50` becomes 10.5, `10.0` becomes 10. */
export const shortest: NumberStyle = (literal) => JSON.stringify(Number(literal))

/** As Python writes numbers: integers stay integers, floats keep a decimal point. */
export const pythonNumber: NumberStyle = (literal) =>
  IS_WHOLE.test(literal) ? String(BigInt(literal)) : pythonFloat(literal, '')

/** As Python writes floats: 10 becomes 10.0. */
export const pythonFloat: NumberStyle = (literal) => {
  const { sign, digits, exponent } = shortestDigits(literal)
  if (exponent >= -4 && exponent < 16) return sign + plain(digits, exponent, '.0')
  const size = String(Math.abs(exponent)).padStart(2, '0')
  return `${sign}${mantissa(digits, '')}e${exponent < 0 ? '-' : '+'}${size}`
}

/** With two decimals, as decimal types write money: 10.50. */
export const twoDecimals: NumberStyle = (literal) => {
  const fixed = Number(literal).toFixed(2)
  return Number(fixed) === Number(literal) ? fixed : literal
}

/** As PHP writes numbers with `serialize_precision` -1. */
export const phpNumber: NumberStyle = (literal) =>
  IS_WHOLE.test(literal) ? literal : phpFloat(shortestDigits(literal))

/** As PHP writes numbers with `serialize_precision` 17, including rounding errors: 10.0999…. */
export const phpLongNumber: NumberStyle = (literal) => {
  if (IS_WHOLE.test(literal)) return literal
  return phpFloat(digitsOf(Number(literal).toExponential(16)))
}

/** As Java writes doubles: 10.0, and 1.0E7 from ten million on. */
export const javaDouble: NumberStyle = (literal) => {
  const { sign, digits, exponent } = shortestDigits(literal)
  if (exponent >= -3 && exponent < 7) return sign + plain(digits, exponent, '.0')
  return `${sign}${mantissa(digits, '.0')}E${exponent}`
}

export const javaNumber: NumberStyle = (literal) => (IS_WHOLE.test(literal) ? literal : javaDouble(literal, ''))

/** Applies a style only to fields that hold money. */
export function forMoney(number: NumberStyle): NumberStyle {
  return (literal, name) => (MONEY.test(name) ? number(literal, name) : literal)
}

interface Digits {
  sign: string
  /** Significant digits without trailing zeros; the decimal point follows the first one. */
  digits: string
  exponent: number
}

function shortestDigits(literal: string): Digits {
  return digitsOf(Number(literal).toExponential(), literal)
}

/** Parses the output of `toExponential`. The sign comes from the literal, because -0 loses it. */
function digitsOf(exponential: string, literal = exponential): Digits {
  const [coefficient = '', exponent = '0'] = exponential.replace(/^-/, '').split('e')
  const digits = coefficient.replace('.', '').replace(/0+$/, '') || '0'
  return { sign: literal.startsWith('-') ? '-' : '', digits, exponent: Number(exponent) }
}

function phpFloat({ sign, digits, exponent }: Digits): string {
  if (exponent >= -4 && exponent < 17) return sign + plain(digits, exponent, '')
  return `${sign}${mantissa(digits, '.0')}e${exponent < 0 ? '-' : '+'}${Math.abs(exponent)}`
}

/** Writes digits without an exponent; `ending` is added to a whole number. */
function plain(digits: string, exponent: number, ending: string): string {
  if (exponent < 0) return `0.${'0'.repeat(-exponent - 1)}${digits}`
  const whole = digits.slice(0, exponent + 1).padEnd(exponent + 1, '0')
  const fraction = digits.slice(exponent + 1)
  return fraction === '' ? whole + ending : `${whole}.${fraction}`
}

function mantissa(digits: string, ending: string): string {
  return digits.length === 1 ? digits + ending : `${digits.slice(0, 1)}.${digits.slice(1)}`
}

/** How a serialiser writes a string: which characters it escapes, and how. */
export interface StringStyle {
  /** Matches every UTF-16 unit or text that is escaped. */
  pattern: RegExp
  /** Escapes that are not `\uXXXX`. */
  short: Readonly<Record<string, string>>
  upperCase: boolean
}

const QUOTES = { '"': '\\"', '\\': '\\\\' }
const SHORT = { ...QUOTES, '\b': '\\b', '\f': '\\f', '\n': '\\n', '\r': '\\r', '\t': '\\t' }
const SHORT_AND_SLASH = { ...SHORT, '/': '\\/' }
/** An unpaired surrogate, which UTF-8 cannot represent. */
const LONE = '[\\ud800-\\udbff](?![\\udc00-\\udfff])|(?<![\\ud800-\\udbff])[\\udc00-\\udfff]'
const MUST = '"\\\\\\u0000-\\u001f'
const LINES = '\\u2028\\u2029'
const NOT_ASCII = '\\u0080-\\uffff'

function style(characters: string, short: Readonly<Record<string, string>> = SHORT, upperCase = false): StringStyle {
  return { pattern: new RegExp(`[${MUST}${characters}]|${LONE}`, 'g'), short, upperCase }
}

export const JAVASCRIPT_STRINGS = style('')
export const PYTHON_ASCII = style(`\\u007f${NOT_ASCII}`)
/** PHP's `json_encode` without flags. */
export const PHP_STRINGS = style(`/${NOT_ASCII}`, SHORT_AND_SLASH)
export const PHP_UNESCAPED_SLASHES = style(NOT_ASCII)
export const PHP_UNESCAPED_UNICODE = style(`/${LINES}`, SHORT_AND_SLASH)
export const PHP_UNESCAPED_BOTH = style(LINES)
/** PHP's flags for HTML, which the responses of Symfony and Laravel set. */
export const PHP_FOR_HTML = style(`/<>&'${NOT_ASCII}`, {
  ...SHORT_AND_SLASH,
  '<': '\\u003C',
  '>': '\\u003E',
  '&': '\\u0026',
  "'": '\\u0027',
  '"': '\\u0022',
})
export const GO_STRINGS = style(`<>&${LINES}`)
/** Before Go 1.22, `\b` and `\f` had no short form. */
export const OLD_GO_STRINGS = style(`<>&${LINES}`, { ...QUOTES, '\n': '\\n', '\r': '\\r', '\t': '\\t' })
export const GSON_STRINGS = style(`<>&='${LINES}`)
export const JACKSON_STRINGS = style('', SHORT, true)
export const JACKSON_ASCII = style(NOT_ASCII, SHORT, true)
/** `org.json` of Java escapes a slash only if it would end an HTML tag. */
export const ORG_JSON_STRINGS: StringStyle = {
  pattern: new RegExp(`[${MUST}\\u0080-\\u009f\\u2000-\\u20ff]|<\\/|${LONE}`, 'g'),
  short: { ...SHORT, '</': '<\\/' },
  upperCase: false,
}
export const DOTNET_STRINGS = style(`&'+<>\`\\u007f${NOT_ASCII}`, { ...SHORT, '"': '\\u0022' }, true)
/** `UnsafeRelaxedJsonEscaping`, which still escapes characters outside the Basic Multilingual Plane. */
export const DOTNET_RELAXED = style(`\\u007f-\\u009f${LINES}\\ud800-\\udfff`, SHORT, true)
export const NEWTONSOFT_STRINGS = style(`\\u0085${LINES}`)

/** Writes a JSON string, with quotes, in this style. */
export function writeString(text: string, { pattern, short, upperCase }: StringStyle): string {
  return `"${text.replace(pattern, (found) => short[found] ?? unicodeEscape(found, upperCase))}"`
}

function unicodeEscape(unit: string, upperCase: boolean): string {
  const hex = unit.charCodeAt(0).toString(16).padStart(4, '0')
  return `\\u${upperCase ? hex.toUpperCase() : hex}`
}

/** The language of a program that parsed JSON and wrote it again; `database` and `editor` for those that are no language. */
export type WriterLanguage = 'JavaScript' | 'Python' | 'PHP' | 'Go' | 'Java' | 'C#' | 'Ruby' | 'database' | 'editor'

/** What makes JSON of JSON that it has parsed, and every way in which it may do so. */
export interface JsonWriter {
  name: string
  language: WriterLanguage
  layouts: readonly JsonLayout[]
  strings: readonly StringStyle[]
  /** How it writes numbers, whatever program it is part of. */
  numbers: readonly NumberStyle[]
  /** What becomes of a number that it has parsed, which is less: a parser forgets trailing zeros. */
  parsedNumbers: readonly NumberStyle[]
  orders: readonly MemberOrder[]
}

/** A writer by its name. */
export type NamedWriter = Pick<JsonWriter, 'name' | 'language'>

const WINDOWS = '\r\n'
const ONE_A_LINE = [indented('  '), indented('    '), indented('\t')]
const DECIMALS = [twoDecimals, forMoney(twoDecimals)]
const FLOATS = [pythonFloat, forMoney(pythonFloat)]
const JAVA_NUMBERS = [asWritten, javaNumber, javaDouble, forMoney(javaDouble), ...DECIMALS]
const PHP_NUMBERS = [asWritten, phpNumber, shortest, phpLongNumber, ...FLOATS, ...DECIMALS]
// With JSON_PRESERVE_ZERO_FRACTION, 10.0 stays.
const PHP_PARSED = [phpNumber, phpLongNumber, pythonNumber]
const DOTNET_LAYOUTS = [COMPACT, indented('  '), indented('  ', WINDOWS)]
const KEPT = [originalOrder]

/** The writers of JSON that are known, common ones first. */
export const WRITERS: readonly JsonWriter[] = [
  {
    name: "JavaScript's JSON.stringify",
    language: 'JavaScript',
    layouts: [COMPACT, ...ONE_A_LINE],
    strings: [JAVASCRIPT_STRINGS],
    numbers: [asWritten, shortest],
    parsedNumbers: [shortest],
    orders: KEPT,
  },
  {
    name: "Python's json.dumps",
    language: 'Python',
    layouts: [SPACED, COMPACT, ...ONE_A_LINE, indented(' ')],
    strings: [PYTHON_ASCII, JAVASCRIPT_STRINGS],
    numbers: [asWritten, pythonNumber, ...FLOATS, ...DECIMALS],
    parsedNumbers: [pythonNumber],
    orders: [originalOrder, sorted],
  },
  {
    name: "PHP's json_encode",
    language: 'PHP',
    layouts: [COMPACT, indented('    ')],
    strings: [PHP_STRINGS, PHP_UNESCAPED_SLASHES, PHP_UNESCAPED_UNICODE, PHP_UNESCAPED_BOTH, JAVASCRIPT_STRINGS],
    numbers: PHP_NUMBERS,
    parsedNumbers: PHP_PARSED,
    orders: KEPT,
  },
  {
    name: "Laravel's or Symfony's JsonResponse",
    language: 'PHP',
    layouts: [COMPACT],
    strings: [PHP_FOR_HTML],
    numbers: PHP_NUMBERS,
    parsedNumbers: PHP_PARSED,
    orders: KEPT,
  },
  {
    name: "Go's encoding/json",
    language: 'Go',
    layouts: [COMPACT, ...ONE_A_LINE],
    strings: [GO_STRINGS, OLD_GO_STRINGS, PHP_UNESCAPED_BOTH, JAVASCRIPT_STRINGS],
    numbers: [asWritten, shortest, ...DECIMALS],
    parsedNumbers: [shortest, asWritten],
    orders: [sorted, originalOrder],
  },
  {
    name: "Java's Jackson",
    language: 'Java',
    layouts: [COMPACT, jacksonPretty(), jacksonPretty(WINDOWS)],
    strings: [JACKSON_STRINGS, JACKSON_ASCII],
    numbers: JAVA_NUMBERS,
    parsedNumbers: [javaNumber, asWritten],
    orders: [originalOrder, sorted],
  },
  {
    name: "Java's Gson",
    language: 'Java',
    layouts: [COMPACT, indented('  ')],
    strings: [GSON_STRINGS, PHP_UNESCAPED_BOTH, JAVASCRIPT_STRINGS],
    numbers: JAVA_NUMBERS,
    parsedNumbers: [asWritten, javaNumber, javaDouble],
    orders: KEPT,
  },
  {
    name: "Java's org.json",
    language: 'Java',
    layouts: [COMPACT, indented('  '), indented('    ')],
    strings: [ORG_JSON_STRINGS],
    numbers: [asWritten, shortest, ...DECIMALS],
    parsedNumbers: [shortest, asWritten],
    orders: KEPT,
  },
  {
    name: ".NET's System.Text.Json",
    language: 'C#',
    layouts: DOTNET_LAYOUTS,
    strings: [DOTNET_STRINGS, DOTNET_RELAXED],
    numbers: [asWritten, shortest, ...DECIMALS],
    parsedNumbers: [asWritten, shortest],
    orders: KEPT,
  },
  {
    name: ".NET's Newtonsoft.Json",
    language: 'C#',
    layouts: DOTNET_LAYOUTS,
    strings: [NEWTONSOFT_STRINGS],
    numbers: [asWritten, ...FLOATS, ...DECIMALS],
    parsedNumbers: [pythonNumber, asWritten],
    orders: KEPT,
  },
  {
    name: "Ruby's JSON.generate or Rails",
    language: 'Ruby',
    layouts: [COMPACT, indented('  ')],
    strings: [JAVASCRIPT_STRINGS, PHP_UNESCAPED_UNICODE, GO_STRINGS],
    numbers: [asWritten, ...FLOATS],
    parsedNumbers: [pythonNumber, asWritten],
    orders: KEPT,
  },
  {
    name: 'the JSON columns of PostgreSQL or MySQL',
    language: 'database',
    layouts: [SPACED],
    strings: [JAVASCRIPT_STRINGS],
    numbers: [asWritten, ...DECIMALS],
    parsedNumbers: [asWritten, pythonNumber],
    orders: [shorterFirst],
  },
  {
    name: 'a formatter or an editor',
    language: 'editor',
    layouts: [' ', '  ', '   ', '    ', '\t']
      .flatMap((indent) => [indented(indent), indented(indent, WINDOWS)])
      .concat(PADDED, PADDED_WIDE),
    strings: [JAVASCRIPT_STRINGS, PYTHON_ASCII, PHP_STRINGS],
    numbers: [asWritten, shortest, ...DECIMALS],
    parsedNumbers: [asWritten, shortest, pythonNumber],
    orders: [originalOrder, sorted],
  },
]
