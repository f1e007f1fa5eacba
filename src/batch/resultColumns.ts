import type { Mapping } from '../spreadsheet/header.ts'
import { foldedText } from '../text/foldedText.ts'
import { currentLanguage } from '../text/translate.ts'
import type { Outcome } from '../wire/errors.ts'

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

type ResultColumn = typeof LINE_COLUMN | (typeof RESULT_COLUMNS)[number]

/** The words of a results file for people who read Portuguese. Files with them exist, so they stay as they are; none is a heading that a batch may have. */
const IN_PORTUGUESE = {
  columns: {
    line: 'Linha no arquivo',
    externalId: 'Id externo da linha',
    idTransaction: 'Id no gateway',
    outcome: 'Resultado do envio',
    status: 'Status no gateway',
    errorCode: 'Código do erro',
    message: 'Por que falhou',
    sentAt: 'Enviado em',
  },
  outcomes: {
    accepted: 'aceito',
    'accepted-before': 'já aceito antes',
    refused: 'recusado',
    unknown: 'resultado desconhecido',
    'not-sent': 'não enviado',
  },
} as const satisfies { columns: Readonly<Record<ResultColumn, string>>; outcomes: Readonly<Record<Outcome, string>> }

const ADDED: ReadonlySet<string> = new Set([LINE_COLUMN, ...RESULT_COLUMNS].map((name) => name.toLowerCase()))
const PORTUGUESE_COLUMNS: ReadonlyMap<string, string> = new Map(
  Object.entries(IN_PORTUGUESE.columns).map(([name, heading]) => [foldedText(heading), name]),
)
const PORTUGUESE_OUTCOMES: ReadonlyMap<string, string> = new Map(
  Object.entries(IN_PORTUGUESE.outcomes).map(([outcome, word]) => [foldedText(word), outcome]),
)
/** Without these a file is not taken for one of results, whatever else it has. */
const REQUIRED = ['externalId', 'idTransaction', 'outcome']
const RENAMED = 'input.'

/**
 * The names in the header of a results file, in the language of the texts. A column of the input that has the name of one of the results in any
 * language is called `input.…`, so that no name occurs twice and the file can be read again.
 */
export function resultsHeaderNames(columns: readonly string[]): string[] {
  const taken = new Set<string>()
  const names = columns.map((column) => {
    let name = column
    while (name !== '' && (isAddedName(name) || taken.has(name.toLowerCase()))) name = `${RENAMED}${name}`
    taken.add(name.toLowerCase())
    return name
  })
  const shown = (name: ResultColumn) => (isPortuguese() ? IN_PORTUGUESE.columns[name] : name)
  return [shown(LINE_COLUMN), ...names, ...RESULT_COLUMNS.map(shown)]
}

/** An outcome in a results file, in the language of the texts. */
export function resultsOutcome(outcome: Outcome): string {
  return isPortuguese() ? IN_PORTUGUESE.outcomes[outcome] : outcome
}

/** The cells of the header of a results file with the English names of its columns, in whose language it is read; those of any other record unchanged. */
export function resultsHeaderInEnglish<Cells extends readonly string[]>(cells: Cells): Cells | string[] {
  const names = cells.map((cell) => PORTUGUESE_COLUMNS.get(foldedText(cell)))
  return REQUIRED.every((name) => names.includes(name)) ? cells.map((cell, place) => names[place] ?? cell) : cells
}

/** The outcome that the cell of a results file in any language says; the cell itself if it says none. */
export function readOutcome(cell: string): string {
  const text = cell.trim()
  return PORTUGUESE_OUTCOMES.get(foldedText(text)) ?? text
}

function isPortuguese(): boolean {
  return currentLanguage() === 'pt-BR'
}

/** True for what results files call one of their own columns, in any language. */
function isAddedName(name: string): boolean {
  return ADDED.has(name.toLowerCase()) || PORTUGUESE_COLUMNS.has(foldedText(name))
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
  if (!REQUIRED.every((name) => lower.includes(name.toLowerCase()))) return null
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
  return isAddedName(rest.replace(/^(?:input\.)+/, '')) ? rest : name
}
