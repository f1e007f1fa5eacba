import { HashMap } from './hashMap.ts'
import type { LedgerFilter } from './ledgerFilter.ts'
import { isIntentMark } from './lineGlance.ts'
import type { SelectedLines, Wished } from './lineSelection.ts'
import type { LineTable } from './lineTable.ts'
import { hashOf, keyHashOf } from './textHash.ts'

/** Which transactions are asked for: those of which any of this is true. */
export interface Wanted {
  /** Any name of theirs: an own id, idTransaction, external id, request number, the id of a returned payment, or a run. */
  names: readonly string[]
  /** PIX keys that money went to, in any spelling. */
  keys?: readonly string[]
  /** Something was sent or answered at this time or later, in ms since the epoch. */
  sinceMs?: number
}

/** Everything that the logs hold. */
export function allOf(timeline: LineTable, journal: LineTable): SelectedLines {
  return { timeline: [...Array(timeline.count).keys()], journal: [...Array(journal.count).keys()] }
}

/** The records of the runs of this name. */
export function runsNamed(run: string, timeline: LineTable): SelectedLines {
  const name = hashOf(run)
  const lines: number[] = []
  for (let index = 0; index < timeline.count; index++) {
    if (timeline.mark(index) === 'run' && timeline.name(index) === name) lines.push(index)
  }
  return { timeline: lines, journal: [] }
}

/** The intents that a filter may mean, all that it means among them. */
export function meantBy(
  { sinceMs, beforeMs, kind, reference, by, profile }: LedgerFilter,
  timeline: LineTable,
): Wished {
  const [user, account, name] = [by, profile, reference].map(hashOf)
  const lines: number[] = []
  for (let index = 0; index < timeline.count; index++) {
    const mark = timeline.mark(index)
    if (kind === null ? !isIntentMark(mark) : mark !== kind) continue
    if (sinceMs !== null && timeline.atMs(index) < sinceMs) continue
    if (beforeMs !== null && timeline.atMs(index) >= beforeMs) continue
    if (user !== 0 && timeline.user(index) !== user) continue
    if (account !== 0 && timeline.profile(index) !== account) continue
    if (name !== 0 && ![timeline.name(index), timeline.otherName(index), timeline.reference(index)].includes(name ?? 0))
      continue
    lines.push(index)
  }
  return { lines, events: [] }
}

/** The lines of what is asked for, and the events that name it. */
export function wishedBy(wanted: Wanted, timeline: LineTable, journal: LineTable): Wished {
  const names = setOf(wanted.names.map(hashOf))
  const keys = setOf((wanted.keys ?? []).map(keyHashOf))
  const sinceMs = wanted.sinceMs ?? Number.POSITIVE_INFINITY
  const lines: number[] = []
  for (let index = 0; index < timeline.count; index++) {
    const otherName = timeline.otherName(index)
    const isNamed =
      names.has(timeline.name(index)) ||
      names.has(timeline.link(index)) ||
      names.has(otherName) ||
      names.has(timeline.run(index))
    if (isNamed || keys.has(otherName) || timeline.atMs(index) >= sinceMs) lines.push(index)
  }
  const events: number[] = []
  for (let index = 0; index < journal.count; index++) {
    if (names.has(journal.name(index)) || names.has(journal.otherName(index))) events.push(index)
  }
  return { lines, events }
}

function setOf(hashes: readonly number[]): HashMap {
  const set = new HashMap()
  for (const hash of hashes) set.set(hash, 1)
  return set
}
