import {
  COMPACT,
  indented,
  type JsonLayout,
  jacksonPretty,
  type LeafWriter,
  layOut,
  PADDED,
  PADDED_WIDE,
  SPACED,
} from './jsonLayouts.ts'
import {
  asWritten,
  forMoney,
  javaDouble,
  javaNumber,
  type NumberStyle,
  phpLongNumber,
  phpNumber,
  pythonFloat,
  pythonNumber,
  shortest,
  twoDecimals,
} from './jsonNumbers.ts'
import { type MemberOrder, originalOrder, reorder, shorterFirst, sorted, withoutRepeats } from './jsonOrders.ts'
import {
  DOTNET_RELAXED,
  DOTNET_STRINGS,
  GO_STRINGS,
  GSON_STRINGS,
  JACKSON_ASCII,
  JACKSON_STRINGS,
  JAVASCRIPT_STRINGS,
  NEWTONSOFT_STRINGS,
  OLD_GO_STRINGS,
  ORG_JSON_STRINGS,
  PHP_FOR_HTML,
  PHP_STRINGS,
  PHP_UNESCAPED_BOTH,
  PHP_UNESCAPED_SLASHES,
  PHP_UNESCAPED_UNICODE,
  PYTHON_ASCII,
  type StringStyle,
  writeString,
} from './jsonStrings.ts'
import { type JsonTree, readJsonTree, writeJsonTree } from './jsonTree.ts'

/** The language of a program that parsed JSON and wrote it again; `database` and `editor` for those that are no language. */
export type WriterLanguage = 'JavaScript' | 'Python' | 'PHP' | 'Go' | 'Java' | 'C#' | 'Ruby' | 'database' | 'editor'

/** What makes JSON of JSON that it has parsed, and every way in which it may do so. */
interface JsonWriter {
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

const LEAF = /"(?:[^"\\]|\\.)*"|-?\d[\d.eE+-]*/g
const NOTHING: LeafWriter = { text: () => '', number: () => '' }

/**
 * All writers that make exactly this text of the original after parsing it; empty if none of those that are known does, or if the text is no JSON.
 * Several may write alike, so only a single language is known to be the one.
 */
export function writersOf(original: JsonTree, text: string): NamedWriter[] {
  const json = text.replace(/^\uFEFF/, '').replace(/[\r\n]+$/, '')
  const tree = readJsonTree(json)
  if (tree === undefined) return []
  const parsed = reorder(original, withoutRepeats)
  const skeleton = json.replace(LEAF, '')
  const strings = json.match(LEAF)?.filter((leaf) => leaf.startsWith('"')) ?? []
  const hasLayout = remembered((layout: JsonLayout) => layOut(tree, layout, NOTHING) === skeleton)
  const hasStrings = remembered((style: StringStyle) =>
    strings.every((leaf) => writeString(String(JSON.parse(leaf)), style) === leaf),
  )
  const arranged = remembered((order: MemberOrder) => reorder(parsed, order))
  const hasMembers = remembered((order: MemberOrder) => withoutNumbers(arranged(order)) === withoutNumbers(tree))
  const numbers = numbersIn(tree, asWritten)
  return WRITERS.filter(
    (writer) =>
      writer.layouts.some(hasLayout) &&
      writer.strings.some(hasStrings) &&
      writer.orders.some(
        (order) =>
          hasMembers(order) && writer.parsedNumbers.some((style) => numbersIn(arranged(order), style) === numbers),
      ),
  ).map(({ name, language }) => ({ name, language }))
}

function remembered<Key, Value>(compute: (key: Key) => Value): (key: Key) => Value {
  const known = new Map<Key, Value>()
  return (key) => {
    const before = known.get(key)
    if (before !== undefined) return before
    const value = compute(key)
    known.set(key, value)
    return value
  }
}

/** The names and strings of a tree in order, whatever its numbers are. */
function withoutNumbers(tree: JsonTree): string {
  return layOut(tree, COMPACT, { text: (text) => writeJsonTree({ kind: 'string', text }), number: () => '0' })
}

function numbersIn(tree: JsonTree, style: NumberStyle): string {
  const write = (literal: string, name: string) => (Number.isFinite(Number(literal)) ? style(literal, name) : literal)
  return layOut(tree, COMPACT, { text: () => '', number: write })
}
