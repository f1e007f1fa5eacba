/** A JSON Schema of draft 2020-12, or a part of one. */
export type JsonSchema = Readonly<Record<string, unknown>>

type Properties = Readonly<Record<string, JsonSchema>>

export const TEXT: JsonSchema = { type: 'string' }
export const BOOLEAN: JsonSchema = { type: 'boolean' }
export const COUNT: JsonSchema = { type: 'integer', minimum: 0 }
export const CENTS: JsonSchema = { type: 'integer', description: 'Amount in cents' }
export const REAIS: JsonSchema = { type: 'number', description: 'Amount in reais' }
export const INSTANT: JsonSchema = { type: 'string', format: 'date-time', description: 'ISO 8601 date-time' }
export const UUID: JsonSchema = { type: 'string', format: 'uuid' }
export const ADDRESS: JsonSchema = { type: 'string', format: 'uri' }
export const HTTP_STATUS: JsonSchema = { type: 'integer', minimum: 100, maximum: 599 }
export const OBJECT: JsonSchema = { type: 'object' }
export const ANYTHING: JsonSchema = {}

/** An object with these members; further ones are allowed. */
export function record(required: Properties, optional: Properties = {}): JsonSchema {
  return { type: 'object', required: Object.keys(required), properties: { ...required, ...optional } }
}

/** An array whose members have this schema. */
export function list(items: JsonSchema): JsonSchema {
  return { type: 'array', items }
}

/** One of these strings. */
export function enumOf(...values: readonly string[]): JsonSchema {
  return { type: 'string', enum: values }
}

/** Exactly this text. */
export function constant(value: string): JsonSchema {
  return { const: value }
}

/** A value of this schema, or null. */
export function orNull(schema: JsonSchema): JsonSchema {
  if (typeof schema.type !== 'string' || schema.enum !== undefined) return { anyOf: [schema, { type: 'null' }] }
  return { ...schema, type: [schema.type, 'null'] }
}

/** A value of at least one of these schemas. */
export function either(...schemas: readonly JsonSchema[]): JsonSchema {
  return { anyOf: schemas }
}

/** The same schema with a description for people. */
export function describe(description: string, schema: JsonSchema): JsonSchema {
  return { ...schema, description }
}
