import type { RowResult } from '../../batch/rowResults.ts'
import { nameColumn } from '../../ledger/fileRowTexts.ts'
import type { Run } from '../../ledger/runs.ts'
import type { Field } from '../../terminal/fields.ts'
import type { ReportColumn } from '../report/report.ts'

/** What the JSON of a row depends on besides the row. */
export interface RowFile {
  kind: Run['record']['kind']
  /** True if a column seems to hold the names of who is paid, or names payees. */
  hasNames: boolean
  /** True if a column names payees. */
  hasPayees: boolean
}

/** The facts about a run's file by which its rows have fields. */
export function rowFile(run: Run): RowFile {
  const hasPayees = run.fields.payee !== undefined
  return { kind: run.record.kind, hasNames: nameColumn(run) !== undefined || hasPayees, hasPayees }
}

/** What is shown of a row of a run. Nothing of it is masked, because the file is the user's own. */
export interface RowField extends Field<RowResult, RowResult> {
  /** False for a file whose rows do not have it in CSV and reports; absent if all have it. */
  isIn?: (file: RowFile) => boolean
  /** Its column in a report for people. */
  report?: {
    place: number
    title: () => string
    /** Text unless it is given. */
    kind?: ReportColumn['kind']
    /** In a workbook, in characters. */
    width: number
    /** If it is not the value in JSON. */
    value?: (result: RowResult) => string | number | null
    /** True of a cell that a reader must not overlook. */
    isMarked?: (result: RowResult) => boolean
    isIn?: (file: RowFile) => boolean
  }
  /** How it is written in `--results`, if not as in JSON; ids are text, also if they consist of digits. */
  results?: {
    isId?: true
    value?: (result: RowResult) => string | null
    /** In the form for spreadsheets, if it is another one. */
    excel?: (result: RowResult) => string | null
  }
}
