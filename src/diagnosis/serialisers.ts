import { type JsonTree, writeJsonTree } from '../wire/jsonTree.ts'
import {
  COMPACT,
  type JsonLayout,
  type LeafWriter,
  layOut,
  type NumberStyle,
  originalOrder,
  reorder,
  type StringStyle,
  shorterFirst,
  sorted,
  specificationOrder,
  WRITERS,
  withoutRepeats,
  writeString,
} from '../wire/jsonWriters.ts'

interface WrittenForm {
  text: string
  serialisers: readonly [string, ...string[]]
}

const ORDERS = [originalOrder, specificationOrder, sorted, shorterFirst]
const ENDS = ['', '\n', '\r\n']

/**
 * Generates every distinct text that the serialisers write for a tree, likely ones first: in all member orders, with
 * repeated names kept or collapsed, with and without a line break at the end.
 */
export function* writtenForms(tree: JsonTree): Generator<WrittenForm> {
  const texts = new Leaves()
  for (const each of arrangementsOf(tree)) {
    for (const { layout, strings, numbers, serialisers } of waysFor(each, texts)) {
      const text = layOut(each, layout, texts.writer(strings, numbers))
      for (const end of ENDS) yield { text: text + end, serialisers }
    }
  }
}

function arrangementsOf(tree: JsonTree): Iterable<JsonTree> {
  const kept = ORDERS.map((order) => reorder(tree, order))
  const alone = ORDERS.map((order) => reorder(reorder(tree, withoutRepeats), order))
  return byOutcome([...kept, ...alone], writeJsonTree).values()
}

interface Way {
  layout: JsonLayout
  strings: StringStyle
  numbers: NumberStyle
  serialisers: [string, ...string[]]
}

/** The distinct combinations of styles for a tree; those that give the same text are merged. */
function waysFor(tree: JsonTree, texts: Leaves): Iterable<Way> {
  const classOfLayout = classes((layout: JsonLayout) => layOut(tree, layout, { text: () => '', number: () => '' }))
  const classOfStrings = classes((style: StringStyle) => texts.textsOf(tree, style))
  const classOfNumbers = classes((style: NumberStyle) => numbersOf(tree, style))
  const ways = new Map<string, Way>()
  for (const { name, ...serialiser } of WRITERS) {
    for (const layout of serialiser.layouts) {
      for (const strings of serialiser.strings) {
        for (const numbers of serialiser.numbers) {
          const key = `${classOfLayout(layout)} ${classOfStrings(strings)} ${classOfNumbers(numbers)}`
          const known = ways.get(key)
          if (known === undefined) ways.set(key, { layout, strings, numbers, serialisers: [name] })
          else if (!known.serialisers.includes(name)) known.serialisers.push(name)
        }
      }
    }
  }
  return ways.values()
}

/** Assigns a class number to each style; styles with the same result share a number. */
function classes<Style>(outcomeOf: (style: Style) => string): (style: Style) => number {
  const known = new Map<Style, number>()
  const outcomes = new Map<string, number>()
  return (style) => {
    const before = known.get(style)
    if (before !== undefined) return before
    const outcome = outcomeOf(style)
    const number = outcomes.get(outcome) ?? outcomes.size
    outcomes.set(outcome, number)
    known.set(style, number)
    return number
  }
}

function byOutcome<Value>(values: readonly Value[], outcomeOf: (value: Value) => string): Map<string, Value> {
  const first = new Map<string, Value>()
  for (const value of values) {
    const outcome = outcomeOf(value)
    if (!first.has(outcome)) first.set(outcome, value)
  }
  return first
}

class Leaves {
  readonly #written = new Map<StringStyle, Map<string, string>>()

  writer(strings: StringStyle, numbers: NumberStyle): LeafWriter {
    return {
      text: (text) => this.#text(text, strings),
      number: (literal, name) => writeNumber(literal, name, numbers),
    }
  }

  /** All the strings of the tree as this style writes them. */
  textsOf(tree: JsonTree, style: StringStyle): string {
    return layOut(tree, COMPACT, { text: (text) => this.#text(text, style), number: () => '' })
  }

  #text(text: string, style: StringStyle): string {
    let written = this.#written.get(style)
    if (written === undefined) {
      written = new Map()
      this.#written.set(style, written)
    }
    const known = written.get(text) ?? writeString(text, style)
    written.set(text, known)
    return known
  }
}

function numbersOf(tree: JsonTree, style: NumberStyle): string {
  return layOut(tree, COMPACT, { text: () => '', number: (literal, name) => writeNumber(literal, name, style) })
}

/** Leaves numbers that are too large for a double unchanged, because serialisers do not agree on them. */
function writeNumber(literal: string, name: string, style: NumberStyle): string {
  return Number.isFinite(Number(literal)) ? style(literal, name) : literal
}
