import { hash } from 'node:crypto'
import { isRead, list, object, type ReadBy, readJson, string } from '../schemas/jsonReader.ts'
import { t } from '../text/translate.ts'
import { parseJson } from '../wire/jsonTree.ts'

/**
 * The absolute path of the file, on the machine on which the rule was set, the text of the file, and the people of it who were revoked since.
 */
const APPROVERS = object({ file: string, list: string }, { revoked: list(string, 'revoked') })

type RecordedApprovers = ReadBy<typeof APPROVERS>

/** A person with a key in the list. */
export interface Approver {
  principal: string
  /** As OpenSSH shows it. */
  fingerprint: string
}

/** The value of the rule `approvers`. */
export function approversValue({ file, list, revoked = [] }: RecordedApprovers): string {
  return JSON.stringify({ file, list, ...(revoked.length === 0 ? {} : { revoked }) })
}

/** True for the value of the rule, whatever is in its list. */
export function isApproversValue(text: string): boolean {
  return isRead(APPROVERS, parseJson(text))
}

function readValue(value: string): Required<RecordedApprovers> {
  const { value: recorded } = readJson(APPROVERS, JSON.parse(value))
  if (recorded === undefined) throw new Error('the rule `approvers` has no list')
  return { revoked: [], ...recorded }
}

/** The list of approvers in the value of the rule, without the people who were revoked, with its hex SHA-256. `recorded` is the text of the file. */
export function recordedApprovers(value: string) {
  const { file, list: recorded, revoked } = readValue(value)
  const lines = recorded.split('\n').filter((line) => !revoked.includes(personOf(line)))
  const list = lines.join('\n')
  return { file, list, recorded, revoked, sha256: hash('sha256', list) }
}

/** The value after a person was revoked; undefined if the list does not have that person, or would be left with fewer than two people. */
export function withoutApprover(value: string, principal: string): string | undefined {
  const people = principalsOf(value)
  if (!people.has(principal) || people.size <= APPROVERS_MIN) return undefined
  const { revoked, ...recorded } = readValue(value)
  return approversValue({ ...recorded, revoked: [...revoked, principal] })
}

/** With fewer, no one could approve what another person made. */
export const APPROVERS_MIN = 2

/** The people who may approve. */
export function principalsOf(value: string): Set<string> {
  return new Set(linesOf(value).map(personOf))
}

/** The people who may approve, each with the fingerprint of a key. */
export function approversOf(value: string): Approver[] {
  return linesOf(value).map(approverIn)
}

/** Who may approve, by name. */
export function approversText(value: string): string {
  return [...principalsOf(value)].join(', ')
}

/** What another list changes: the lines of people that it no longer has, and those that are new. */
export function changedApprovers(from: string | null, to: string | null): { removed: Approver[]; added: Approver[] } {
  const [before, after] = [from === null ? [] : linesOf(from), to === null ? [] : linesOf(to)]
  return {
    removed: before.filter((line) => !after.includes(line)).map(approverIn),
    added: after.filter((line) => !before.includes(line)).map(approverIn),
  }
}

/** The same as a sentence without a full stop. */
export function changedApproversText(from: string | null, to: string | null): string {
  const { removed, added } = changedApprovers(from, to)
  if (removed.length + added.length === 0) return t`the same people`
  return [
    ...removed.map(({ principal, fingerprint }) => t`removed ${principal} (${fingerprint})`),
    ...added.map(({ principal, fingerprint }) => t`added ${principal} (${fingerprint})`),
  ].join(', ')
}

/** True if two values name the same people with the same keys, wherever the file is. */
export function isSameList(one: string, other: string): boolean {
  return linesOf(one).toSorted().join('\n') === linesOf(other).toSorted().join('\n')
}

/** The fingerprint of the Base64 of a public key, as OpenSSH shows it. */
export function fingerprintOf(key: string): string {
  return `SHA256:${hash('sha256', Buffer.from(key, 'base64'), 'base64').replace(/=+$/, '')}`
}

/** A key type begins with letters and has no `=`; everything before it is the name and options. */
export const KEY_TYPE = /^(?:ssh-|ecdsa-|sk-)/

/** The lines of people, each in one spelling: without the comment of its key. */
function linesOf(value: string): string[] {
  return recordedApprovers(value)
    .list.split('\n')
    .map((line) => line.trim())
    .filter((line) => line !== '' && !line.startsWith('#'))
    .map((line) => {
      const words = line.split(/[ \t]+/)
      const at = words.findIndex((word) => KEY_TYPE.test(word))
      return (at === -1 ? words : words.slice(0, at + 2)).join(' ')
    })
}

function personOf(line: string): string {
  return line.trim().split(/[ \t]+/)[0] ?? ''
}

/** A person in a line of {@link linesOf}, whose last word is the key. Options beside the namespace tell two lines apart. */
function approverIn(line: string): Approver {
  const [principal = '', ...words] = line.split(' ')
  const options = words.slice(0, -2).filter((word) => !/^namespaces="[^",]*"$/.test(word))
  return { principal, fingerprint: [fingerprintOf(words.at(-1) ?? ''), ...options].join(', ') }
}
