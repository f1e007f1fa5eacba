import { createHash } from 'node:crypto'
import type { JsonTree } from '../wire/jsonTree.ts'
import {
  COMPACT,
  type JsonLayout,
  type JsonWriter,
  layOut,
  type NamedWriter,
  type NumberStyle,
  originalOrder,
  reorder,
  type StringStyle,
  shorterFirst,
  sorted,
  specificationOrder,
  WRITERS,
  withoutRepeats,
  writeJsonTree,
  writeString,
} from '../wire/jsonWriters.ts'

const ORDERS = [originalOrder, specificationOrder, sorted, shorterFirst]
const ENDS = ['', '\n', '\r\n']

interface Way {
  layout: JsonLayout
  strings: StringStyle
  numbers: NumberStyle
}

/**
 * Generates every distinct text that these writers make of a tree, likely ones first: in all member orders, with
 * repeated names kept or collapsed, with and without a line break at the end.
 */
export function* writtenForms(tree: JsonTree, writers: readonly JsonWriter[] = WRITERS): Generator<string> {
  const arrangements = [tree, reorder(tree, withoutRepeats)].flatMap((each) =>
    ORDERS.map((order) => reorder(each, order)),
  )
  const ways = writers.flatMap((writer) => waysOf(writer, writer.numbers))
  for (const each of distinct(arrangements, writeJsonTree)) {
    const layoutOf = digestOf((layout: JsonLayout) => layOut(each, layout, { text: () => '', number: () => '' }))
    const stringsOf = digestOf((style: StringStyle) =>
      layOut(each, COMPACT, { text: (text) => writeString(text, style), number: () => '' }),
    )
    const numbersOf = digestOf((style: NumberStyle) =>
      layOut(each, COMPACT, { text: () => '', number: withinDoubles(style) }),
    )
    const outcomeOf = ({ layout, strings, numbers }: Way) => layoutOf(layout) + stringsOf(strings) + numbersOf(numbers)
    for (const way of distinct(ways, outcomeOf)) {
      const text = write(each, way)
      for (const end of ENDS) yield text + end
    }
  }
}

/**
 * All writers that make exactly this text of the original after parsing it; empty if none of those that are known does.
 * Several may write alike, so only a single language is known to be the one.
 */
export function writersOf(original: JsonTree, text: string): NamedWriter[] {
  const json = text.replace(/^\uFEFF/, '').replace(/[\r\n]+$/, '')
  const parsed = reorder(original, withoutRepeats)
  return WRITERS.filter((writer) => {
    const ways = waysOf(writer, writer.parsedNumbers)
    return writer.orders.some((order) => {
      const tree = reorder(parsed, order)
      return ways.some((way) => write(tree, way) === json)
    })
  }).map(({ name, language }) => ({ name, language }))
}

function waysOf({ layouts, strings }: Pick<JsonWriter, 'layouts' | 'strings'>, numbers: readonly NumberStyle[]): Way[] {
  return layouts.flatMap((layout) =>
    strings.flatMap((style) => numbers.map((number) => ({ layout, strings: style, numbers: number }))),
  )
}

function write(tree: JsonTree, { layout, strings, numbers }: Way): string {
  return layOut(tree, layout, { text: (text) => writeString(text, strings), number: withinDoubles(numbers) })
}

/** Leaves numbers that are too large for a double unchanged, because serialisers do not agree on them. */
function withinDoubles(style: NumberStyle): NumberStyle {
  return (literal, name) => (Number.isFinite(Number(literal)) ? style(literal, name) : literal)
}

/** The first of all that have the same outcome. */
function distinct<Value>(values: readonly Value[], outcomeOf: (value: Value) => string): Iterable<Value> {
  const firsts = new Map<string, Value>()
  for (const value of values) {
    const outcome = outcomeOf(value)
    if (!firsts.has(outcome)) firsts.set(outcome, value)
  }
  return firsts.values()
}

/** Computes the digest of what a style makes of a tree, once for each style: the texts themselves would take much memory. */
function digestOf<Style>(textOf: (style: Style) => string): (style: Style) => string {
  const known = new Map<Style, string>()
  return (style) => {
    const digest = known.get(style) ?? createHash('sha256').update(textOf(style)).digest('base64')
    known.set(style, digest)
    return digest
  }
}
