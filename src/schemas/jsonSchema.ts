import { PAYMENT_STATUSES } from '../wire/answers.ts'

declare const VALUE: unique symbol
/** Marks the schema of a member that may be missing; no JSON has it. */
const MAY_BE_MISSING: unique symbol = Symbol('may be missing')

/** A JSON Schema of draft 2020-12, or a part of one. `Value` is the type of the values that it describes; see {@link ValueOf}. */
export type JsonSchema<Value = unknown> = Readonly<Record<string, unknown>> & {
  readonly [VALUE]?: Value
  readonly [MAY_BE_MISSING]?: true
}

/** The type of the values that a schema describes. */
export type ValueOf<Schema extends JsonSchema> = Schema extends JsonSchema<infer Value> ? Value : never

type Properties = Readonly<Record<string, JsonSchema>>

/** An object whose members are described by these schemas; those of `Optional` may be missing. */
type MembersOf<Required extends Properties, Optional extends Properties> = Flat<
  WithoutUndefined<{ [Name in keyof Required]: ValueOf<Required[Name]> }> & {
    [Name in keyof Optional]?: ValueOf<Optional[Name]>
  }
>

export type Flat<Members> = { [Name in keyof Members]: Members[Name] }

/** An object with these values, without those that are undefined. */
export type WithoutUndefined<Values> = Flat<
  { [Name in keyof Values as undefined extends Values[Name] ? never : Name]: Values[Name] } & {
    [Name in keyof Values as undefined extends Values[Name] ? Name : never]?: Values[Name]
  }
>

export const TEXT: JsonSchema<string> = { type: 'string' }
export const BOOLEAN: JsonSchema<boolean> = { type: 'boolean' }
export const COUNT: JsonSchema<number> = { type: 'integer', minimum: 0 }
export const CENTS: JsonSchema<number> = { type: 'integer', description: 'Amount in cents' }
export const NUMBER: JsonSchema<number> = { type: 'number' }
export const REAIS: JsonSchema<number> = { ...NUMBER, description: 'Amount in reais' }
export const INSTANT: JsonSchema<string> = { type: 'string', format: 'date-time', description: 'ISO 8601 date-time' }
export const UUID: JsonSchema<string> = { type: 'string', format: 'uuid' }
export const ADDRESS: JsonSchema<string> = { type: 'string', format: 'uri' }
export const HTTP_STATUS: JsonSchema<number> = { type: 'integer', minimum: 100, maximum: 599 }
export const MILLISECONDS: JsonSchema<number> = { ...NUMBER, minimum: 0 }
export const OBJECT: JsonSchema<object> = { type: 'object' }
export const ANYTHING: JsonSchema = {}

/** An object with these members; further ones are allowed. */
export function objectOf<Required extends Properties, Optional extends Properties = Record<never, never>>(
  required: Required,
  optional?: Optional,
): JsonSchema<MembersOf<Required, Optional>> {
  const names = Object.keys(required).filter((name) => required[name]?.[MAY_BE_MISSING] === undefined)
  return { type: 'object', required: names, properties: { ...required, ...optional } }
}

/** The schema of a member that an object may lack. */
export function mayBeMissing<Value>(schema: JsonSchema<Value>): JsonSchema<Value | undefined> {
  return { ...schema, [MAY_BE_MISSING]: true }
}

/** The JSON of a thing: of its members those that the schema of an object names, in the order of the schema. */
export function shapedBy<Value extends object>(schema: JsonSchema<Value>, thing: NoInfer<Value>): Value {
  const members = new Map<string, unknown>(Object.entries(thing))
  const named = Object.keys(schema.properties ?? {}).filter((name) => members.get(name) !== undefined)
  return Object.fromEntries(named.map((name) => [name, members.get(name)])) as Value
}

/** An array whose members have this schema. */
export function list<Value>(items: JsonSchema<Value>): JsonSchema<Value[]> {
  return { type: 'array', items }
}

/** One of these strings. */
export function enumOf<const Word extends string>(...values: readonly Word[]): JsonSchema<Word> {
  return { type: 'string', enum: values }
}

/** Exactly this text. */
export function constant<const Word extends string>(value: Word): JsonSchema<Word> {
  return { const: value }
}

/** A value of this schema, or null. */
export function orNull<Value>(schema: JsonSchema<Value>): JsonSchema<Value | null> {
  if (typeof schema.type !== 'string' || schema.enum !== undefined) return { anyOf: [schema, { type: 'null' }] }
  return { ...schema, type: [schema.type, 'null'] }
}

/** A value of at least one of these schemas. */
export function either<Schemas extends readonly JsonSchema[]>(
  ...schemas: Schemas
): JsonSchema<ValueOf<Schemas[number]>> {
  return { anyOf: schemas }
}

/** The same schema with a description for people. */
export function describe<Value>(description: string, schema: JsonSchema<Value>): JsonSchema<Value> {
  return { ...schema, description }
}

/** True for a value that this schema, made by the functions above, describes. Formats, patterns and the ends of ranges are not compared. */
export function isDescribedBy<Value>(schema: JsonSchema<Value>, value: unknown): value is Value {
  const { type, enum: words, const: word, anyOf, required, properties, items } = schema
  if (Array.isArray(anyOf)) return anyOf.some((each) => isDescribedBy(each, value))
  if (word !== undefined) return value === word
  if (Array.isArray(words)) return words.includes(value)
  if (!(Array.isArray(type) ? type : [type ?? jsonType(value)]).some((each) => isOfType(each, value))) return false
  if (Array.isArray(value)) return items === undefined || value.every((each) => isDescribedBy(Object(items), each))
  if (typeof value !== 'object' || value === null) return true
  const members = new Map<string, unknown>(Object.entries(value))
  const isWhole = !Array.isArray(required) || required.every((name) => members.has(name))
  return (
    isWhole &&
    Object.entries(properties ?? {}).every(
      ([name, each]) => !members.has(name) || isDescribedBy(each, members.get(name)),
    )
  )
}

function isOfType(type: unknown, value: unknown): boolean {
  return type === 'integer' ? Number.isInteger(value) : type === jsonType(value)
}

function jsonType(value: unknown): string {
  if (value === null) return 'null'
  return Array.isArray(value) ? 'array' : typeof value
}

/** The statuses of a payment, as a query and events report them. */
export const PAYMENT_STATUS = enumOf(...PAYMENT_STATUSES)

/** How far a refund or a transfer is. */
export const SETTLEMENT = enumOf('PROCESSING', 'COMPLETED', 'FAILED')
