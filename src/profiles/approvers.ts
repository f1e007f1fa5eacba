import { hash } from 'node:crypto'
import { object, type ReadBy, readJson, string } from '../schemas/jsonReader.ts'
import { t } from '../text/translate.ts'

/** So much of a checksum tells two lists apart. */
const DIGITS = 12

/** The absolute path of the file, on the machine on which the rule was set, and the text of the file. */
const APPROVERS = object({ file: string, list: string })

type RecordedApprovers = ReadBy<typeof APPROVERS>

/** The value of the rule `approvers`. */
export function approversValue({ file, list }: RecordedApprovers): string {
  return JSON.stringify({ file, list })
}

/** The list of approvers in the value of the rule, with its hex SHA-256. */
export function recordedApprovers(value: string): RecordedApprovers & { sha256: string } {
  const { value: recorded } = readJson(APPROVERS, JSON.parse(value))
  if (recorded === undefined) throw new Error('the rule `approvers` has no list')
  const { file, list } = recorded
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
