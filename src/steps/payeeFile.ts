import { readKeyIn, readOwner, readOwnerIn } from '../batch/paymentRows.ts'
import { Malformed } from '../pix/expectedError.ts'
import { readKeyTypeWord } from '../pix/keyTypeWords.ts'
import type { KeyType } from '../pix/pixKey.ts'
import { pairedDocument } from '../pix/tableWords.ts'
import type { NamedInput } from '../spreadsheet/fileContent.ts'
import { assertHeader, readColumns, readTable, type TableColumns, type TableSpec } from '../spreadsheet/tableHeader.ts'
import { brokenFault, type CellFault, type FileHeader, quotedList, RowCells } from '../spreadsheet/tableRecords.ts'
import { t } from '../text/translate.ts'
import { parseDisplayName, parsePayeeName } from './payeeBook.ts'

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

interface PayeeFile {
  rows: readonly PayeeRow[]
  faults: readonly CellFault[]
  /** Sentences that a person should read. */
  remarks: readonly string[]
}

const PAYEES: TableSpec = {
  fields: {
    name: ['payee', 'payeeInBook'],
    key: ['key'],
    typeKey: ['keyType'],
    owner: ['owner'],
    displayName: ['displayName'],
  },
  orElse: { owner: 'document' },
  second: { owner: pairedDocument },
  needed: [['name'], ['key']],
  choice: 'only',
}
/** The columns of `payee list -o csv` that say what only the ledger knows. */
const KNOWN_BY_LEDGER: readonly string[] = ['state', 'changedat', 'changedby']
/** What lists write in place of a part of a key or document. */
const MASK = '**'

/**
 * Reads the payees of a CSV or a workbook. Every fault of a line is collected, one in the header is thrown: UsageError, also for what is neither of them.
 */
export async function readPayeeFile(input: NamedInput): Promise<PayeeFile> {
  const rows: PayeeRow[] = []
  const faults: CellFault[] = []
  const content = await readTable(input, PAYEES)
  let columns: TableColumns | undefined
  for await (const record of content.records()) {
    if ('message' in record) faults.push(brokenFault(record, columns?.names))
    else if (columns === undefined) {
      columns = readColumns(record.cells, PAYEES)
      assertHeader(columns, PAYEES, record, {
        details: [t`Nothing was changed`],
        hint: t`Write the header as \`name,key,typeKey,owner,displayName\`; only \`name\` and \`key\` are required`,
      })
    } else {
      const cells = new RowCells(record, columns)
      const payee = cells.isRagged ? undefined : readPayee(cells, columns)
      if (payee === undefined) faults.push(...cells.faults)
      else rows.push(payee)
    }
  }
  return { rows, faults, remarks: [...content.remarks, ...(columns === undefined ? [] : unusedRemark(columns))] }
}

function readPayee(cells: RowCells, { places }: FileHeader): PayeeRow | undefined {
  const name = cells.readText('name', (text) => {
    if (text === '') throw new Malformed(t`The name is empty`, t`Write the name of the payee`)
    return parsePayeeName(text)
  })
  const declared = cells.readOptional('typeKey', readKeyTypeWord)
  const found = cells.read('key', (text) => {
    assertNotMasked(text)
    const read = readKeyIn(cells, text, declared ?? null, 'owner')
    if (read.keyType === 'paymentCode') {
      throw new Malformed(t`A payment code pays one bill, so it is no payee`, t`Use the PIX key of the receiver`)
    }
    return read
  })
  const owner = readOwnerIn(cells, 'owner', (text) => {
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

function unusedRemark({ names, places }: FileHeader): string[] {
  const used = new Set(places.values())
  const unused = names.filter(
    (name, place) => name !== '' && !used.has(place) && !KNOWN_BY_LEDGER.includes(name.toLowerCase()),
  )
  return unused.length === 0 ? [] : [t`Columns that are not read: ${quotedList(unused)}`]
}
