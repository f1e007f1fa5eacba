import { hash } from 'node:crypto'
import { t } from '../text/translate.ts'
import { isObject } from '../wire/answers.ts'

/** So much of a checksum tells two lists apart. */
const DIGITS = 12

interface RecordedApprovers {
  /** The absolute path of the file, on the machine on which the rule was set. */
  file: string
  /** The text of the file. */
  list: string
}

/** The value of the rule `approvers`. */
export function approversValue({ file, list }: RecordedApprovers): string {
  return JSON.stringify({ file, list })
}

/** The list of approvers in the value of the rule, with its hex SHA-256. */
export function recordedApprovers(value: string): RecordedApprovers & { sha256: string } {
  const parsed: unknown = JSON.parse(value)
  const { file, list } = isObject(parsed) ? parsed : {}
  if (typeof file !== 'string' || typeof list !== 'string') throw new Error('the rule `approvers` has no list')
  return { file, list, sha256: hash('sha256', list) }
}

/** The path of the file. */
export function approversFile(value: string): string {
  return recordedApprovers(value).file
}

/** The path of the file, and the beginning of the checksum of the list. */
export function approversText(value: string): string {
  const { file, sha256 } = recordedApprovers(value)
  return t`${file} (SHA-256 ${sha256.slice(0, DIGITS)}…)`
}

/** True if two values name the same people, wherever the file is. */
export function isSameList(one: string, other: string): boolean {
  return recordedApprovers(one).list === recordedApprovers(other).list
}
