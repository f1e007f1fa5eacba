import { t } from '../text/translate.ts'
import { unescaped } from './sharedStrings.ts'
import { UnsafeXml, type XmlHandler } from './xmlReader.ts'

/** A sheet of a workbook. */
export interface WorkbookSheet {
  name: string
  /** The part of the archive that holds its cells; null if it has none, such as a chart. */
  part: string | null
  /** True if the spreadsheet does not show it. */
  isHidden: boolean
}

const SHEETS_MAX = 1000

/** The parts to which the part `xl/_rels/workbook.xml.rels` refers. */
export class Relationships implements XmlHandler {
  /** The parts of sheets by the ids of their relationships. */
  readonly sheets = new Map<string, string>()
  sharedStrings: string | undefined
  styles: string | undefined

  open(name: string, attributes: () => ReadonlyMap<string, string>): void {
    if (name !== 'Relationship') return
    const read = attributes()
    const [id, target, type = ''] = [read.get('Id'), read.get('Target'), read.get('Type')]
    if (id === undefined || target === undefined) return
    const kind = type.slice(type.lastIndexOf('/relationships/') + '/relationships/'.length)
    if (kind === 'worksheet') this.sheets.set(id, partOf(target))
    else if (kind === 'sharedStrings') this.sharedStrings = partOf(target)
    else if (kind === 'styles') this.styles = partOf(target)
    if (this.sheets.size > SHEETS_MAX) throw tooManySheets()
  }
}

/** The sheets of a workbook in their order, from the part `xl/workbook.xml`. */
export class SheetList implements XmlHandler {
  readonly sheets: WorkbookSheet[] = []
  /** True if its dates count from 1904 instead of 1900. */
  countsFrom1904 = false
  readonly #parts: ReadonlyMap<string, string>

  constructor({ sheets }: Relationships) {
    this.#parts = sheets
  }

  open(tag: string, attributes: () => ReadonlyMap<string, string>): void {
    if (tag === 'workbookPr') this.countsFrom1904 = isTrue(attributes().get('date1904'))
    if (tag !== 'sheet') return
    const read = attributes()
    const name = unescaped(read.get('name') ?? '')
    if (name === '') return
    const part = this.#parts.get(read.get('id') ?? '') ?? null
    if (part !== null && this.sheets.some((sheet) => sheet.part === part)) {
      throw new UnsafeXml(t`two of its sheets have the same cells`)
    }
    this.sheets.push({ name, part, isHidden: (read.get('state') ?? 'visible') !== 'visible' })
    if (this.sheets.length > SHEETS_MAX) throw tooManySheets()
  }
}

/** True for an attribute that says yes. */
export function isTrue(value: string | undefined): boolean {
  return value === '1' || value === 'true'
}

function tooManySheets(): UnsafeXml {
  return new UnsafeXml(t`it has more than ${SHEETS_MAX} sheets`)
}

/** The path of a part in the archive; targets are relative to the workbook unless they begin with a slash. */
function partOf(target: string): string {
  return target.startsWith('/') ? target.slice(1) : `xl/${target}`
}
