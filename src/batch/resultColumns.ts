import type { Mapping } from '../spreadsheet/header.ts'

/** What a results file has before the columns of its input. */
const LINE_COLUMN = 'line'
/** What it has behind them, in this order. */
export const RESULT_COLUMNS = [
  'externalId',
  'idTransaction',
  'outcome',
  'status',
  'errorCode',
  'message',
  'sentAt',
] as const
const ADDED: ReadonlySet<string> = new Set([LINE_COLUMN, ...RESULT_COLUMNS].map((name) => name.toLowerCase()))
/** Without these a file is not taken for one of results, whatever else it has. */
const REQUIRED = ['externalId', 'idTransaction', 'outcome'].map((name) => name.toLowerCase())
const RENAMED = 'input.'

/**
 * The names in the header of a results file. A column of the input that has the name of one of the results is called `input.…`, so that no
 * name occurs twice and the file can be read again.
 */
export function resultsHeaderNames(columns: readonly string[]): string[] {
  const taken = new Set(ADDED)
  const names = columns.map((column) => {
    let name = column
    while (name !== '' && taken.has(name.toLowerCase())) name = `${RENAMED}${name}`
    taken.add(name.toLowerCase())
    return name
  })
  return [LINE_COLUMN, ...names, ...RESULT_COLUMNS]
}

/** Where the columns of a results file are. */
export interface ResultPlaces {
  id: number
  outcome: number
  /** That of the ids that the input had itself; -1 if it had none. */
  inputId: number
  /** The places of all columns that pixgate added. */
  added: ReadonlySet<number>
}

/** The places of the columns that pixgate added, if a header is that of a results file; null for any other. */
export function resultPlaces(names: readonly string[], typed: Mapping): ResultPlaces | null {
  const lower = names.map((name) => name.toLowerCase())
  if (!REQUIRED.every((name) => lower.includes(name))) return null
  const typedId = typed.get('externalId')?.toLowerCase() ?? 'externalid'
  const inputId = lower.indexOf(typedId === 'externalid' ? `${RENAMED}externalid` : typedId)
  const added = lower.flatMap((name, place) => (ADDED.has(name) ? [place] : []))
  return {
    id: lower.indexOf('externalid'),
    outcome: lower.indexOf('outcome'),
    inputId,
    added: new Set(added),
  }
}

/** The columns that a file gives to its run: those of a results file are the ones of its input, under their own names. */
export interface CarriedColumns {
  columns: readonly string[]
  /** The places of the fields of the request among them. */
  fields: Readonly<Record<string, number>>
  /** Their places in the file. */
  places: readonly number[]
  /** The cells of a record in these columns. */
  cellsOf(cells: readonly string[]): readonly string[]
}

export function carriedColumns(
  names: readonly string[],
  places: ReadonlyMap<string, number>,
  results: ResultPlaces | null,
): CarriedColumns {
  if (results === null) {
    return { columns: names, fields: Object.fromEntries(places), places: [...names.keys()], cellsOf: (cells) => cells }
  }
  const kept = [...names.keys()].filter((place) => !results.added.has(place))
  const columns = kept.map((place) => inputName(names[place] ?? ''))
  const typedIds = columns.findIndex((name) => name.toLowerCase() === 'externalid')
  const fields = [...places].flatMap(([field, place]) => {
    const at = results.added.has(place) ? typedIds : kept.indexOf(place)
    return at === -1 ? [] : [[field, at] as const]
  })
  return {
    columns,
    fields: Object.fromEntries(fields),
    places: kept,
    cellsOf: (cells) => kept.map((place) => cells[place] ?? ''),
  }
}

/** The name that a column of a results file had in its input. */
function inputName(name: string): string {
  const rest = name.startsWith(RENAMED) ? name.slice(RENAMED.length) : name
  return ADDED.has(rest.replace(/^(?:input\.)+/, '').toLowerCase()) ? rest : name
}
