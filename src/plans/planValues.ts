import { t } from '../text/translate.ts'
import { isObject } from '../wire/answers.ts'

/** What is wrong with a plan: the end of a sentence. */
export class PlanFault extends Error {}

type Members = Readonly<Record<string, unknown>>

/** An object with all these members, maybe the optional ones, and no others. Throws PlanFault. */
export function objectIn(
  members: Members,
  key: string,
  required: readonly string[],
  optional: readonly string[] = [],
): Record<string, unknown> {
  const value = members[key]
  if (!isObject(value)) throw new PlanFault(t`\`${key}\` is not an object`)
  const missing = required.find((each) => !Object.hasOwn(value, each))
  if (missing !== undefined) throw new PlanFault(t`\`${missing}\` is missing`)
  const unknown = Object.keys(value).find((each) => !required.includes(each) && !optional.includes(each))
  if (unknown !== undefined) throw new PlanFault(t`\`${unknown}\` is not part of a plan`)
  return value
}

/** A text that is not empty. Throws PlanFault. */
export function textIn(members: Members, key: string): string {
  const value = members[key]
  if (typeof value === 'string' && value.trim() !== '') return value
  throw new PlanFault(t`\`${key}\` is not a text`)
}

export function textOrNullIn(members: Members, key: string): string | null {
  return members[key] === null ? null : textIn(members, key)
}

/** A whole number from 0. Throws PlanFault. */
export function countIn(members: Members, key: string): number {
  const value = members[key]
  if (typeof value === 'number' && Number.isSafeInteger(value) && value >= 0) return value
  throw new PlanFault(t`\`${key}\` is not a whole number`)
}

export function booleanIn(members: Members, key: string): boolean {
  const value = members[key]
  if (typeof value === 'boolean') return value
  throw new PlanFault(t`\`${key}\` is neither true nor false`)
}

/** A list of texts that are not empty. Throws PlanFault. */
export function textsIn(members: Members, key: string): string[] {
  const texts = namesIn(members, key)
  if (texts.some((text) => text.trim() === '')) throw new PlanFault(t`\`${key}\` has an empty text`)
  return texts
}

/** A list of texts, which may be empty. Throws PlanFault. */
export function namesIn(members: Members, key: string): string[] {
  const value = members[key]
  if (Array.isArray(value)) {
    const texts = value.filter((each: unknown) => typeof each === 'string')
    if (texts.length === value.length) return texts
  }
  throw new PlanFault(t`\`${key}\` is not a list of texts`)
}

/** Whole numbers by name. Throws PlanFault. */
export function placesIn(members: Members, key: string): Record<string, number> {
  const value = members[key]
  if (!isObject(value)) throw new PlanFault(t`\`${key}\` is not an object`)
  return Object.fromEntries(Object.keys(value).map((name) => [name, countIn(value, name)]))
}
