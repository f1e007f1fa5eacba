import {
  bestColumn,
  fitsAny,
  headingForms,
  headingsOf,
  isOtherUnit,
  type Meaning,
  netBeforeGross,
} from '../pix/tableWords.ts'
import { shellWord } from '../text/shellWord.ts'
import { nearest } from '../text/suggest.ts'
import { t } from '../text/translate.ts'
import { UsageError } from '../wire/errors.ts'
import { bytesOf, type FileContent, type NamedInput, readContent } from './fileContent.ts'
import {
  brokenFault,
  type CellFault,
  columnNames,
  type FileHeader,
  type HeaderFinder,
  type HeaderPlace,
  placeOf,
  quotedList,
  type TableRecord,
  unknownColumn,
} from './tableRecords.ts'

/** What is read of a table, what it must have, and how sure it must be. */
export interface TableSpec {
  /** What the fields mean, whose headings they have besides their own names. A column belongs to the first field that its heading fits. */
  fields: Readonly<Record<string, readonly Meaning[]>>
  /** By a field: what a heading may mean as well, if no other column is the field. */
  orElse?: Readonly<Record<string, Meaning>>
  /**
   * By a field: what the heading of a second column may mean, beside that of the first, in which the field may be as well; the first of these that one
   * column alone can be has the place of the field that {@link secondOf} names.
   */
  second?: Readonly<Record<string, (forms: readonly string[]) => readonly Meaning[]>>
  /** Of each of these groups the table must have a column; messages name the first of a group. */
  needed: readonly (readonly [string, ...string[]])[]
  /**
   * Which column is a field that `--map` does not name. `only`: the one with its name or a word for it, if there is no other. `sure`: the one with its
   * name, else the only one with a word for it. `best`: the one with the best heading, and a guess will do.
   */
  choice: 'only' | 'sure' | 'best'
  /** The field that is shown and never sent, so that the best column is taken; one that `--map` gives to it is no other field. */
  shownOnly?: string
  /** The field that holds what a row pays or returns. */
  amount?: string
  /** True if whole rows are kept, so that no two columns may have one name. */
  keepsRows?: true
  /** Words in headings that may be those of the fields, for hints. */
  hints?: Readonly<Record<string, RegExp>>
  /** By a field: the one in whose column it may be as well, for hints. */
  orIn?: Readonly<Record<string, string>>
  /** What `--map` says of this table. */
  typed?: Mapping
  /** The columns that are not to be used. */
  ignored?: readonly string[]
  /** The places of columns that are not what their headings say, as their cells tell. */
  misnamed?: ReadonlySet<number>
}

/** Which column of the file holds which field, as `--map key=chave,value=valor` says. */
export type Mapping = ReadonlyMap<string, string>

/** The columns of a table. */
export interface TableColumns extends FileHeader {
  /** The columns of a field that several could be, so that which of them is meant would be a guess. */
  unclear: ReadonlyMap<string, readonly string[]>
}

/** Reads `--map key=chave,value=valor`, given once or more often. Throws UsageError for text of another form, and for an unknown field. */
export function readMapping(typed: readonly string[], { fields, needed }: TableSpec): Mapping {
  const mapping = new Map<string, string>()
  const names = Object.keys(fields)
  // A column's name may hold a comma, but hardly one with a word and `=` behind it.
  for (const pair of typed.flatMap((text) => text.split(/,(?=\s*\w+\s*=)/))) {
    const [, name = '', column = ''] = /^\s*(\w+)\s*=(.*)$/s.exec(pair) ?? []
    if (column.trim() === '') {
      throw new UsageError(t`\`--map ${pair.trim()}\` is not a field and a column`, {
        hint: t`Write it like \`--map ${needed[0]?.[0] ?? ''}=name of the column\``,
      })
    }
    const field = names.find((each) => isSameHeading(each, name))
    if (field === undefined) throw unknownField(name, names)
    if (mapping.has(field)) {
      throw new UsageError(t`\`--map\` names two columns for \`${field}\``, { hint: t`Name only one column` })
    }
    mapping.set(field, column.trim())
  }
  return mapping
}

function unknownField(name: string, fields: readonly string[]): UsageError {
  const [near] = nearest(name, fields)
  const fieldList = quotedList(fields)
  return new UsageError(t`\`--map\`: there is no field \`${name}\``, {
    hint:
      near === undefined
        ? t`Choose from the fields ${fieldList}`
        : t`Did you mean \`${near}\`? The fields are ${fieldList}`,
  })
}

/**
 * Finds the fields in the cells of a header: the columns that were typed, and for every other field the one whose heading says so. A column that is typed,
 * ignored or has the name of another field is left to that.
 */
export function readColumns(cells: readonly string[], spec: TableSpec): TableColumns {
  const { fields, orElse = {}, choice, shownOnly = '', typed = new Map<string, string>(), ignored = [] } = spec
  const names = cells.map((cell) => cell.trim())
  const shown = columnNames(names)
  const headings = names.map(headingForms)
  const at = (column: string) => placeOf(column.trim(), shown)
  const own = new Map(Object.keys(fields).map((field) => [field, placeOf(field, names)]))
  const onlyShown = at(typed.get(shownOnly) ?? '')
  const taken = new Set([...[...typed.values(), ...ignored].map(at), ...(spec.misnamed ?? [])])

  /** The places of the columns that may be a field. */
  function candidates(field: string, meanings: readonly Meaning[]): number[] {
    const patterns = headingsOf(meanings, choice === 'best')
    const named = [own.get(field) ?? -1].filter((place) => place !== -1 && place !== onlyShown)
    const others = new Set([...taken, ...[...own].flatMap(([each, place]) => (each === field ? [] : [place]))])
    if (choice === 'best' || field === shownOnly) {
      const best = bestColumn(headings, patterns, others)
      return best === -1 ? named : [best]
    }
    if (choice === 'sure' && named.length > 0) return named
    const fits = (place: number, words: readonly RegExp[]) =>
      !others.has(place) && fitsAny(headings[place] ?? [], words)
    const found = [...names.keys()].filter((place) => named.includes(place) || fits(place, patterns))
    const other = orElse[field]
    if (found.length > 0 || other === undefined) return found
    return [...names.keys()].filter((place) => fits(place, headingsOf([other], false)))
  }

  /** The place of the second column of a field. */
  function second(field: string, first: number): number | undefined {
    const typedSecond = typed.get(secondOf(field))
    if (typedSecond !== undefined) return at(typedSecond)
    const others = new Set([...taken, ...own.values()])
    const meanings = spec.second?.[field]?.(headings[first] ?? []) ?? []
    const found = meanings.map((meaning) =>
      [...names.keys()].filter(
        (place) => !others.has(place) && fitsAny(headings[place] ?? [], headingsOf([meaning], false)),
      ),
    )
    return found.find(({ length }) => length === 1)?.[0]
  }

  const places = new Map<string, number>()
  const unclear = new Map<string, readonly string[]>()
  for (const [field, meanings] of Object.entries(fields)) {
    const column = typed.get(field)
    const found = column === undefined ? candidates(field, meanings) : [at(column)]
    const [place = -1] = found
    if (place === -1) continue
    places.set(field, place)
    taken.add(place)
    const other = second(field, place)
    if (other !== undefined) {
      places.set(secondOf(field), other)
      taken.add(other)
    }
    // The same name twice is a fault of its own.
    const different = withoutRepeated(found.flatMap((each) => (each === other ? [] : (shown[each] ?? ''))))
    if (different.length > 1) unclear.set(field, different)
  }
  return { names, places, unclear }
}

const SECOND = ' (2)'

/** The name of a field in its second column. */
export function secondOf(field: string): string {
  return field + SECOND
}

/** The field of a column, which may be its second one. */
export function fieldOf(name: string): string {
  return name.endsWith(SECOND) ? name.slice(0, -SECOND.length) : name
}

/** True for a heading that a column of the table may have. */
export function isKnownColumn(name: string, { fields, orElse = {}, choice, typed = new Map() }: TableSpec): boolean {
  const meanings = [...Object.values(fields).flat(), ...Object.values(orElse)]
  return (
    [...typed.values(), ...Object.keys(fields)].some((known) => isSameHeading(known, name)) ||
    fitsAny(headingForms(name), headingsOf(meanings, choice === 'best'))
  )
}

/** True if two headings differ at most in case and in the spaces around them. */
export function isSameHeading(one: string, other: string): boolean {
  return one.trim().toLowerCase() === other.trim().toLowerCase()
}

function withoutRepeated(names: readonly string[]): string[] {
  return names.filter((name, place) => names.findIndex((each) => isSameHeading(each, name)) === place)
}

function missingFields({ places }: FileHeader, { needed }: TableSpec): string[] {
  return needed.filter((group) => !group.some((field) => places.has(field))).map(([field]) => field)
}

/** True if columns are all that a table must have, and those that `--map` names. */
export function isCompleteHeader(columns: TableColumns, spec: TableSpec): boolean {
  const hasTyped = [...(spec.typed?.keys() ?? [])].every((field) => columns.places.has(field))
  return hasTyped && missingFields(columns, spec).length === 0
}

/** The number of records in which a header is looked for: offices and banks write titles above it. */
export const SOUGHT_RECORDS = 50

/** Finds the header among the first records of a table: the first that has all columns, else the one that is most like it, for the error. */
export function findHeader(records: readonly TableRecord[], spec: TableSpec): HeaderPlace {
  let best = { index: 0, likeness: 0 }
  for (const [index, { cells }] of records.slice(0, SOUGHT_RECORDS).entries()) {
    const columns = readColumns(cells, spec)
    if (isCompleteHeader(columns, spec)) return { index, isComplete: true }
    const likeness = cells.some(isData) ? 0 : likenessOf(columns, spec)
    if (likeness > best.likeness) best = { index, likeness }
  }
  return { index: best.index, isComplete: false }
}

/** True for what no heading is, beside an example in brackets: an e-mail address, an amount with its decimals, a number as long as a key. */
function isData(cell: string): boolean {
  return /@\S+\.\w|\d[.,]\d\d\s*$|^\s*R\$\s*\d|\d(?:[./ -]?\d){9}/.test(cell.replace(/\(.*?\)/g, ''))
}

/** How much cells look like a header: by fields, then by words, then by the number of names. */
function likenessOf({ names, places }: TableColumns, { hints = {} }: TableSpec): number {
  const words = Object.values(hints).filter((hint) => names.some((name) => hint.test(name)))
  return places.size * 1e8 + words.length * 1e6 + names.filter((name) => name !== '').length
}

/** The header of a table, and the records above it, which are not read. */
export interface HeaderRecord {
  record: TableRecord
  above: readonly TableRecord[]
}

/** Finds the record with the header; undefined if it is not there. Throws UsageError for what cannot be read above it. */
export async function headerRecord(
  { records }: Pick<FileContent, 'records'>,
  finder: HeaderFinder,
): Promise<HeaderRecord | undefined> {
  const first: TableRecord[] = []
  for await (const record of records()) {
    if ('cells' in record) first.push(record)
    else if (!finder.place(first).isComplete) {
      throw new UsageError(t`The header cannot be read: ${record.message}`, {
        faults: [brokenFault(record)],
        hint: t`Correct line ${record.line}`,
      })
    }
    if (first.length >= finder.records) break
  }
  const { index } = finder.place(first)
  const record = first[index]
  return record === undefined ? undefined : { record, above: first.slice(0, index) }
}

/** What a file in memory holds, of which a table is expected. Throws UsageError for a file that is none, and Cancelled. */
export function readTable(
  { bytes, ...input }: NamedInput,
  spec: TableSpec,
  finder?: HeaderFinder,
): Promise<FileContent> {
  const isKnown = (name: string) => isKnownColumn(name, spec)
  return readContent(bytesOf(bytes), { ...input, isKnown, findHeader: finder })
}

/**
 * A fault for each name that occurs twice, for each field that several columns could be, and for a column that is needed and missing. Throws UsageError for a
 * column of `--map` that is missing.
 */
export function headerFaults({ names, places, unclear }: TableColumns, spec: TableSpec, record: TableRecord) {
  const { line, row } = record
  const fault = (column: string, message: string): CellFault => ({ row, line, column, message })
  for (const field of Object.keys(spec.fields)) {
    const column = spec.typed?.get(field)
    if (column !== undefined && !places.has(field)) throw unknownColumn(`--map ${field}=${column}`, column, names)
  }
  const kept = spec.keepsRows ? names : [...places.values()].map((place) => names[place] ?? '')
  const isKept = (name: string) => name !== '' && kept.some((each) => isSameHeading(each, name))
  const isFirst = (name: string, place: number) => names.findIndex((each) => isSameHeading(each, name)) === place
  const repeated = names.filter((name, place) => isKept(name) && !isFirst(name, place))
  return [
    ...repeated.map((name) => fault(name, t`The header has the column \`${name}\` more than once`)),
    ...[...unclear].map(([field, columns]) =>
      fault(columns[0] ?? '', t`Several columns could be \`${field}\`: ${quotedList(columns)}`),
    ),
    ...missingFields({ names, places }, spec).map((field) =>
      fault(field, t`The header has no column \`${field}\`: its columns are ${quotedList(names)}`),
    ),
  ]
}

/** Throws UsageError if a header has faults, with `hint` if it is given, else with what to type for a field that has no column, or several. */
export function assertHeader(
  columns: TableColumns,
  spec: TableSpec,
  record: TableRecord,
  words: { hint?: string; missing?: string; repeated?: string; details?: readonly string[] } = {},
): void {
  const faults = headerFaults(columns, spec, record)
  const [first] = faults
  if (first === undefined) return
  if (missingFields(columns, spec).length > 0 && record.cells.some(isData)) throw withoutHeader(record, spec)
  const message = faults.length === 1 ? first.message : t`The header of the file has ${faults.length} faults`
  const { missing = mappingHint(columns, spec), repeated = repeatedHint(), details = [] } = words
  const unmissed = columns.unclear.size > 0 ? unclearHint(columns, spec) : repeated
  const likelyHint = missingFields(columns, spec).length > 0 ? missing : unmissed
  throw new UsageError(message, { details, faults, hint: words.hint ?? likelyHint })
}

function withoutHeader({ line }: TableRecord, { needed }: TableSpec): UsageError {
  const names = needed.map(([field]) => field).join(',')
  return new UsageError(t`The file has no line with the names of its columns: line ${line} holds a key or an amount`, {
    hint: t`Write such a line above it, with one name for each column of the rows, such as \`${names}\``,
  })
}

/** True for a line whose columns are parted by blanks alone; a decimal comma may have been taken for the separator. */
export function isForPrinter({ cells }: TableRecord): boolean {
  return cells.length < 4 && /\S {2,}\S.* {2,}\S/.test(cells[0] ?? '')
}

/** The error for a file of such lines. */
export function forPrinter(): UsageError {
  return new UsageError(
    t`The columns of the text are parted by blanks only, as for a printer, so it is not certain where each begins`,
    { hint: t`Export it as CSV, OFX or Excel instead` },
  )
}

/** Throws UsageError if the heading of one of these fields says that its amounts are not in reais. */
export function assertInReais({ names, places }: FileHeader, fields: readonly string[]): void {
  const name = fields.map((field) => names[places.get(field) ?? -1] ?? '').find(isOtherUnit)
  if (name === undefined) return
  throw new UsageError(t`The amounts of the column \`${name}\` are not in reais`, {
    hint: t`Write them in reais, below a heading without another unit`,
  })
}

/** What to do with a column that is there twice. */
export function repeatedHint(): string {
  return t`Give each of these columns a unique name, then run the command again`
}

/** What to type if several columns could be the amount. None of them is proposed, because one that is only copied may pay too much. */
export function severalAmountsHint(field: string, columns: readonly string[]): string {
  return t`Choose the amount from ${quotedList(netBeforeGross(columns))}: name it with \`--map ${shellWord(`${field}=…`)}\`, and each other one with \`--ignore-column\``
}

/** What to type so that each field has one column: one of them for `--map`, the others for `--ignore-column`. */
function unclearHint({ unclear }: TableColumns, { amount = '' }: TableSpec): string {
  const amounts = unclear.get(amount)
  if (amounts !== undefined) return severalAmountsHint(amount, amounts)
  const pairs = [...unclear.keys()].map((field) => `${field}=…`)
  const columns = quotedList([...unclear.values()].flat())
  return t`Choose from ${columns}: name it with \`--map ${shellWord(pairs.join(','))}\`, and each other one with \`--ignore-column\``
}

/** The columns that seem to hold a field that the header does not name, the likeliest first. Columns at the places `except` do not count. */
export function likelyColumns(
  { names, places }: FileHeader,
  { hints = {} }: TableSpec,
  field: string,
  except: ReadonlySet<number> = new Set(),
): readonly string[] {
  const taken = new Set([...places.values(), ...except])
  const free = names.filter((name, place) => name !== '' && !taken.has(place))
  const lower = new Map(free.map((name) => [name.toLowerCase(), name]))
  const near = nearest(field.toLowerCase(), [...lower.keys()]).flatMap((name) => lower.get(name) ?? [])
  return [...new Set([...near.slice(0, 1), ...free.filter((name) => hints[field]?.test(name))])]
}

/** What to type so that each needed field has a column. `amountColumns` are those whose cells are amounts; those at the places `except` do not count. */
export function mappingHint(
  columns: TableColumns,
  spec: TableSpec,
  amountColumns: readonly string[] = [],
  except?: ReadonlySet<number>,
): string {
  const missing = missingFields(columns, spec)
  const otherUnit = columns.names.find(isOtherUnit)
  const likelyAmounts = [...likelyColumns(columns, spec, spec.amount ?? '', except), ...amountColumns]
  const amounts = [...new Set(likelyAmounts)].filter((name) => !isOtherUnit(name))
  if (amounts.length === 0 && otherUnit !== undefined && missing.includes(spec.amount ?? '')) {
    return t`Write the amounts of the column \`${otherUnit}\` in reais, below a heading without another unit`
  }
  const pairs = Object.keys(spec.fields).flatMap((field) => {
    const isAmount = field === spec.amount
    if (columns.places.has(field) || !(isAmount || missing.includes(field))) return []
    const other = columns.places.get(spec.orIn?.[field] ?? '')
    const [likely = columns.names[other ?? -1]] = likelyColumns(columns, spec, field, except)
    const column = isAmount ? (amounts.length === 1 ? amounts[0] : undefined) : likely
    // Without its column of amounts a file of refunds would return every payment in full.
    const isNeeded = missing.includes(field) || (isAmount && amounts.length > 0)
    return isNeeded ? [`${field}=${column ?? '…'}`] : []
  })
  const word = shellWord(pairs.join(','))
  const isAmountMissing = spec.amount !== undefined && !columns.places.has(spec.amount)
  if (!isAmountMissing || amounts.length < 2) return t`Say which columns these are: \`--map ${word}\``
  return t`Choose the amount from ${quotedList(netBeforeGross(amounts))}, and write it in place of \`…\`: \`--map ${word}\``
}
