import type { Owner } from '../../ledger/owner.ts'
import { formatInstant } from '../../pix/calendar.ts'
import { formatTaxDocument } from '../../pix/taxDocument.ts'
import type { Company } from '../../profiles/company.ts'
import { t, translated } from '../../text/translate.ts'

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
