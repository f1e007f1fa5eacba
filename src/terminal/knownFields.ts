import { nearest } from '../text/suggest.ts'
import { t, translated } from '../text/translate.ts'
import { isObject } from '../wire/answers.ts'
import { UsageError } from '../wire/errors.ts'

/** What `--fields` is compared with. */
export interface KnownFields {
  columns: readonly NamedColumn[]
  more?: readonly NamedColumn[]
  paths?: readonly string[]
}

/** How a column can be named. */
export interface NamedColumn {
  path: string
  /** Its name above the table; the last name of the path unless given. */
  header?: string
}

/** The name of a column above the table. */
function headerOf({ header, path }: NamedColumn): string {
  return header ?? path.split('.').at(-1) ?? path
}

/** The same in the language of people. */
export function shownHeader(column: NamedColumn): string {
  return translated(headerOf(column))
}

/** The column with a path, a header, or a key at the end of its path: scripts name `errorMessage` for `pixgate.errorMessage`, too. */
export function namedColumn<Named extends NamedColumn>(columns: readonly Named[], name: string): Named | undefined {
  return (
    columns.find(({ path }) => path === name) ??
    columns.find((column) => headerOf(column) === name || shownHeader(column) === name) ??
    columns.find(({ path }) => path.endsWith(`.${name}`))
  )
}

/** The paths of the values in a document; arrays are one value. */
export function pathsIn(document: unknown, prefix = ''): string[] {
  if (!isObject(document)) return []
  return Object.entries(document).flatMap(([name, value]) => [prefix + name, ...pathsIn(value, `${prefix}${name}.`)])
}

/** The failure of a field that no column and no path is. */
export function unknownField(name: string, columns: readonly NamedColumn[], paths: readonly string[]): UsageError {
  const known = [...new Set([...columns.map(shownHeader), ...columns.map(({ path }) => path), ...paths])]
  const [near] = nearest(name, known)
  return new UsageError(t`\`--fields\`: there is no field \`${name}\``, {
    details: [t`Known fields: ${known.join(', ')}`],
    hint: near === undefined ? t`Choose from the known fields` : t`Did you mean \`${near}\`?`,
  })
}
