import { Ajv2020, type ValidateFunction } from 'ajv/dist/2020.js'
import formats from 'ajv-formats'
import { expect } from 'vitest'
import type { JsonSchema } from '../../src/schemas/jsonSchema.ts'
import { schemaOf } from '../../src/views/outputSchemas.ts'
import { runInProcess } from '../inProcess.ts'
import type { ProcessResult, World } from '../world.ts'

/** A validator that knows the formats, and refuses a schema with an unknown keyword. */
export function validator(): Ajv2020 {
  const ajv = new Ajv2020({ strict: true, allErrors: true, allowUnionTypes: true, validateFormats: true })
  return formats.default(ajv)
}

/** The same schema without room for members that it does not name, unless it says so, so that a test finds what is not documented. */
function closed(schema: JsonSchema): JsonSchema {
  const inner = Object.fromEntries(Object.entries(schema).map(([keyword, value]) => [keyword, closedValue(value)]))
  return schema.properties === undefined || schema.additionalProperties === true
    ? inner
    : { ...inner, additionalProperties: false }
}

function closedValue(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(closedValue)
  if (typeof value !== 'object' || value === null) return value
  return closed(Object.fromEntries(Object.entries(value)))
}

/** To make a validator and compile a schema takes longer than most commands. */
const shared = validator()
const ofCatalogue = new Map<string, ValidateFunction>()
const ofOthers = new WeakMap<JsonSchema, ValidateFunction>()

/** Expects this value to be as the schema of this name says, with no member that it does not name. */
export function expectDocument(name: string, value: unknown): void {
  const schema = schemaOf(name)
  if (schema === undefined) throw new Error(`there is no schema ${name}`)
  const validate = ofCatalogue.get(name) ?? shared.compile(closed(schema))
  ofCatalogue.set(name, validate)
  expectNoErrors(validate, value, name)
}

/** Expects this value to be as the schema says, with no member that it does not name. */
export function expectValid(schema: JsonSchema, value: unknown, name: string): void {
  const validate = ofOthers.get(schema) ?? shared.compile(closed(schema))
  ofOthers.set(schema, validate)
  expectNoErrors(validate, value, name)
}

function expectNoErrors(validate: ValidateFunction, value: unknown, name: string): void {
  validate(value)
  expect(validate.errors ?? [], `${name}: ${JSON.stringify(value)}`).toEqual([])
}

/**
 * Runs the command line with `-o json` in the process of the tests, as the shape of a document does not depend on the process, and
 * expects its output to keep the schema of this name.
 */
export async function expectOutput(
  world: World,
  name: string,
  argv: readonly string[],
): Promise<Record<string, unknown>> {
  return expectKept(name, argv, await runInProcess([...argv, '-o', 'json'], world.env))
}

/** Does the same with the real binary. */
export async function expectBinaryOutput(
  world: World,
  name: string,
  argv: readonly string[],
): Promise<Record<string, unknown>> {
  return expectKept(name, argv, await world.run([...argv, '-o', 'json']))
}

function expectKept(name: string, argv: readonly string[], { stdout, stderr }: ProcessResult): Record<string, unknown> {
  expect(stdout, `${argv.join(' ')}: ${stderr}`).not.toBe('')
  const lines = stdout.trimEnd().split('\n')
  for (const line of lines) expectDocument(name, JSON.parse(line))
  return JSON.parse(lines[0] ?? '')
}
