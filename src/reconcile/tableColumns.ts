import {
  columnNames,
  type FieldNames,
  type FileHeader,
  findFields,
  type Mapping,
  placeOf,
  quotedList,
} from '../spreadsheet/header.ts'
import { t } from '../text/translate.ts'
import { withoutAccents } from '../text/withoutAccents.ts'
import { UsageError } from '../wire/errors.ts'

/**
 * The fields of a table of payments that another program wrote. `direction` says whether an amount is a debit or a credit, `details` is more of the
 * description.
 */
type TableField =
  | 'id'
  | 'amount'
  | 'status'
  | 'date'
  | 'debit'
  | 'credit'
  | 'direction'
  | 'balance'
  | 'description'
  | 'details'
  | 'name'

/** What of a table is read, and what it must have. */
export interface TableSpec extends FieldNames {
  /** A column belongs to the first field that its name fits. */
  all: readonly TableField[]
  /** Of each of these groups the table must have a column. */
  needed: readonly (readonly [TableField, ...TableField[]])[]
}

/** What the columns are called in English and in Portuguese, the best name first. */
const NAMES: Readonly<Record<TableField, readonly RegExp[]>> = {
  id: [
    /^idtransaction$|^id_transaction$/,
    /^id$|^e2e|^endtoend/,
    /^(id|codigo|numero|identificador) (da |do |de )?(transacao|pagamento|operacao|pix)$|^identificador$|^txid$/,
    /^externalid$|^id externo$|^external id$|^requestnumber$/,
    /^codigo$|^transacao$/,
    /^(n[.\u00ba\u00b0o]* ?|num\w*\.? |numero )?(do |de )?doc(to|umento)?\.?$/,
  ],
  amount: [/^amount$/, /^value$|^valor$/, /^valor\b|^montante$|^quantia$/, /\b(r\$|brl)/],
  status: [/^status$/, /^situacao$|^estado$/, /^status\b|^situacao\b/],
  date: [/^date$/, /^data$|^dia$/, /^data\b|^dia\b|^date\b/],
  debit: [sumOf('debitos?|saidas?|debits?|pagamentos')],
  credit: [sumOf('creditos?|entradas?|credits?|recebimentos')],
  direction: [
    /^([dc]\/[cd]|deb(ito)?\/cred(ito)?|cred(ito)?\/deb(ito)?|tipo|natureza|sinal|tipo (de |do )?lancamento)$/,
  ],
  balance: [/^saldos?\b/, /^(running )?balance\b/],
  description: [/^historico\b/, /^description$/, /^lancamentos?$/, /^descricao\b/, /^memo$/],
  details: [/^detalhes?\b/, /^descricao\b/, /^complemento\b|^informacoes\b/],
  name: [
    /^name$/,
    /^nome\b/,
    /^(favorecido|beneficiario|destinatario|remetente|pagador|recebedor|contraparte|razao social)\b/,
  ],
}

/** The name of a column that holds the amounts of one direction. */
function sumOf(words: string): RegExp {
  return new RegExp(`^(valor(es)? )?((a|em|de|do) )?(${words})( ?\\(?(r\\$|brl)\\)?)?$`)
}

/** The columns of a table: where its fields are, and which were recognised by their names, as `amount=Valor`. */
export interface TableColumns extends FileHeader {
  recognised: readonly string[]
}

/**
 * Finds the fields in the header of a table: the columns that were typed, and for every other field the one with a matching name. Throws UsageError for
 * a column that is missing or not clear.
 */
export function tableColumns(cells: readonly string[], spec: TableSpec, typed: Mapping): TableColumns {
  const names = cells.map((cell) => cell.trim())
  // A missing column of `--map` is reported before others are guessed.
  findFields(names, spec, typed)
  const mapping = completeMapping(names, spec.all, typed)
  const missing = missingField(spec, mapping)
  if (missing !== undefined) throw missingColumn(missing, names, spec, mapping)
  const repeated = [...mapping].find(([, column]) => names.filter((name) => isSameName(name, column)).length > 1)
  if (repeated !== undefined) throw repeatedColumn(repeated[1])
  return { ...findFields(names, spec, mapping), recognised: recognisedColumns(mapping, typed) }
}

/** True if a record is a header with the columns that the table needs. */
export function isHeader(cells: readonly string[], spec: TableSpec, typed: Mapping): boolean {
  const names = cells.map((cell) => cell.trim())
  const hasTyped = [...typed.values()].every((column) => placeOf(column, columnNames(names)) !== -1)
  return hasTyped && missingField(spec, completeMapping(names, spec.all, typed)) === undefined
}

/** The field of which a table with these columns should have one, and has not; undefined if it has all. */
function missingField(spec: TableSpec, found: Mapping): TableField | undefined {
  return spec.needed.find((group) => !group.some((field) => found.has(field)))?.[0]
}

/** True for a name that a column of one of these fields may have. */
export function isKnownColumn(name: string, spec: TableSpec, typed: Mapping): boolean {
  return (
    [...typed.values()].some((column) => isSameName(column, name)) ||
    spec.all.some((field) => columnFor(field, [name]) !== undefined)
  )
}

function completeMapping(names: readonly string[], fields: readonly TableField[], typed: Mapping): Mapping {
  const mapping = new Map(typed)
  for (const field of fields) {
    if (mapping.has(field)) continue
    const taken = [...mapping.values()]
    const column = columnFor(
      field,
      names.filter((name) => !taken.includes(name.trim())),
    )
    if (column !== undefined) mapping.set(field, column)
  }
  for (const field of unusedAmounts(mapping, typed)) if (!typed.has(field)) mapping.delete(field)
  return mapping
}

/** A table has one column of amounts, or one for each direction: what was typed, else one for each direction if it has both. */
function unusedAmounts(found: Mapping, typed: Mapping): TableField[] {
  const hasTypedSide = typed.has('debit') || typed.has('credit')
  const hasBothSides = found.has('debit') && found.has('credit')
  if (!found.has('amount')) return []
  return hasTypedSide || (hasBothSides && !typed.has('amount')) ? ['amount'] : ['debit', 'credit']
}

function columnFor(field: TableField, names: readonly string[]): string | undefined {
  for (const pattern of NAMES[field]) {
    const found = names.find((name) => pattern.test(withoutAccents(name.trim())))
    if (found !== undefined) return found.trim()
  }
  return undefined
}

/** The columns whose names say more than that they are the fields. */
function recognisedColumns(mapping: Mapping, typed: Mapping): string[] {
  return [...mapping].flatMap(([field, column]) => {
    const isPlain = isSameName(column, field) || isSameName(column, 'idTransaction')
    return isPlain || typed.has(field) ? [] : [`${field}=${column}`]
  })
}

function isSameName(one: string, other: string): boolean {
  return one.trim().toLowerCase() === other.trim().toLowerCase()
}

function missingColumn(field: TableField, names: readonly string[], spec: TableSpec, found: Mapping): UsageError {
  const taken = [...found.values()]
  const free = names.filter((name) => name !== '' && !taken.includes(name))
  const missing = spec.needed.filter((group) => !group.some((each) => found.has(each)))
  const pairs = missing.map(([each], index) => `${each}=${free[index] ?? '…'}`).join(',')
  return new UsageError(t`The header has no column \`${field}\`: its columns are ${quotedList(names)}`, {
    hint: t`Give the column that name, or say which it is, such as \`--map "${pairs}"\``,
  })
}

/** The error for a header in which a column is there twice, so that it is not clear which one counts. */
export function repeatedColumn(column: string): UsageError {
  return new UsageError(t`The header has the column \`${column}\` more than once`, {
    hint: t`Give each of these columns a unique name, then run the command again`,
  })
}
