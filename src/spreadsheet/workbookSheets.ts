import { openingTags } from './xmlTags.ts'

/** A sheet of a workbook. */
export interface WorkbookSheet {
  name: string
  /** The part of the archive that holds its cells; null if it has none, such as a chart. */
  part: string | null
  /** True if the spreadsheet does not show it. */
  isHidden: boolean
}

/** What of a sheet the spreadsheet does not show: hidden, filtered out, in a collapsed group, or too small to be seen. */
export interface HiddenParts {
  /** The numbers of rows, from 1. */
  rows: ReadonlySet<number>
  /** The places of columns, from 0. */
  columns: ReadonlySet<number>
}

/** The sheets of a workbook in their order, from its parts `xl/workbook.xml` and `xl/_rels/workbook.xml.rels`. */
export function workbookSheets(book: string, relationships: string): WorkbookSheet[] {
  const parts = new Map<string, string>()
  for (const tag of openingTags(relationships, ['Relationship'])) {
    const attributes = tag.attributes()
    const [id, target] = [attributes.get('Id'), attributes.get('Target')]
    const isWorksheet = attributes.get('Type')?.endsWith('/relationships/worksheet') === true
    if (id !== undefined && target !== undefined && isWorksheet) parts.set(id, partOf(target))
  }
  return [...openingTags(book, ['sheet'])].flatMap((tag) => {
    const attributes = tag.attributes()
    const name = attributes.get('name') ?? ''
    // The reader counts sheets in the same way.
    if (name === '') return []
    const state = attributes.get('state') ?? 'visible'
    return [{ name, part: parts.get(attributes.get('id') ?? '') ?? null, isHidden: state !== 'visible' }]
  })
}

/** In points: a row that is lower shows nothing of its cells. */
const HEIGHT_MIN = 1
/** In characters: a column that is narrower shows nothing of its cells. */
const WIDTH_MIN = 0.2

/**
 * Finds what is hidden in a sheet, among its first `width` columns. Filters and collapsed groups mark each row and column as hidden, too. `zeroHeight` hides only rows without
 * cells, so it is ignored.
 */
export function findHiddenParts(sheet: string, width: number): HiddenParts {
  const rows = new Set<number>()
  const columns: { first: number; last: number; isHidden: boolean }[] = []
  let [defaultHeight, defaultWidth]: (string | undefined)[] = []
  let row = 0
  /** True of a hidden row without a number, which its first cell tells. */
  let isNumberMissing = false
  for (const tag of openingTags(sheet, ['sheetFormatPr', 'col', 'row', 'c'])) {
    if (tag.name === 'c') {
      if (!isNumberMissing) continue
      rows.delete(row)
      row = Number(/\d+$/.exec(tag.attributes().get('r') ?? '')?.[0] ?? row)
      rows.add(row)
      isNumberMissing = false
      continue
    }
    const attributes = tag.attributes()
    const isMarked = ['1', 'true'].includes(attributes.get('hidden') ?? '')
    if (tag.name === 'sheetFormatPr') {
      defaultHeight = attributes.get('defaultRowHeight')
      defaultWidth = attributes.get('defaultColWidth')
    } else if (tag.name === 'col') {
      const isHidden = isMarked || isBelow(attributes.get('width') ?? defaultWidth, WIDTH_MIN)
      columns.push({ first: Number(attributes.get('min')), last: Number(attributes.get('max')), isHidden })
    } else {
      const number = Number(attributes.get('r') ?? 0)
      const isNumbered = number > 0
      row = isNumbered ? number : row + 1
      const isHidden = isMarked || isBelow(attributes.get('ht') ?? defaultHeight, HEIGHT_MIN)
      if (isHidden) rows.add(row)
      isNumberMissing = isHidden && !isNumbered
    }
  }
  const places = Array.from({ length: width }, (_, place) => place)
  const hiddenPlaces = places.filter((place) => {
    const column = columns.find(({ first, last }) => first <= place + 1 && place + 1 <= last)
    return column?.isHidden ?? isBelow(defaultWidth, WIDTH_MIN)
  })
  return { rows, columns: new Set(hiddenPlaces) }
}

function isBelow(size: string | undefined, least: number): boolean {
  return size !== undefined && size.trim() !== '' && Number(size) < least
}

/** The path of a part in the archive; targets are relative to the workbook unless they begin with a slash. */
function partOf(target: string): string {
  return target.startsWith('/') ? target.slice(1) : `xl/${target}`
}
