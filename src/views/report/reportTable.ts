import type { Owner } from '../../ledger/accounts.ts'
import { formatInstant } from '../../pix/calendar.ts'
import { formatTaxDocument } from '../../pix/taxDocument.ts'
import type { Company } from '../../profiles/company.ts'
import { t, translated } from '../../text/translate.ts'

/**
 * A value of a report: text; a whole number; cents in an amount; milliseconds since the epoch in a time; `2026-11-30` in a day. Null if there is
 * none.
 */
export type ReportValue = string | number | null

/** A column of a report. */
export interface ReportColumn {
  title: string
  /** An `id` is text also if it consists of digits. */
  kind: 'text' | 'id' | 'integer' | 'amount' | 'time' | 'day'
  /** The most that text takes, in characters. */
  width: number
}

/** A row of a table. */
export interface ReportRow {
  cells: readonly ReportValue[]
  /** The places of cells that a reader must not overlook. */
  marked?: readonly number[]
  /** True of a row that is a result of those above it. */
  isSum?: boolean
}

/** A table of a report, which is a sheet of its workbook. */
export interface ReportTable {
  title: string
  /** Sentences that are read before the table. */
  notes: readonly string[]
  columns: readonly ReportColumn[]
  /** True of a list, which can be filtered; false of sums, which belong together. */
  isList: boolean
  /** The rows, page by page, because a run may have more than fit into memory. */
  pages: AsyncIterable<readonly ReportRow[]>
  /** The total rows of a list, asked for after its rows. */
  totals?(): readonly (readonly ReportValue[])[]
  /** What is said of the whole report, below this table. */
  about?: readonly (readonly [label: string, value: string])[]
}

/** A report for people, which is written as a workbook. */
export interface Report {
  title: string
  /** Whose payments it shows, below the title. */
  lines: readonly string[]
  tables: readonly ReportTable[]
}

/** Rows that are in memory, as the one page of a table. */
export async function* onePage(rows: readonly ReportRow[]): AsyncGenerator<readonly ReportRow[]> {
  yield rows
}

/** Whose payments a report shows, who made it, and when. */
export interface ReportOrigin {
  owner: Owner
  company: Company
  user: string
  machine: string
  writtenMs: number
}

/** Whose payments a report shows, and when it was made: what a reader must know of every sheet. */
export function originLines({ owner, company, writtenMs }: ReportOrigin): string[] {
  const names = [company.name, company.taxDocument === null ? null : formatTaxDocument(company.taxDocument)]
  const companyLine = names.filter((each) => each !== null).map((each) => t`${each}`)
  const account = t`${translated(owner.environment)} account ${owner.clientId} at ${owner.baseUrl}`
  return [
    ...(companyLine.length === 0 ? [] : [companyLine.join(', ')]),
    owner.profile === null ? account : t`${account}, profile ${owner.profile}`,
    t`As it was known at ${formatInstant(writtenMs)}; all times are São Paulo time`,
  ]
}

/** The same as labels and values, and who made the report. */
export function originRows(origin: ReportOrigin): [label: string, value: string][] {
  const { owner, company, user, machine, writtenMs } = origin
  return [
    [t`Company`, t`${company.name ?? '-'}`],
    [t`CPF/CNPJ`, company.taxDocument === null ? '-' : formatTaxDocument(company.taxDocument)],
    [t`Environment`, owner.environment],
    [t`Profile`, t`${owner.profile ?? '-'}`],
    [t`Client id`, t`${owner.clientId}`],
    [t`Gateway`, t`${owner.baseUrl}`],
    [t`Report written at`, formatInstant(writtenMs)],
    [t`Report written by`, t`${user} on ${machine}`],
  ]
}
