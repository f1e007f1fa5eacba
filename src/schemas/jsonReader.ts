import { AMOUNT_CENTS_MAX, centsFromJson } from '../pix/amount.ts'
import { isTaxDocument, unformattedTaxId } from '../pix/taxDocument.ts'
import { hasControlCharacter } from '../text/safeText.ts'
import { type AnswerFields, isObject } from '../wire/answers.ts'
import {
  ADDRESS,
  ANYTHING,
  BOOLEAN,
  describe,
  enumOf,
  type JsonSchema,
  list as listOf,
  OBJECT,
  objectOf,
  REAIS,
  orNull as schemaOrNull,
  TEXT,
} from './jsonSchema.ts'

/** What can be wrong with JSON from outside. Who asked for it says it in words of their own; of `told` the detail is what to say. */
export type FaultKind =
  | 'missing'
  | 'unknown'
  | 'object'
  | 'list'
  | 'text'
  | 'control-character'
  | 'boolean'
  | 'whole-number'
  | 'choice'
  | 'amount'
  | 'url'
  | 'tax-document'
  | 'told'

/** One thing that is wrong, and where: the names of the members that lead to it. */
export interface Fault {
  kind: FaultKind
  path: readonly string[]
  value: unknown
  /** The words of a choice, or the ends of a range. */
  detail: string
}

/** Takes what is wrong. It returns undefined, so that a reader can return what it returns. */
export type Report = (fault: Fault) => undefined

/** How a value is documented, and how it is read. */
export interface Reader<Value> {
  readonly schema: JsonSchema
  /** Undefined if it reports a fault. */
  readonly read: (value: unknown, report: Report) => Value | undefined
}

/** An object whose members are read each by its own reader. */
export interface ObjectReader<Value> extends Reader<Value> {
  readonly members: Readers
}

/** Readers of members by their names. */
export type Readers = Readonly<Record<string, Reader<unknown>>>

/** What a reader gives. */
export type ReadBy<Each> = Each extends Reader<infer Value> ? Value : never

/** The values of an object with these members. */
export type Members<Required extends Readers, Optional extends Readers = Record<never, never>> = {
  [Name in keyof Required]: ReadBy<Required[Name]>
} & { [Name in keyof Optional]?: ReadBy<Optional[Name]> }

/** What was read, and what is wrong, which is also added to `faults`. If anything is, the value is undefined. */
export function readJson<Value>({ read }: Reader<Value>, json: unknown, faults: Fault[] = []) {
  const value = read(json, (fault) => void faults.push(fault))
  return { value: faults.length === 0 ? value : undefined, faults }
}

/** True if nothing is wrong with the value, for readers that give what they get. */
export function isRead<Value>(reader: Reader<Value>, value: unknown, faults?: Fault[]): value is Value {
  return readJson(reader, value, faults).faults.length === 0
}

/** A value that `read` knows; undefined is a fault of this kind. */
export function reader<Value>(
  schema: JsonSchema,
  read: (value: unknown) => Value | undefined,
  kind: FaultKind,
  detail = '',
): Reader<Value> {
  return { schema, read: (value, report) => read(value) ?? report(wrong(kind, value, detail)) }
}

/** A value that `isRight` accepts. */
export function accepted<Value>(isRight: (value: unknown) => value is Value): Reader<Value> {
  return reader(ANYTHING, (value) => (isRight(value) ? value : undefined), 'choice')
}

/** The same value, if it is right as well. */
export function where<Value>(
  { schema, read }: Reader<Value>,
  isRight: (value: Value) => boolean,
  kind: FaultKind,
  detail = '',
): Reader<Value> {
  return {
    schema,
    read(value, report) {
      const given = read(value, report)
      return given === undefined || isRight(given) ? given : report(wrong(kind, value, detail))
    },
  }
}

/** The same value with a description for people. */
export function about<Value>(description: string, reader: Reader<Value>): Reader<Value> {
  return { ...reader, schema: describe(description, reader.schema) }
}

/** A value of this reader, or null. */
export function orNull<Value>({ schema, read }: Reader<Value>): Reader<Value | null> {
  return { schema: schemaOrNull(schema), read: (value, report) => (value === null ? null : read(value, report)) }
}

export const anything: Reader<unknown> = { schema: ANYTHING, read: (value) => value }

export const anyObject = reader<AnswerFields>(OBJECT, (value) => (isObject(value) ? value : undefined), 'object')

/** Any text, also an empty one. */
export const string = reader(TEXT, (value) => (typeof value === 'string' ? value : undefined), 'text')

/** A text that is not blank. */
export const text = where(string, (value) => value.trim() !== '', 'text')

/** A text that is not blank and has no control characters, and no halves of characters, which SQLite does not keep. */
export const line = where(
  text,
  (value) => !hasControlCharacter(value) && !/\p{Surrogate}/u.test(value),
  'control-character',
)

export const flag = reader(BOOLEAN, (value) => (typeof value === 'boolean' ? value : undefined), 'boolean')

export const url = where({ ...line, schema: ADDRESS }, isAbsoluteHttpUrl, 'url')

export const taxDocument = where(line, (value) => isTaxDocument(unformattedTaxId(value)), 'tax-document')

/** An amount in reais above 0, read as cents. A string is not an amount. */
export const cents = reader(
  { ...REAIS, exclusiveMinimum: 0, maximum: AMOUNT_CENTS_MAX / 100 },
  (value) => centsOf(value) || undefined,
  'amount',
)

/** An amount in reais as cents, up to the greatest one; undefined for anything else. */
export function centsOf(value: unknown): number | undefined {
  const amountCents = typeof value === 'number' ? centsFromJson(value) : undefined
  return amountCents === undefined || amountCents > AMOUNT_CENTS_MAX ? undefined : amountCents
}

export function wholeNumber(least: number, most: number): Reader<number> {
  return reader(
    { type: 'integer', minimum: least, maximum: most },
    (value) =>
      typeof value === 'number' && Number.isInteger(value) && value >= least && value <= most ? value : undefined,
    'whole-number',
    `${least} to ${most}`,
  )
}

/** One of these words. */
export function oneOf<const Word extends string>(words: readonly Word[]): Reader<Word> {
  return reader(enumOf(...words), (value) => words.find((word) => word === value), 'choice', words.join(', '))
}

/** A list; `name` is what each of its values is called. */
export function list<Value>(item: Reader<Value>, name: string): Reader<readonly Value[]> {
  return {
    schema: listOf(item.schema),
    read(value, report) {
      if (!Array.isArray(value)) return report(wrong('list', value))
      return value.flatMap((each: unknown) => {
        const read = item.read(each, inside(name, report))
        return read === undefined ? [] : [read]
      })
    },
  }
}

/** An object with any names, or those that are right, and values of one kind. */
export function byName<Value>(
  item: Reader<Value>,
  isName?: (name: string) => boolean,
): Reader<Readonly<Record<string, Value>>> {
  return {
    schema: { type: 'object', additionalProperties: item.schema },
    read(value, report) {
      if (!isObject(value)) return report(wrong('object', value))
      return Object.fromEntries(
        Object.entries(value).flatMap(([name, each]) => {
          const inner = inside(name, report)
          if (isName?.(name) === false) inner(wrong('unknown', each))
          const read = item.read(each, inner)
          return read === undefined ? [] : [[name, read]]
        }),
      )
    },
  }
}

/**
 * An object with these members, in their order. Members without a reader are ignored. `judge` compares members
 * together and gets those that could be read.
 */
export function object<Required extends Readers, Optional extends Readers = Record<never, never>>(
  required: Required,
  optional?: Optional,
  judge?: (values: Partial<Members<Required, Optional>>, report: Report) => void,
): ObjectReader<Members<Required, Optional>> {
  type Values = Members<Required, Optional>
  const members: Readers = { ...required, ...optional }
  const entries = Object.entries(members)
  return {
    schema: objectOf(schemasOf(required), schemasOf(optional)),
    members,
    read(value, report) {
      if (!isObject(value)) return report(wrong('object', value))
      let isWhole = true
      const noted: Report = (fault) => {
        isWhole = false
        return report(fault)
      }
      const values: Record<string, unknown> = {}
      for (const [name, { read }] of entries) {
        const given = Object.hasOwn(value, name) ? value[name] : undefined
        if (given !== undefined) values[name] = read(given, inside(name, noted))
        else if (Object.hasOwn(required, name)) inside(name, noted)(wrong('missing', given))
      }
      // Each value was read by its own reader, so that it has the type of that reader.
      const read = values as Values
      judge?.(read, noted)
      return isWhole ? read : undefined
    },
  }
}

/** The same object, which has no other members. */
export function exactly<Value>({ schema, members, read }: ObjectReader<Value>): ObjectReader<Value> {
  return {
    schema: { ...schema, additionalProperties: false },
    members,
    read(value, report) {
      const unknown = isObject(value) ? Object.keys(value).find((name) => !Object.hasOwn(members, name)) : undefined
      if (unknown !== undefined) return inside(unknown, report)(wrong('unknown', value))
      return read(value, report)
    },
  }
}

/** True for an absolute http or https URL. */
export function isAbsoluteHttpUrl(value: string): boolean {
  return /^https?:\/\//i.test(value) && !/\s/.test(value) && URL.canParse(value)
}

function wrong(kind: FaultKind, value: unknown, detail = ''): Fault {
  return { kind, path: [], value, detail }
}

function inside(name: string, report: Report): Report {
  return (fault) => report({ ...fault, path: [name, ...fault.path] })
}

function schemasOf(readers: Readers = {}): Record<string, JsonSchema> {
  return Object.fromEntries(Object.entries(readers).map(([name, { schema }]) => [name, schema]))
}
