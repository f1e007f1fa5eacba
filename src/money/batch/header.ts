import { nearest } from '../../text/suggest.ts'
import { t } from '../../text/words.ts'
import { UsageError } from '../../wire/errors.ts'
import type { Fault } from './rowCells.ts'

/** The names under which a row of a kind is read; all are matched without regard to case. */
export interface FieldNames {
  all: readonly string[]
  required: readonly string[]
}

/** What a file's header says: its names, trimmed, and at which place each field stands. */
export interface Header {
  names: readonly string[]
  places: ReadonlyMap<string, number>
}

/** Which column of the file holds which field: `--map key=chave,value=valor`. */
export type Mapping = ReadonlyMap<string, string>

/** What people call the fields, so that a hint can name the column. */
const OTHER_NAMES: Readonly<Record<string, RegExp>> = {
  key: /chave|pix|favorecido/i,
  value: /valor|amount|quantia|montante|total/i,
  amount: /valor|value|quantia|montante|total/i,
  typeKey: /tipo/i,
  originalTransactionId: /transa|transfer|original|e2e|\bid\b/i,
  refundReason: /motivo|reason|raz[aã]o/i,
  documentValidation: /documento?|cpf|cnpj/i,
  callbackUrl: /callback|webhook/i,
}

/** Reads `--map key=chave,value=valor`, given once or more often. Throws UsageError for what is none, or another field. */
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
      throw new UsageError(t`\`--map\` names two columns for \`${field}\``, { hint: t`Name the one that counts` })
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
      near === undefined ? t`The fields are ${fieldList}` : t`Did you mean \`${near}\`? The fields are ${fieldList}`,
  })
}

/**
 * Finds the fields in a file's header. Throws UsageError with a fault for each name that stands there twice, and where a
 * column that is needed or that `--map` names is not there.
 */
export function readHeader(cells: readonly string[], line: number, fields: FieldNames, mapping: Mapping): Header {
  const names = cells.map((cell) => cell.trim())
  const places = new Map<string, number>()
  for (const field of fields.all) {
    const column = mapping.get(field)
    const place = placeOf(column ?? field, names)
    if (place !== -1) places.set(field, place)
    else if (column !== undefined) throw unknownColumn(field, column, names)
  }
  const faults = [...repeatedNames(names, line), ...missingFields(names, line, fields, places)]
  if (faults.length === 0) return { names, places }
  const [first] = faults
  throw new UsageError(
    faults.length === 1 && first !== undefined ? first.message : t`The header of the file has ${faults.length} faults`,
    { faults, hint: mappingHint(names, fields, places) },
  )
}

/** The columns that are carried along though their names look like fields that the file does not have. */
export function mistakenColumns({ names, places }: Header, fields: FieldNames): { column: string; field: string }[] {
  const taken = new Set(places.values())
  const missing = fields.all.filter((field) => !places.has(field))
  return names.flatMap((column, place) => {
    if (taken.has(place) || column === '') return []
    const lower = column.toLowerCase()
    const field = missing.find((each) => nearest(lower, [each.toLowerCase()]).length > 0)
    return field === undefined ? [] : [{ column, field }]
  })
}

/** The column that seems to hold a field which the header does not name; undefined where none does. */
export function likelyColumn({ names, places }: Header, field: string): string | undefined {
  const taken = new Set(places.values())
  const free = names.filter((name, place) => name !== '' && !taken.has(place))
  const lower = new Map(free.map((name) => [name.toLowerCase(), name]))
  const [near] = nearest(field.toLowerCase(), [...lower.keys()])
  if (near !== undefined) return lower.get(near)
  return free.find((name) => OTHER_NAMES[field]?.test(name))
}

function placeOf(column: string, names: readonly string[]): number {
  const exact = names.indexOf(column)
  return exact === -1 ? names.findIndex((name) => name.toLowerCase() === column.toLowerCase()) : exact
}

function unknownColumn(field: string, column: string, names: readonly string[]): UsageError {
  const near = nearest(column, names)
  return new UsageError(t`\`--map ${field}=${column}\`: the file has no column \`${column}\``, {
    hint: near.length > 0 ? t`Did you mean ${listed(near)}?` : t`Its columns are ${listed(names)}`,
  })
}

function repeatedNames(names: readonly string[], line: number): Fault[] {
  const lower = names.map((name) => name.toLowerCase())
  const repeated = names.filter((name, place) => name !== '' && lower.indexOf(name.toLowerCase()) < place)
  return repeated.map((column) => ({
    line,
    column,
    message: t`The header has the column \`${column}\` more than once`,
  }))
}

function missingFields(
  names: readonly string[],
  line: number,
  fields: FieldNames,
  places: ReadonlyMap<string, number>,
): Fault[] {
  return fields.required
    .filter((field) => !places.has(field))
    .map((column) => ({
      line,
      column,
      message: t`The header has no column \`${column}\`: its columns are ${listed(names)}`,
    }))
}

function mappingHint(names: readonly string[], fields: FieldNames, places: ReadonlyMap<string, number>): string {
  const missing = fields.required.filter((field) => !places.has(field))
  if (missing.length === 0) return t`Give each column a name of its own`
  const pairs = missing.map((field) => `${field}=${likelyColumn({ names, places }, field) ?? '…'}`)
  return t`Say which columns these are: \`--map "${pairs.join(',')}"\``
}

function listed(names: readonly string[]): string {
  return names.map((name) => `\`${name}\``).join(', ')
}
