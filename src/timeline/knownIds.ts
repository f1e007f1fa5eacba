import type { LedgerRecord } from './records.ts'

/** The ids by which a person may name what these records are about: each once, newest first, at most `most`. */
export function knownIds(records: readonly LedgerRecord[], most: number): string[] {
  const ids = new Set<string>()
  for (const record of records.toReversed()) {
    for (const id of idsOf(record)) {
      if (ids.size === most) return [...ids]
      ids.add(id)
    }
  }
  return [...ids]
}

function idsOf(record: LedgerRecord): string[] {
  if (record.type === 'outcome' || record.type === 'event')
    return record.idTransaction === null ? [] : [record.idTransaction]
  if (record.type === 'intent' && record.kind === 'refund') return [record.originalTransactionId]
  return []
}
