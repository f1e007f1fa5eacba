import { AMOUNT_CENTS_MAX, centsFromJson } from '../pix/amount.ts'
import { ADDRESS, BOOLEAN, describe, type JsonSchema, objectOf, REAIS, TEXT } from '../schemas/jsonSchema.ts'
import { hasControlCharacter } from '../text/safeText.ts'
import { english } from '../text/translate.ts'
import { isObject } from '../wire/answers.ts'
import type { ErrorCode } from './errorCodes.ts'
import { HttpError } from './httpError.ts'

/** What is wrong with a request, so that an answer can name all faulty fields at once. */
export class Problems {
  readonly all: string[]
  readonly #path: string

  constructor(path = '', all: string[] = []) {
    this.#path = path
    this.all = all
  }

  /** Adds what is wrong with the field that these are about, in words that follow its name. */
  add(problem: string): undefined {
    this.all.push(english`\`${this.#path}\` ${problem}`)
  }

  /** Those of a member of this object. */
  of(name: string): Problems {
    return new Problems(this.#path === '' ? name : `${this.#path}.${name}`, this.all)
  }
}

/** A field of a request: what its documentation says, and how it is read. */
export interface Field<Value> {
  readonly schema: JsonSchema
  /** Reads a value that is present and not null. Returns undefined if it adds a problem. */
  readonly read: (value: unknown, problems: Problems) => Value | undefined
}

/** A field whose value is an object, with the fields of its members. */
export interface ObjectField<Value> extends Field<Value> {
  readonly members: Fields
}

/** Fields by their names. */
export type Fields = Readonly<Record<string, Field<unknown>>>

type ReadBy<Each> = Each extends Field<infer Value> ? Value : never

/** The values of an object with these fields. */
export type Members<Required extends Fields, Optional extends Fields> = {
  [Name in keyof Required]: ReadBy<Required[Name]>
} & { [Name in keyof Optional]?: ReadBy<Optional[Name]> }

export const text: Field<string> = {
  schema: TEXT,
  read: (value, problems) =>
    typeof value === 'string' && value.trim() !== '' && !hasControlCharacter(value)
      ? value
      : problems.add(english`must be a string that is not blank and holds no control characters`),
}

export const flag: Field<boolean> = {
  schema: BOOLEAN,
  read: (value, problems) => (typeof value === 'boolean' ? value : problems.add(english`must be true or false`)),
}

export const url = textThat(isAbsoluteHttpUrl, english`must be an http or https URL`, ADDRESS)

/** An amount in reais above 0, read as cents. A string is not an amount. */
export const cents: Field<number> = {
  schema: { ...REAIS, exclusiveMinimum: 0, maximum: AMOUNT_CENTS_MAX / 100 },
  read: (value, problems) =>
    centsOf(value) ||
    problems.add(english`must be a JSON number of reais above 0, up to 9999999999.99, with at most two decimals`),
}

/** An amount in reais that may be 0, read as cents. */
export const centsOrZero: Field<number> = {
  schema: { ...REAIS, minimum: 0, maximum: AMOUNT_CENTS_MAX / 100 },
  read: (value, problems) =>
    centsOf(value) ??
    problems.add(english`must be a JSON number of reais from 0 to 9999999999.99 with at most two decimals`),
}

export function wholeNumber(least: number, most: number): Field<number> {
  return {
    schema: { type: 'integer', minimum: least, maximum: most },
    read: (value, problems) =>
      typeof value === 'number' && Number.isInteger(value) && value >= least && value <= most
        ? value
        : problems.add(english`must be a whole number from ${least} to ${most}`),
  }
}

/** A text that `isRight` accepts; `problem` follows the name of the field if not. */
export function textThat(isRight: (text: string) => boolean, problem: string, schema = TEXT): Field<string> {
  const read: Field<string>['read'] = (value, problems) => {
    const given = text.read(value, problems)
    return given === undefined || isRight(given) ? given : problems.add(problem)
  }
  return { schema, read }
}

/** The same field with a description for people. */
export function about<Value>(description: string, field: Field<Value>): Field<Value> {
  return { ...field, schema: describe(description, field.schema) }
}

/**
 * An object with these fields. Members without a field are ignored. `check` judges fields
 * together and gets those that could be read.
 */
export function object<Required extends Fields, Optional extends Fields = Record<never, never>>(
  required: Required,
  optional?: Optional,
  check?: (values: Partial<Members<Required, Optional>>, problems: Problems) => void,
): ObjectField<Members<Required, Optional>> {
  type Values = Members<Required, Optional>
  const members: Fields = { ...required, ...optional }
  return {
    schema: objectOf(schemasOf(required), schemasOf(optional)),
    members,
    read(value, problems) {
      if (!isObject(value)) return problems.add(english`must be an object`)
      const before = problems.all.length
      const values: Record<string, unknown> = {}
      for (const [name, field] of Object.entries(members)) {
        const given = Object.hasOwn(value, name) ? value[name] : undefined
        if (given === null) problems.of(name).add(english`must not be null`)
        else if (given !== undefined) values[name] = field.read(given, problems.of(name))
        else if (Object.hasOwn(required, name)) problems.of(name).add(english`is required`)
      }
      // Each value was read by its own field, so that it has the type of that field.
      const read = values as Values
      check?.(read, problems)
      return problems.all.length === before ? read : undefined
    },
  }
}

function schemasOf(fields: Fields = {}): Record<string, JsonSchema> {
  return Object.fromEntries(Object.entries(fields).map(([name, { schema }]) => [name, schema]))
}

/** Reads all that a body must hold. Throws HttpError 400 with this code and everything that is wrong. */
export function readBody<Value>(body: Field<Value>, values: object, code: ErrorCode): Value {
  const problems = new Problems()
  const read = body.read(values, problems)
  if (read === undefined) throw new HttpError(400, code, problems.all.join('; '))
  return read
}

/** The JSON object in these bytes. Throws HttpError 400 with `code` for anything else, also for text that is not UTF-8. */
export function readJsonObject(bytes: Uint8Array, code: ErrorCode): Readonly<Record<string, unknown>> {
  let value: unknown
  try {
    value = JSON.parse(new TextDecoder('utf-8', { fatal: true }).decode(bytes))
  } catch {
    throw new HttpError(400, code, english`The body is not JSON`)
  }
  if (!isObject(value)) throw new HttpError(400, code, english`The body is not a JSON object`)
  return value
}

/** True for an absolute http or https URL. */
export function isAbsoluteHttpUrl(text: string): boolean {
  if (!/^https?:\/\//i.test(text) || /\s/.test(text)) return false
  return URL.canParse(text)
}

/** An amount in reais as cents, up to the greatest one; undefined for anything else. */
function centsOf(value: unknown): number | undefined {
  const amountCents = typeof value === 'number' ? centsFromJson(value) : undefined
  return amountCents === undefined || amountCents > AMOUNT_CENTS_MAX ? undefined : amountCents
}
