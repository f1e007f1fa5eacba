import type { JsonTree } from './jsonTree.ts'

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
export const PADDED: JsonLayout = { ...SPACED, padding: ' ' }
/** `{ "a" : 1, "b" : 2 }` */
export const PADDED_WIDE: JsonLayout = { ...PADDED, colon: ' : ' }

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

/** Writes the leaves of a tree. `name` is the name of the member that holds the number; empty if none. */
export interface LeafWriter {
  text(text: string): string
  number(literal: string, name: string): string
}

/** Writes a tree as JSON in this layout. */
export function layOut(tree: JsonTree, layout: JsonLayout, leaves: LeafWriter): string {
  const { comma, colon, padding, indent, lineEnd } = layout

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
          (member) => leaves.text(member.name) + colon + write(member.value, member.name, depth + 1),
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
        return leaves.text(node.text)
      case 'number':
        return leaves.number(node.literal, name)
      case 'word':
        return node.word
    }
  }

  return write(tree, '', 0)
}
