import type { ChalkInstance } from 'chalk'
import { maskTaxDocument } from '../../pix/taxDocument.ts'
import { safeJson, safeLines } from '../../text/safeText.ts'
import { type JsonTree, readJsonTree } from '../../wire/jsonTree.ts'
import { maskEmail, maskText } from '../personalData.ts'

/** How a body is shown. */
export interface BodyLayout {
  style: ChalkInstance
  /** Shows tax documents, phone numbers and e-mail addresses unmasked. */
  unmask: boolean
}

const INDENT = '  '

/** A webhook's body as lines. JSON is indented, but keeps its number formats, order and repeated keys. */
export function bodyLines(body: Buffer, { style, unmask }: BodyLayout): string[] {
  const text = body.toString('utf8')
  const tree = readJsonTree(text.replace(/^\uFEFF/, ''))
  if (tree === undefined) return safeLines(unmask ? text : maskText(text))
  return indentedJson(unmask ? tree : maskTree(tree, ''), '', style).split('\n')
}

/** Indented JSON; dangerous characters are written as JSON escapes. */
function indentedJson(tree: JsonTree, indent: string, style: ChalkInstance): string {
  const inner = indent + INDENT
  switch (tree.kind) {
    case 'object': {
      if (tree.members.length === 0) return '{}'
      const members = tree.members.map(
        ({ name, value }) => `${inner}${style.cyan(quoteJson(name))}: ${indentedJson(value, inner, style)}`,
      )
      return `{\n${members.join(',\n')}\n${indent}}`
    }
    case 'array': {
      if (tree.items.length === 0) return '[]'
      return `[\n${tree.items.map((item) => inner + indentedJson(item, inner, style)).join(',\n')}\n${indent}]`
    }
    case 'string':
      return quoteJson(tree.text)
    case 'number':
      return tree.literal
    case 'word':
      return tree.word
  }
}

function quoteJson(text: string): string {
  return safeJson(JSON.stringify(text))
}

/** Masks personal data in a tree. `name` is the name of the member that holds the value or its list. */
function maskTree(tree: JsonTree, name: string): JsonTree {
  switch (tree.kind) {
    case 'object':
      return {
        kind: 'object',
        members: tree.members.map((member) => ({ name: member.name, value: maskTree(member.value, member.name) })),
      }
    case 'array':
      return { kind: 'array', items: tree.items.map((item) => maskTree(item, name)) }
    case 'string':
      return { kind: 'string', text: maskedText(tree.text, name) }
    case 'number':
      return isTaxDocumentName(name) ? { kind: 'string', text: maskTaxDocument(tree.literal) } : tree
    case 'word':
      return tree
  }
}

function maskedText(text: string, name: string): string {
  if (isTaxDocumentName(name)) return text === '' ? '' : maskTaxDocument(text)
  if (/e-?mail$/i.test(name)) return maskEmail(text)
  if (/phone|telefone|celular/i.test(name)) return '***'
  return isIdName(name) ? text : maskText(text)
}

/** Ids are never masked, because they are needed for look-ups; some consist of digits only. */
function isIdName(name: string): boolean {
  return /^id|(?:I|_i)d$/.test(name)
}

function isTaxDocumentName(name: string): boolean {
  return /tax_?(?:id|number|document)|cpf|cnpj|^document/i.test(name)
}
