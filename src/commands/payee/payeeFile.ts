import { readKey, readKeyTypeWord, readOwner } from '../../batch/keyCells.ts'
import { TRANSFER_HEADINGS } from '../../batch/knownHeadings.ts'
import { headingOf } from '../../pix/columnHeading.ts'
import { Malformed } from '../../pix/malformed.ts'
import type { KeyType } from '../../pix/pixKey.ts'
import { bytesOf, type NamedInput, readContent } from '../../spreadsheet/fileContent.ts'
import { columnNames, type FileHeader, quotedList } from '../../spreadsheet/header.ts'
import { RowCells } from '../../spreadsheet/rowCells.ts'
import type { CellFault, TableRecord } from '../../spreadsheet/table.ts'
import { t } from '../../text/translate.ts'
import { UsageError } from '../../wire/errors.ts'
import { parseDisplayName, parsePayeeName } from './payeeValues.ts'

/** A payee as a line of a file has it; undefined is what the file has no column for. */
export interface PayeeRow {
  name: string
  key: string
  keyType: KeyType
  documentValidation: string | null | undefined
  displayName: string | null | undefined
  /** Where it is, for faults that are found later. */
  cells: RowCells
}

/** The payees of a file, and what is wrong in it, with line and column. */
export interface PayeeFile {
  rows: readonly PayeeRow[]
  faults: readonly CellFault[]
  /** Sentences that a person should read. */
  remarks: readonly string[]
}

const FIELDS = ['name', 'key', 'typeKey', 'owner', 'displayName'] as const
type Field = (typeof FIELDS)[number]
const REQUIRED: readonly Field[] = ['name', 'key']

/** What people call the columns, and what `payee list -o csv` calls them, as `headingOf` gives it. */
const HEADINGS: Readonly<Record<Field, RegExp | undefined>> = {
  name: /^(?:payee|favorecido|apelido)$/,
  key: TRANSFER_HEADINGS.key,
  typeKey: /^(?:keytype|tipo(?: (?:d[ea] )?chave)?(?: (?:d[oe] )?pix)?)$/,
  owner: TRANSFER_HEADINGS.documentValidation,
  displayName: /^(?:display name|nome(?: completo)?|razao social)$/,
}
/** The columns of `payee list -o csv` that say what only the ledger knows. */
const KNOWN_BY_LEDGER: readonly string[] = ['state', 'changedat', 'changedby']
/** What lists write in place of a part of a key or document. */
const MASK = '**'

/**
 * Reads the payees of a CSV or a workbook. Every fault of a line is collected, one in the header is thrown: UsageError, also for what is neither of them.
 */
export async function readPayeeFile({ bytes, ...input }: NamedInput): Promise<PayeeFile> {
  const isKnown = (name: string) => FIELDS.some((field) => isColumnOf(field, name))
  const content = await readContent(bytesOf(bytes), { ...input, isKnown })
  const rows: PayeeRow[] = []
  const faults: CellFault[] = []
  let header: FileHeader | undefined
  for await (const record of content.records()) {
    if ('message' in record) {
      const { row, line, place, message } = record
      faults.push({ row, line, column: header?.names[place] ?? `#${place + 1}`, message })
    } else if (header === undefined) header = readHeader(record)
    else {
      const cells = new RowCells(record, header)
      const payee = cells.isRagged ? undefined : readPayee(cells, header)
      if (payee === undefined) faults.push(...cells.faults)
      else rows.push(payee)
    }
  }
  return { rows, faults, remarks: [...content.remarks, ...unusedRemark(header)] }
}

function isColumnOf(field: Field, name: string): boolean {
  return name.trim().toLowerCase() === field.toLowerCase() || HEADINGS[field]?.test(headingOf(name)) === true
}

/** Throws UsageError for a field that no column, or more than one, holds. */
function readHeader({ cells, line, row }: TableRecord): FileHeader {
  const names = cells.map((cell) => cell.trim())
  const shown = columnNames(names)
  const places = new Map<string, number>()
  const faults: CellFault[] = []
  for (const field of FIELDS) {
    const found = [...names.keys()].filter((place) => isColumnOf(field, names[place] ?? ''))
    const [place] = found
    const columns = quotedList(found.map((each) => shown[each] ?? ''))
    if (place !== undefined) places.set(field, place)
    if (found.length > 1) {
      faults.push({ row, line, column: field, message: t`Several columns could be \`${field}\`: ${columns}` })
    } else if (place === undefined && REQUIRED.includes(field)) {
      const message = t`The header has no column \`${field}\`: its columns are ${quotedList(names)}`
      faults.push({ row, line, column: field, message })
    }
  }
  const [first] = faults
  if (first === undefined) return { names, places }
  throw new UsageError(faults.length === 1 ? first.message : t`The header of the file has ${faults.length} faults`, {
    details: [t`Nothing was changed`],
    faults,
    hint: t`Write the header as \`name,key,typeKey,owner,displayName\`; only \`name\` and \`key\` are required`,
  })
}

function readPayee(cells: RowCells, { places }: FileHeader): PayeeRow | undefined {
  const name = cells.readText('name', (text) => {
    if (text === '') throw new Malformed(t`The name is empty`, t`Write the name of the payee`)
    return parsePayeeName(text)
  })
  const declared = cells.readOptional('typeKey', readKeyTypeWord)
  const found = cells.read('key', (text) => {
    assertNotMasked(text)
    const read = readKey(text, declared ?? null)
    if (read.keyType === 'paymentCode') {
      throw new Malformed(t`A payment code pays one bill, so it is no payee`, t`Use the PIX key of the receiver`)
    }
    return read
  })
  const owner = cells.readOptional('owner', (text) => {
    assertNotMasked(text)
    return readOwner(text)
  })
  const displayName = cells.raw('displayName').trim() === '' ? null : cells.readText('displayName', parseDisplayName)
  if (cells.faults.length > 0 || name === undefined || found === undefined) return undefined
  return {
    name,
    ...found,
    documentValidation: places.has('owner') ? owner : undefined,
    displayName: places.has('displayName') ? displayName : undefined,
    cells,
  }
}

/** A list shows keys and documents in part, and what is left of an e-mail address can still be one. */
function assertNotMasked(text: string): void {
  if (!text.includes(MASK)) return
  throw new Malformed(t`\`${text}\` is masked`, t`Write the list again with \`pixgate payee list --unmask -o csv\``)
}

function unusedRemark(header: FileHeader | undefined): string[] {
  if (header === undefined) return []
  const used = new Set(header.places.values())
  const unused = header.names.filter(
    (name, place) => name !== '' && !used.has(place) && !KNOWN_BY_LEDGER.includes(name.toLowerCase()),
  )
  return unused.length === 0 ? [] : [t`Columns that are not read: ${quotedList(unused)}`]
}
