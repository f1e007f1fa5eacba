import { nearest } from '../text/suggest.ts'
import { t } from '../text/translate.ts'
import { UsageError } from '../wire/errors.ts'

/** The names under which a row of a kind is read; all are matched without regard to case. */
export interface FieldNames {
  all: readonly string[]
  required: readonly string[]
  /** By a required one: the one that may be there in its place. */
  insteadOf?: Readonly<Record<string, string>>
  /** The one that holds what a row pays or returns. */
  amount?: string
  /** Those that are shown and never sent. */
  shownOnly?: readonly string[]
  /** The headings by which people know the fields, as `headingOf` gives them. */
  headings?: Readonly<Record<string, RegExp>>
  /** Words in headings that may be those of the fields, for hints. */
  otherNames?: Readonly<Record<string, RegExp>>
}

/** A file's header: its names, trimmed, and the place of each field. */
export interface FileHeader {
  names: readonly string[]
  places: ReadonlyMap<string, number>
}

/** Which column of the file holds which field, as `--map key=chave,value=valor` says. */
export type Mapping = ReadonlyMap<string, string>

/** Reads `--map key=chave,value=valor`, given once or more often. Throws UsageError for text of another form, and for an unknown field. */
export function readMapping(typed: readonly string[], fields: FieldNames): Mapping {
  const mapping = new Map<string, string>()
  // A column's name may hold a comma, but hardly one with a word and `=` behind it.
  for (const pair of typed.flatMap((text) => text.split(/,(?=\s*\w+\s*=)/))) {
    const [, name = '', column = ''] = /^\s*(\w+)\s*=(.*)$/s.exec(pair) ?? []
    if (column.trim() === '') {
      throw new UsageError(t`\`--map ${pair.trim()}\` is not a field and a column`, {
        hint: t`Write it like \`--map ${fields.required[0] ?? ''}=name of the column\``,
      })
    }
    const field = fields.all.find((each) => each.toLowerCase() === name.toLowerCase())
    if (field === undefined) throw unknownField(name, fields)
    if (mapping.has(field)) {
      throw new UsageError(t`\`--map\` names two columns for \`${field}\``, { hint: t`Name only one column` })
    }
    mapping.set(field, column.trim())
  }
  return mapping
}

function unknownField(name: string, fields: FieldNames): UsageError {
  const [near] = nearest(name, fields.all)
  const fieldList = fields.all.map((field) => `\`${field}\``).join(', ')
  return new UsageError(t`\`--map\`: there is no field \`${name}\``, {
    hint:
      near === undefined
        ? t`Choose from the fields ${fieldList}`
        : t`Did you mean \`${near}\`? The fields are ${fieldList}`,
  })
}

/** True if a field is there, or the one that may be there in its place. */
export function hasField({ insteadOf }: FieldNames, field: string, isThere: (field: string) => boolean): boolean {
  const other = insteadOf?.[field]
  return isThere(field) || (other !== undefined && isThere(other))
}

/** The fields of which each row has at least one, that says to where it goes. */
export function targetFields({ required, insteadOf }: FieldNames): string[] {
  const [target = ''] = required
  return [target, ...(insteadOf?.[target] === undefined ? [] : [insteadOf[target]])]
}

/** The names of a header and the places of the fields in it. A column that `mapping` only shows is no other field. Throws UsageError for a column of `--map` that is missing. */
export function findFields(cells: readonly string[], fields: FieldNames, mapping: Mapping): FileHeader {
  const names = cells.map((cell) => cell.trim())
  const places = new Map<string, number>()
  const shown = (fields.shownOnly ?? []).map((field) => placeOf(mapping.get(field) ?? '', columnNames(names)))
  for (const field of fields.all) {
    const column = mapping.get(field)
    const place = column === undefined ? placeOf(field, names) : placeOf(column, columnNames(names))
    const isOnlyShown = column === undefined && shown.includes(place)
    if (place !== -1 && !isOnlyShown) places.set(field, place)
    else if (column !== undefined) throw unknownColumn(`--map ${field}=${column}`, column, names)
  }
  return { names, places }
}

/** What the columns are called in messages, `--map` and `--ignore-column`: by their number if they have no name. */
export function columnNames(names: readonly string[]): string[] {
  return names.map((name, place) => (name === '' ? `#${place + 1}` : name))
}

/** The place of the column with a name, without regard to case unless two differ only in it; -1 if there is none. */
export function placeOf(column: string, names: readonly string[]): number {
  const exact = names.indexOf(column)
  return exact === -1 ? names.findIndex((name) => name.toLowerCase() === column.toLowerCase()) : exact
}

/** The error for an option that names a column which the file does not have. */
export function unknownColumn(option: string, column: string, names: readonly string[]): UsageError {
  const near = nearest(column, names)
  return new UsageError(t`\`${option}\`: the file has no column \`${column}\``, {
    hint: near.length > 0 ? t`Did you mean ${quotedList(near)}?` : t`Choose from its columns ${quotedList(names)}`,
  })
}

/** Names of columns in backticks, with commas. */
export function quotedList(names: readonly string[]): string {
  return names.map((name) => `\`${name}\``).join(', ')
}
