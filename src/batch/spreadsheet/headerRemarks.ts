import { t } from '../../text/words.ts'
import { type FieldNames, type Header, mistakenColumns } from './header.ts'

/** What systems put behind the name of a file that was downloaded or copied once more. */
const COPIED = /^(.+?)(?: ?\(\d+\)| - (?:copy|c[oó]pia)(?: ?\(\d+\))?| (?:copy|c[oó]pia)(?: \d+)?)$/i

/** A sentence where a file's name looks like the one of a copy: its rows would get other ids than those of the first file. */
export function copiedNameRemark(reference: string): string[] {
  const original = COPIED.exec(reference)?.[1]
  if (original === undefined) return []
  return [
    t`The file's name is the reference, and \`${reference}\` looks like a copy: the same rows sent as \`${original}\` have other ids. If it is the same batch, add \`--reference "${original}"\``,
  ]
}

/** Sentences about columns that are not used though they look as if they should be. */
export function headerRemarks(header: Header, fields: FieldNames, kind: 'transfer' | 'refund'): string[] {
  const remarks = mistakenColumns(header, fields).map(
    ({ column, field }) =>
      t`The column \`${column}\` is not sent. If it is meant to be \`${field}\`, add \`--map "${field}=${column}"\``,
  )
  if (kind === 'refund' && !header.places.has('amount')) {
    remarks.push(t`The file has no column \`amount\`: all that is left of each payment is returned`)
  }
  return remarks
}
