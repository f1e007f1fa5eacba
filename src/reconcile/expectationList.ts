import type { NamedInput } from '../spreadsheet/fileContent.ts'
import { headerFaults, readColumns, readTable, repeatedHint, type TableSpec } from '../spreadsheet/tableHeader.ts'
import {
  brokenFault,
  type CellFault,
  type FileHeader,
  padded,
  RowCells,
  type TableRecord,
} from '../spreadsheet/tableRecords.ts'
import { hasControlCharacter } from '../text/safeText.ts'
import { shellWord } from '../text/shellWord.ts'
import { t } from '../text/translate.ts'
import { UsageError } from '../wire/errors.ts'
import { type Expectation, findingFromStatusText, isServiceStatus } from './expectations.ts'
import { readSignedAmount } from './tableFile.ts'

/** What is expected of payments, by the names on the wire only, so that no file of a bank is taken for it; `outcome` is in the results of a batch. */
const EXPECTED: TableSpec = {
  fields: { idTransaction: [], externalId: [], amount: [], status: [], outcome: [] },
  needed: [['idTransaction', 'externalId']],
  choice: 'sure',
}

/** A list of ids without a header. */
const PLAIN_LIST: FileHeader = { names: ['id'], places: new Map([['idTransaction', 0]]) }

interface ExpectationList {
  expectations: readonly Expectation[]
  /** The lines without an id, which cannot be looked up. */
  withoutId: readonly number[]
  /** Columns that hold nothing of this, but for those of the results of a batch. */
  unused: readonly string[]
  faults: readonly CellFault[]
  /** Sentences that a person should read, such as about the other sheets of a workbook. */
  remarks: readonly string[]
}

/**
 * Reads ids, one a line, or a table that says what is expected of each: a CSV in any encoding and with any separator that spreadsheets write, or the first
 * visible sheet of a workbook; also the results of a batch. `defaultStatus` is expected if a line names none. Throws UsageError for a file that is neither,
 * and for a header without ids.
 */
export async function readExpectations(input: NamedInput, defaultStatus: string | null): Promise<ExpectationList> {
  const content = await readTable(input, EXPECTED)
  const faults: CellFault[] = []
  const expectations: Expectation[] = []
  const withoutId: number[] = []
  let header: FileHeader | undefined
  for await (const record of content.records()) {
    if ('message' in record) {
      faults.push(brokenFault(record, header?.names))
      continue
    }
    if (header === undefined) {
      header = headerOf(record, input.name)
      if (header !== undefined) continue
      header = PLAIN_LIST
    }
    const cells = new RowCells(padded(record, header.names.length), header)
    const expectation = readExpectation(cells, defaultStatus)
    faults.push(...cells.faults)
    if (expectation.idTransaction === '') withoutId.push(cells.line)
    else expectations.push(expectation)
  }
  return { expectations, withoutId, unused: unusedColumns(header ?? PLAIN_LIST), faults, remarks: content.remarks }
}

/** The header of a table; undefined if the record is the first of a list of ids. */
function headerOf(record: TableRecord, file: string | null): FileHeader | undefined {
  const header = readColumns(record.cells, EXPECTED)
  const { names, places } = header
  const hasIds = places.has('idTransaction') || places.has('externalId')
  if (!hasIds && names.length === 1) return undefined
  const fault = headerFaults(header, EXPECTED, record).at(hasIds ? 0 : -1)
  if (fault === undefined) return header
  throw new UsageError(fault.message, {
    hint: hasIds
      ? repeatedHint()
      : t`Name the columns \`idTransaction\`, \`amount\` and \`status\`; to compare a bank's file, run \`pixgate history check --statement ${shellWord(file ?? '-')}\``,
  })
}

/** The results of a batch have columns for people and programs, which are not meant to be compared. */
function unusedColumns({ names, places }: FileHeader): string[] {
  const used = [...places.values()]
  return places.has('outcome') ? [] : names.filter((_, place) => !used.includes(place))
}

function readExpectation(cells: RowCells, defaultStatus: string | null): Expectation {
  const isResult = cells.has('outcome')
  const idTransaction = cells.raw('idTransaction').trim()
  const id = idTransaction || cells.raw('externalId').trim()
  // A row of a batch that was left out has neither.
  if (id === '' && !isResult) cells.fault('idTransaction', t`The id is empty`)
  if (hasControlCharacter(id)) cells.fault('idTransaction', t`The id has a control character in it`)
  const amount = cells.readOptional('amount', readSignedAmount)
  const status = cells.raw('status').trim()
  return {
    idTransaction: id,
    amountCents: amount?.amountCents ?? null,
    direction: amount?.direction ?? null,
    status: expectedStatus(status, isResult) ?? defaultStatus,
    isJudged: cells.has('amount') || cells.has('status'),
    isLocal: isResult && idTransaction === '',
    outcome: isResult ? cells.raw('outcome').trim().toLowerCase() : null,
  }
}

/** A status in the results of a batch is expected only if final: a payment still processing then has finished since. */
function expectedStatus(status: string, isResult: boolean): string | null {
  if (status === '' || (isResult && findingFromStatusText(status) === null)) return null
  return isServiceStatus(status) ? status.toUpperCase() : status
}
