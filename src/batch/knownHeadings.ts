import { headingOf } from '../pix/columnHeading.ts'
import { payeeNameColumn } from '../pix/payeeName.ts'
import { columnNames, type FieldNames, type Mapping, placeOf } from '../spreadsheet/header.ts'

const OF_PAYEE =
  '(?: d[oa] (?:favorecido|beneficiario|recebedor|fornecedor|prestador|colaborador|funcionario|empregado|cliente))?'

/** What people call the fields of a transfer. `CPF` alone is not here: it may be the key, its owner, or neither. */
export const TRANSFER_HEADINGS: Readonly<Record<string, RegExp>> = {
  key: new RegExp(`^(?:chave(?: (?:d[oe] )?pix)?|pix key)${OF_PAYEE}$`),
  payee: /^(?:payee name|apelido|favorecido cadastrado)$/,
  value: /^valor(?: (?:a (?:pagar|transferir)|d[oa] (?:pagamento|transferencia)))?$/,
  typeKey: /^tipo(?: (?:d[ea] )?chave)?(?: (?:d[oe] )?pix)?$/,
  documentValidation: new RegExp(`^(?:cpf(?:/| e | ou | )cnpj|cnpj(?:/| e | ou | )cpf)${OF_PAYEE}$`),
}

/** What people call the fields of a refund. */
export const REFUND_HEADINGS: Readonly<Record<string, RegExp>> = {
  originalTransactionId: /^(?:id (?:da )?transacao(?: original)?|transacao original)$/,
  amount: /^valor(?: (?:a (?:devolver|estornar|reembolsar)|d[oa] (?:devolucao|estorno|reembolso)))?$/,
  refundReason: /^motivo(?: d[oa] (?:devolucao|estorno|reembolso))?$/,
}

/** Which columns hold which fields, as `--map` and the known headings say. */
export interface RecognisedColumns {
  mapping: Mapping
  /** The columns of a field that has several, so that which of them is meant would be a guess. */
  unclear: ReadonlyMap<string, readonly string[]>
}

/**
 * Adds to a mapping the columns whose headings are known, for fields that no column names. A column that is mapped, named for another field
 * or in `ignored` is left alone. Of several columns of names the one that events compare best with is taken; nothing is sent of them.
 */
export function recogniseColumns(
  names: readonly string[],
  fields: FieldNames,
  typed: Mapping,
  ignored: readonly string[],
): RecognisedColumns {
  const mapping = new Map(typed)
  const unclear = new Map<string, readonly string[]>()
  const shown = columnNames(names)
  const taken = new Set([
    ...[...typed.values(), ...ignored].map((column) => placeOf(column.trim(), shown)),
    ...fields.all.map((field) => placeOf(field, names)),
  ])
  const missing = fields.all.filter((field) => !typed.has(field) && placeOf(field, names) === -1)
  for (const field of missing) {
    const columns = field === 'name' ? nameColumns(names, taken) : columnsFor(fields.headings?.[field], names, taken)
    const [column] = columns
    if (column === undefined) continue
    mapping.set(field, column)
    if (columns.length > 1) unclear.set(field, columns)
  }
  return { mapping, unclear }
}

/** True for a name that a column of one of the fields may have. */
export function isKnownHeading(name: string, fields: FieldNames): boolean {
  return (
    fields.all.some((field) => field.toLowerCase() === name.trim().toLowerCase()) ||
    fields.all.some((field) => fields.headings?.[field]?.test(headingOf(name)) === true) ||
    payeeNameColumn([name]) === 0
  )
}

function columnsFor(pattern: RegExp | undefined, names: readonly string[], taken: ReadonlySet<number>): string[] {
  if (pattern === undefined) return []
  const columns = names.filter((name, place) => !taken.has(place) && pattern.test(headingOf(name)))
  // The same name twice is a fault of its own.
  const lower = columns.map((column) => column.toLowerCase())
  return columns.filter((column, index) => lower.indexOf(column.toLowerCase()) === index)
}

function nameColumns(names: readonly string[], taken: ReadonlySet<number>): string[] {
  const place = payeeNameColumn(names, taken)
  return place === -1 ? [] : [names[place] ?? '']
}
