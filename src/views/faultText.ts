import { t } from '../text/translate.ts'

/** What is wrong in a file, and where. */
export interface ShownFault {
  row?: number
  line: number
  column: string
  message: string
}

const PLACES_MAX = 5

/** The faults of a file as lines for a person; equal ones are one line with a count and the first places. */
export function faultLines(faults: readonly ShownFault[]): string[] {
  const equal = new Map<string, ShownFault[]>()
  for (const fault of faults) {
    const key = JSON.stringify([fault.column, fault.message])
    const others = equal.get(key)
    if (others === undefined) equal.set(key, [fault])
    else others.push(fault)
  }
  const groups = [...equal.values()].filter((group) => group.length > PLACES_MAX)
  const grouped = new Set(groups.flat())
  return [...groups.flatMap(groupLine), ...faults.filter((fault) => !grouped.has(fault)).map(faultLine)]
}

function faultLine({ row, line, column, message }: ShownFault): string {
  return row === undefined || row === line
    ? t`line ${line}, ${column}: ${message}`
    : t`line ${line} (row ${row}), ${column}: ${message}`
}

function groupLine(group: readonly ShownFault[]): string[] {
  const [first] = group
  if (first === undefined) return []
  const places = group.slice(0, PLACES_MAX).map(({ row, line }) => placeText(line, row))
  return [t`${group.length} rows, ${first.column}: ${first.message} (lines ${places.join(', ')} and others)`]
}

function placeText(line: number, row: number | undefined): string {
  return row === undefined || row === line ? String(line) : t`${line} (row ${row})`
}
