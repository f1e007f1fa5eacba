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

/** The names of columns that an object gives, which are translated where they are shown: its `header`, or the `name` of a field, which has a `meaning`. */
function declaredTexts({ type, properties }: Node): (readonly [text: string, start: unknown])[] {
  if (type !== 'ObjectExpression' || !Array.isArray(properties)) return []
  const texts = new Map<unknown, readonly [text: string, start: unknown]>()
  const names: unknown[] = []
  for (const { key, value } of properties.filter(isNode)) {
    const name = isNode(key) ? key.name : undefined
    names.push(name)
    if (isNode(value) && value.type === 'Literal' && typeof value.value === 'string') {
      texts.set(name, [value.value, value.start])
    }
  }
  const declared = ['shortHeader']
  // The name of a property is not known where another object is spread: it has no key here.
  if (names.includes('path') || names.includes(undefined)) declared.push('header')
  if (names.includes('path') && names.includes('meaning')) declared.push('name')
  return declared.flatMap((name) => {
    const text = texts.get(name)
    return text === undefined ? [] : [text]
  })
}
