import { type JsonTree, readJsonTree } from './jsonTree.ts'

/** The key under which an object or array that was parsed has the literals of its numbers, by their names; a copy with `{...object}` has it too. */
const LITERALS = Symbol('the numbers as they were written')
/**
 * Notes in a value that was parsed from a text how those of its numbers are written that JavaScript would write in another way, such as `10.50`,
 * 9007199254740993 or `1e400`.
 */
export function noteLiterals(value: unknown, text: string): void {
  const tree = readJsonTree(text)
  if (tree !== undefined) note(value, tree)
}

function note(value: unknown, tree: JsonTree): void {
  if (typeof value !== 'object' || value === null) return
  const literals = new Map<string, string>()
  for (const [name, member] of membersIn(tree)) {
    if (member.kind === 'number') {
      if (JSON.stringify(Number(member.literal)) === member.literal) literals.delete(name)
      else literals.set(name, member.literal)
    } else note(Reflect.get(value, name), member)
  }
  if (literals.size > 0) Object.defineProperty(value, LITERALS, { value: literals, enumerable: true })
}

function membersIn(tree: JsonTree): [string, JsonTree][] {
  if (tree.kind === 'array') return tree.items.map((item, place) => [String(place), item])
  return tree.kind === 'object' ? tree.members.map(({ name, value }) => [name, value]) : []
}

/** `JSON.stringify` that writes numbers as they came, as far as {@link noteLiterals} noted them and they have not been changed since. */
export function exactJson(value: unknown, indent = 0): string {
  return markedJson(value, indent, '#') ?? JSON.stringify(value, null, indent)
}

/** JSON in which literals are strings behind a mark until all is written; undefined if there are none. The mark grows until no other string begins with it. */
function markedJson(value: unknown, indent: number, mark: string): string | undefined {
  let count = 0
  const json = JSON.stringify(
    value,
    function (this: unknown, name: string, member: unknown) {
      const literal = typeof member === 'number' ? literalOf(this, name) : undefined
      if (literal === undefined || !Object.is(Number(literal), member)) return member
      count += 1
      return mark + literal
    },
    indent,
  )
  if (count === 0) return undefined
  const marked = json.split(`"${mark}`).length - 1
  return marked === count
    ? json.replace(new RegExp(`"${mark}([^"]*)"`, 'g'), '$1')
    : markedJson(value, indent, `${mark}#`)
}

function literalOf(holder: unknown, name: string): string | undefined {
  if (typeof holder !== 'object' || holder === null) return undefined
  const literals: unknown = Reflect.get(holder, LITERALS)
  return literals instanceof Map ? literals.get(name) : undefined
}
