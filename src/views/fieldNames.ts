import type { JsonSchema } from '../schemas/jsonSchema.ts'
import { schemasBelow } from '../terminal/fields.ts'
import type { OutputFormat } from '../terminal/printer.ts'
import { nearest } from '../text/suggest.ts'
import { t, translated } from '../text/translate.ts'
import { isObject } from '../wire/answers.ts'
import { UsageError } from '../wire/errors.ts'
import { ROW_FIELDS } from './batch/rowFields.ts'
import { RUN_FIELDS } from './batch/runFields.ts'
import { EVENT_FIELDS } from './events/eventFields.ts'
import { PRINTED_WITH, schemaName, schemaOf } from './outputSchemas.ts'
import { PAYEE_FIELDS } from './payees/payeeText.ts'
import { PAYMENT_FIELDS } from './payments/paymentFields.ts'
import { PLAN_FIELDS } from './plans/planText.ts'

/** What `--fields` is typed for. */
interface Selecting {
  /** The words of the command, such as `qr create`. */
  command: string
  format: OutputFormat
  /** The values of its options, by their names. */
  input: Readonly<Record<string, unknown>>
}

/** What prints the request of a dry run in place of its own document. */
const SHOWS_REQUEST = /^(?:qr-create|refund|transfer|resume|webhook-send|webhook-replay)$/

/** The names of columns that are not those of a table of fields, by the schema of their list. */
const OTHER_NAMES: Readonly<Record<string, Readonly<Record<string, string>>>> = {
  'history-check': {
    gateway: 'pixgate.gateway.status',
    line: 'pixgate.statement.line',
    statement: 'pixgate.statement.amount',
    here: 'amount',
    'status here': 'status',
    'status there': 'pixgate.statement.status',
    'day there': 'pixgate.statement.date',
    description: 'pixgate.statement.description',
  },
  status: { expected: 'pixgate.expected.amount', 'expected status': 'pixgate.expected.status' },
}

const TABLES = [PAYMENT_FIELDS, RUN_FIELDS, ROW_FIELDS, EVENT_FIELDS, PLAN_FIELDS, PAYEE_FIELDS]

/**
 * The paths in the JSON of a command that names of columns and paths select. Throws UsageError for a name that neither its schema nor its list has, so
 * that a slip is known before anything is sent.
 */
export function fieldPaths(names: readonly string[], selecting: Selecting): string[] {
  const name = schemaName(selecting.command)
  const schemas = schemasFor(name, selecting)
  const paths = new Map(schemas.flatMap((schema) => pathsIn(schema)))
  const columns = columnNames(name, paths)
  return names.map((typed) => {
    const path =
      (isPath(paths, typed) ? typed : undefined) ??
      columns.get(typed) ??
      [...paths.keys()].find((each) => each.endsWith(`.${typed}`))
    if (path !== undefined || schemas.some(({ additionalProperties }) => additionalProperties === true)) {
      return path ?? typed
    }
    throw unknownField(typed, [...columns.keys(), ...paths.keys()], schemas.length === 0 ? null : name)
  })
}

function schemasFor(name: string, { format, input }: Selecting): JsonSchema[] {
  // Of a batch a person lists the rows, and JSON has them as one member.
  if (name === 'batch-show' && format !== 'json') return [{ type: 'object', properties: schemasBelow(ROW_FIELDS, '') }]
  const isRequest = input.dryRun === true && SHOWS_REQUEST.test(name)
  const schemas = (isRequest ? [name, 'dry-run'] : [name]).map(schemaOf).filter((schema) => schema !== undefined)
  const isPrinted = (schema: JsonSchema) => {
    const option = PRINTED_WITH.get(schema)
    return option === undefined || (input[option] !== undefined && input[option] !== false)
  }
  return schemas.flatMap((schema) =>
    Array.isArray(schema.anyOf) ? schema.anyOf.filter(isObject).filter(isPrinted) : [schema],
  )
}

/** The paths of the values that a schema describes, with their schemas; an array is one value, except of whole documents. */
function pathsIn(schema: JsonSchema, prefix = ''): [string, JsonSchema][] {
  const { properties, items, anyOf } = schema
  const inner = [...(Array.isArray(anyOf) ? anyOf : []), ...(prefix === '' ? [items] : [])].filter(isObject)
  const members = isObject(properties) ? Object.entries(properties) : []
  return [
    ...inner.flatMap((each) => pathsIn(each, prefix)),
    ...members.flatMap(([key, member]): [string, JsonSchema][] =>
      isObject(member) ? [[prefix + key, member], ...pathsIn(member, `${prefix}${key}.`)] : [],
    ),
  ]
}

/** True for a path that a schema names, or one below an object whose members it leaves open. */
function isPath(paths: ReadonlyMap<string, JsonSchema>, typed: string): boolean {
  if (paths.has(typed)) return true
  const names = typed.split('.')
  return names.some((_, place) => {
    const schema = place === 0 ? undefined : paths.get(names.slice(0, place).join('.'))
    return schema !== undefined && isOpen(schema)
  })
}

function isOpen({ type, properties, anyOf, ...rest }: JsonSchema): boolean {
  if (Array.isArray(anyOf)) return anyOf.some((each) => isObject(each) && isOpen(each))
  const isObjectType = type === undefined || type === 'object' || (Array.isArray(type) && type.includes('object'))
  return isObjectType && properties === undefined && rest.const === undefined
}

/** The paths of the columns that a command can list, by their names in English and in the language of the texts. */
function columnNames(name: string, paths: ReadonlyMap<string, JsonSchema>): Map<string, string> {
  const fields = TABLES.flatMap((table) => table.map((field) => [field.name, field.path] as const))
  const columns = new Map<string, string>()
  for (const [column, path] of [...Object.entries(OTHER_NAMES[name] ?? {}), ...fields]) {
    if (!isPath(paths, path)) continue
    for (const each of [column, translated(column)]) if (!columns.has(each)) columns.set(each, path)
  }
  return columns
}

function unknownField(name: string, known: readonly string[], schema: string | null): UsageError {
  const [near] = nearest(name, [...new Set(known)])
  return new UsageError(t`\`--fields\`: there is no field \`${name}\``, {
    hint:
      near !== undefined
        ? t`Did you mean \`${near}\`?`
        : schema === null
          ? t`Omit \`--fields\`: this command prints none`
          : t`Run \`pixgate schema ${schema}\` to see all of them`,
  })
}
