import type { Payee } from '../ledger/payees.ts'
import { comparableKey, type DeclaredKeyType, formatKey, keyTypeOf } from '../pix/pixKey.ts'
import { formatTaxDocument } from '../pix/taxDocument.ts'
import type { RowCells } from '../spreadsheet/rowCells.ts'
import { t } from '../text/translate.ts'

/** What the ledger knows of the name of a payee in a row: the payee, or the name that is closest to it, if there is one. */
export type FoundPayee = { payee: Payee } | { payee: null; close: string | undefined }

/** Looks up the payee with the name that a row has. */
export type FindPayee = (name: string) => Promise<FoundPayee>

/**
 * The payee that a row names; null if it names none, undefined if there is no such payee, which becomes a fault.
 */
export function rowPayee(cells: RowCells, found: FoundPayee | null): Payee | null | undefined {
  if (found === null || found.payee !== null) return found?.payee ?? null
  const name = cells.raw('payee').trim()
  cells.fault(
    'payee',
    found.close === undefined
      ? t`There is no payee \`${name}\`. Add it with \`pixgate payee add\`, or, if the column only has names for people, use \`--map ${`name=${cells.columnOf('payee')}`}\``
      : t`There is no payee \`${name}\`. Did you mean \`${found.close}\`?`,
  )
  return undefined
}

/**
 * Notes what else a row says of where it goes, if that is not what its payee has: nobody must be able to tell which of the two was meant. `key` and
 * `owner` are what the cells hold, null for an empty one.
 */
export function compareWithPayee(
  cells: RowCells,
  payee: Payee,
  { key, declared, owner }: { key: string | null; declared: DeclaredKeyType | null; owner: string | null },
): void {
  const ownKey = formatKey(payee.key, payee.keyType)
  if (key !== null && comparableKey(key) !== comparableKey(payee.key)) {
    cells.fault(
      'key',
      t`\`${key}\` is not the key of the payee \`${payee.name}\`, which is \`${ownKey}\`. Remove one of them`,
    )
  } else if (declared !== null && keyTypeOf(declared) !== payee.keyType) {
    cells.fault(
      'typeKey',
      t`The key of the payee \`${payee.name}\` is of the type ${payee.keyType}. Correct it, or leave it empty`,
    )
  }
  if (owner === null || owner === payee.documentValidation) return
  cells.fault(
    'documentValidation',
    payee.documentValidation === null
      ? t`The payee \`${payee.name}\` has no owner to check. Set it with \`pixgate payee edit --owner\`, or leave the cell empty`
      : t`The owner of the payee \`${payee.name}\` is \`${formatTaxDocument(payee.documentValidation)}\`. Correct it, or leave it empty`,
  )
}
