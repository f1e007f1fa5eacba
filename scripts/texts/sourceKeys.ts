import { parseAst } from 'rolldown/parseAst'

/** A text for people in a source file. */
export interface SourceKey {
  /** The English text, with `{0}`, `{1}`, … for the values of a template. */
  key: string
  line: number
  /** True for a template outside of any function: it would be made before the language is known. */
  isAtLoad: boolean
}

type Node = Readonly<Record<string, unknown>>

/** All texts for people in a module, in their order: templates of `t` and `declared`, and the names of columns. Texts without a letter are the same everywhere. */
export function sourceKeys(code: string): SourceKey[] {
  const found: SourceKey[] = []
  const add = (key: string, start: unknown, isAtLoad: boolean) => {
    if (!/\p{L}/u.test(key.replace(/\{\d+\}/g, ''))) return
    found.push({ key, line: code.slice(0, Number(start)).split('\n').length, isAtLoad })
  }
  visit(parseAst(code, { lang: 'ts' }), false)
  return found

  function visit(value: unknown, isInFunction: boolean): void {
    if (Array.isArray(value)) {
      for (const each of value) visit(each, isInFunction)
      return
    }
    if (!isNode(value)) return
    if (isTag(value, 't')) add(templateKey(value.quasi), value.start, !isInFunction)
    if (isTag(value, 'declared')) add(templateKey(value.quasi), value.start, false)
    for (const [key, start] of declaredTexts(value)) add(key, start, false)
    const isInside = isInFunction || isFunction(value)
    for (const child of Object.values(value)) visit(child, isInside)
  }
}

function isNode(value: unknown): value is Node {
  return typeof value === 'object' && value !== null
}

function isFunction({ type }: Node): boolean {
  return /Function/.test(String(type)) || type === 'PropertyDefinition'
}

function isTag({ type, tag }: Node, name: string): boolean {
  return type === 'TaggedTemplateExpression' && isNode(tag) && tag.name === name
}

function templateKey(template: unknown): string {
  if (!isNode(template) || !Array.isArray(template.quasis)) throw new Error('a template has no parts')
  return template.quasis.reduce(
    (text: string, { value: { cooked } }, index) => (index === 0 ? cooked : `${text}{${index - 1}}${cooked}`),
    '',
  )
}

/** The functions that make a field, whose first argument is the name of a column. */
const FIELD_MAKERS: readonly unknown[] = ['field', 'own']

/** The names of columns, which are translated where they are shown: those of fields, and the `header` of an object. */
function declaredTexts({ type, callee, arguments: given, properties }: Node): Literal[] {
  if (isNode(callee) && FIELD_MAKERS.includes(callee.name) && Array.isArray(given)) return literalIn(given[0])
  if (type !== 'ObjectExpression' || !Array.isArray(properties)) return []
  const values = new Map<unknown, unknown>(
    properties.filter(isNode).map(({ key, value }) => [isNode(key) ? key.name : undefined, value]),
  )
  // The name of a property is not known where another object is spread: it has no key here.
  const hasHeader = values.has('path') || values.has(undefined)
  return ['shortHeader', ...(hasHeader ? ['header'] : [])].flatMap((name) => literalIn(values.get(name)))
}

type Literal = readonly [text: string, start: unknown]

function literalIn(value: unknown): Literal[] {
  if (!isNode(value) || value.type !== 'Literal' || typeof value.value !== 'string') return []
  return [[value.value, value.start]]
}
