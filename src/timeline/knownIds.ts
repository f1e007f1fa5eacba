import type { TimelineRecord } from './records.ts'

/** The ids by which a person may name what these records are about: each once, newest first, at most `most`. */
export function knownIds(records: readonly TimelineRecord[], most: number): string[] {
  const ids = new Set<string>()
  for (const record of records.toReversed()) {
    for (const id of idsOf(record)) {
      if (ids.size === most) return [...ids]
      ids.add(id)
    }
  }
  return [...ids]
}

function idsOf(record: TimelineRecord): string[] {
  if (record.type === 'outcome') return record.idTransaction === null ? [] : [record.idTransaction]
  if (record.type === 'intent' && record.kind === 'refund') return [record.originalTransactionId]
  return []
}
