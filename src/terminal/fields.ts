import {
  type Flat,
  INSTANT,
  type JsonSchema,
  objectOf,
  REAIS,
  type ValueOf,
  type WithoutUndefined,
} from '../schemas/jsonSchema.ts'
import { type AnswerFields, isObject } from '../wire/answers.ts'
import type { Column, ExcelKind } from './printer.ts'

/**
 * How a text is shown unless it is asked for, with the JSON that holds it. `public` is for what says nothing about a person, `whole` for what is shown
 * as it is although it may: bytes that were signed, and the user's own file.
 */
type Mask = 'public' | 'whole' | ((text: string, document: AnswerFields) => string)

/**
 * What is shown of a thing under one name, stated once: its JSON, its column in lists and CSV, its mask, its schema and its documentation. `Source`
 * is what the JSON is made from, `Item` what a cell for people is made from.
 */
export interface Field<Source, Item> {
  /** Above a table, and for `--fields`. */
  name: string
  /** Where its value is in the JSON, such as `pixgate.kind`. */
  path: string
  /** The value in JSON; undefined if this one does not have it. Absent if another command adds it. */
  json?: (source: Source) => unknown
  schema: JsonSchema
  mask: Mask
  /** Of an object, or of a list of objects: the masks of its members, by their keys; absent for those that are `public`. */
  memberMasks?: Readonly<Record<string, Mask>>
  /** How lists show it, if not as its plain value; null if no list has it. */
  column?: Omit<Column<Item>, 'path' | 'header'> | null
  /** Its label in the text about one thing; absent if another line tells it. */
  label?: () => string
  /** For the documentation: a phrase in Markdown. */
  meaning: string
}

type AnyField = Field<never, never>
/** What few fields state: without it the path is the name, and the mask is `public`. */
type FieldOptions<Of extends AnyField> = Partial<Omit<Of, 'name' | 'path' | 'schema' | 'json' | 'meaning'>>
type Reader<Of extends AnyField, Value> = (source: Parameters<NonNullable<Of['json']>>[0]) => Value | undefined

type FieldRow<Of extends AnyField, Name, Path, Value> = FieldOptions<Of> & {
  name: Name
  path: Path
  json?: Reader<Of, Value>
  schema: JsonSchema<Value>
  mask: Mask
  meaning: string
}

type PathBelow<Below extends string, Name extends string> = Below extends '' ? Name : `${Below}.${Name}`

/**
 * What makes the rows of a table of fields: a field by its name, its schema and how its value is taken from the source, followed by its meaning. Without
 * `read` another command adds the value. Its path, unless given, is its name, below `below` if that is not empty.
 */
export function fieldsOf<Of extends AnyField, Below extends string = ''>(below: Below) {
  return <const Name extends string, Value, const Path extends string = PathBelow<Below, Name>>(
    name: Name,
    schema: JsonSchema<Value>,
    read?: Reader<Of, NoInfer<Value>>,
    options: FieldOptions<Of> & { path?: Path } = {},
  ) =>
    (meaning: TemplateStringsArray): FieldRow<Of, Name, Path, Value> => {
      const path = options.path ?? (below === '' ? name : `${below}.${name}`)
      const json = read && { json: read }
      return { mask: 'public', ...options, name, path: path as Path, ...json, schema, meaning: meaning.join('') }
    }
}

type Typed = readonly { path: string; schema: JsonSchema }[]
type Shape<Fields extends Typed> = {
  [Each in Fields[number] as Each['path'] extends `${string}.${string}` ? never : Each['path']]?: ValueOf<
    Each['schema']
  >
}
type Nested<Fields extends Typed> = {
  [Each in Fields[number] as Each['path'] extends `${infer Outer}.${string}` ? Outer : never]?: {
    [Inner in Fields[number] as Inner['path'] extends `${string}.${infer Key}` ? Key : never]?: ValueOf<Inner['schema']>
  }
}

/** The JSON of a thing with these fields: a thing has not all of them. */
export type DocumentOf<Fields extends Typed> = Flat<Shape<Fields> & Nested<Fields>>

/** The JSON of a thing: the values of its fields at their paths, in their order. */
export function documentOf<Source, Fields extends readonly Pick<Field<Source, never>, 'path' | 'schema' | 'json'>[]>(
  fields: Fields,
  source: Source,
): DocumentOf<Fields> {
  const document: Record<string, unknown> = {}
  for (const { path, json } of fields) {
    const value = json?.(source)
    if (value === undefined) continue
    const [name = '', inner] = path.split('.')
    if (inner === undefined) {
      document[name] = value
      continue
    }
    const outer = document[name]
    const place = isObject(outer) ? outer : {}
    place[inner] = value
    document[name] = place
  }
  return document as DocumentOf<Fields>
}

/** What is shown of a thing that no list has: its JSON, and the schema of that. */
interface View<Source, Shape> {
  schema: JsonSchema<WithoutUndefined<Shape>>
  /** Those of its members, by their names. */
  members: { readonly [Name in keyof Shape]: JsonSchema<Shape[Name]> }
  /** Has no member whose value is undefined. */
  documentOf: (source: Source) => WithoutUndefined<Shape>
}

type Members<Source, Shape> = {
  readonly [Name in keyof Shape]: readonly [
    schema: JsonSchema<Shape[Name]>,
    read: (source: Source) => NoInfer<Shape[Name]>,
  ]
}

/** What makes a view of a thing from the table of its members: by their names the schema of each, and how it is read. */
export function viewOf<Source>() {
  return <Shape extends object>(members: Members<Source, Shape>): View<Source, Shape> => {
    const rows = Object.entries<readonly [schema: JsonSchema, read: (source: Source) => unknown]>(members)
    const schemas = Object.fromEntries(rows.map(([name, [schema]]) => [name, schema]))
    return {
      schema: objectOf(schemas) as View<Source, Shape>['schema'],
      members: schemas as View<Source, Shape>['members'],
      documentOf(source) {
        const values = rows.map(([name, [, read]]) => [name, read(source)] as const)
        return Object.fromEntries(values.filter(([, value]) => value !== undefined)) as WithoutUndefined<Shape>
      },
    }
  }
}

/** JSON with what it says about people masked. */
export function maskedDocument<Shown extends AnswerFields>(
  fields: readonly Pick<Field<never, never>, 'path' | 'mask' | 'memberMasks'>[],
  document: Shown,
): Shown {
  let masked: Record<string, unknown> = document
  const hide = (place: string, mask: Mask) => {
    if (typeof mask === 'function') masked = changedAt(masked, place.split('.'), (text) => mask(text, document))
  }
  for (const { path, mask, memberMasks = {} } of fields) {
    hide(path, mask)
    for (const [key, memberMask] of Object.entries(memberMasks)) hide(`${path}.${key}`, memberMask)
  }
  // Masking changes texts alone.
  return masked as Shown
}

/** A copy of an object with the texts at a path changed; the same object if there are none. */
function changedAt(
  document: Record<string, unknown>,
  [name = '', ...rest]: readonly string[],
  change: (text: string) => string,
): Record<string, unknown> {
  if (!Object.hasOwn(document, name)) return document
  const value = changedValue(document[name], rest, change)
  return value === document[name] ? document : { ...document, [name]: value }
}

function changedValue(value: unknown, path: readonly string[], change: (text: string) => string): unknown {
  if (Array.isArray(value)) return value.map((member: unknown) => changedValue(member, path, change))
  if (path.length === 0) return typeof value === 'string' ? change(value) : value
  return isObject(value) ? changedAt(value, path, change) : value
}

type Shown<Item> = Pick<Field<never, Item>, 'name' | 'path' | 'schema' | 'column'>

/** The column of the field with a name. */
export function columnOf<Name extends string, Item>(
  fields: readonly (Shown<Item> & { name: Name })[],
  name: NoInfer<Name>,
): Column<Item> {
  const field = fields.find((each) => each.name === name)
  if (field === undefined) throw new Error(`there is no field ${name}`)
  return columnFrom(field)
}

/** The columns of all fields that lists can show. */
export function listColumns<Item>(fields: readonly Shown<Item>[]): Column<Item>[] {
  return fields.flatMap((field) => (field.column === null ? [] : [columnFrom(field)]))
}

function columnFrom<Item>({ name, path, schema, column }: Shown<Item>): Column<Item> {
  return { path, header: name, ...(isWord(schema) && { isWord: true }), ...column }
}

function isWord(schema: JsonSchema | undefined): boolean {
  return schema?.enum !== undefined || (Array.isArray(schema?.anyOf) && schema.anyOf.some(isWord))
}

/** The columns of a CSV with the fields of these names, in this order: programs may read columns by their place, so new ones come last. */
export function csvColumns<Item>(fields: readonly Shown<Item>[], names: readonly string[]): Column<Item>[] {
  return names.flatMap((name) => fields.filter((field) => field.name === name).map(columnFrom))
}

/** The path of a field and those of its members, with their schemas. */
export function pathsBelow({ path, schema }: Pick<Field<never, never>, 'path' | 'schema'>): [string, JsonSchema][] {
  const { properties } = isObject(schema.items) ? schema.items : schema
  const members = isObject(properties) ? Object.entries(properties) : []
  return [
    [path, schema],
    ...members.flatMap(([key, member]): [string, JsonSchema][] =>
      isObject(member) ? [[`${path}.${key}`, member]] : [],
    ),
  ]
}

/** What the values of fields and their members are for a spreadsheet, by their paths. */
export function excelKindOf(
  fields: readonly Pick<Field<never, never>, 'path' | 'schema'>[],
): (path: string) => ExcelKind {
  const schemas = new Map(fields.flatMap(pathsBelow))
  return (path) => {
    const schema = schemas.get(path)
    if (schema?.format === INSTANT.format) return 'time'
    if (schema?.description === REAIS.description) return 'amount'
    return isWord(schema) ? 'word' : 'text'
  }
}

/** The schemas of the fields directly below a path, by their keys; '' for those at the top. */
export function schemasBelow(
  fields: readonly Pick<Field<never, never>, 'path' | 'schema'>[],
  path: string,
): Record<string, JsonSchema> {
  const below = path === '' ? '' : `${path}.`
  const found = fields.filter((field) => field.path === below + keyOf(field.path))
  return Object.fromEntries(found.map((field) => [keyOf(field.path), field.schema]))
}

function keyOf(path: string): string {
  return path.slice(path.lastIndexOf('.') + 1)
}
