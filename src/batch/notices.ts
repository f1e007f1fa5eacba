import { formatReais } from '../pix/amount.ts'
import { type Database, integerOf } from '../storage/sqlite.ts'
import { t } from '../text/words.ts'
import type { RunPlan } from './runPlan.ts'

/** Rows to send with the same target and amount as one above. */
export interface EqualRows {
  count: number
  /** The first of them, and the row above; null if there is none. */
  first: { line: number; like: number } | null
}

/** Counts the rows of a run to send that equal one above them. */
export function equalRows(database: Database, run: string): EqualRows {
  const row = database.get(
    `SELECT count(*) AS rows, min(line) AS line FROM run_row
     WHERE run = ? AND is_left_out = 0 AND EXISTS (SELECT 1 ${EQUAL_ABOVE})`,
    run,
  )
  const count = row === undefined ? 0 : integerOf(row, 'rows')
  if (row === undefined || count === 0) return { count: 0, first: null }
  const line = integerOf(row, 'line')
  const above = database.get(
    `SELECT (SELECT min(above.line) ${EQUAL_ABOVE}) AS line FROM run_row WHERE run = ? AND line = ?`,
    run,
    line,
  )
  return { count, first: above === undefined ? null : { line, like: integerOf(above, 'line') } }
}

const EQUAL_ABOVE = `FROM run_row above WHERE above.run = run_row.run AND above.comparable_key = run_row.comparable_key
  AND above.amount_cents IS run_row.amount_cents AND above.line < run_row.line`

/** What a person should look at before the rows are sent, as sentences, the graver ones first; none for what is in order. */
export function noticeTexts(
  { unusual, unusualCount, unknownAmounts }: Pick<RunPlan, 'unusual' | 'unusualCount' | 'unknownAmounts'>,
  equal: EqualRows,
  swallowedLine: number | null,
): string[] {
  const texts: string[] = []
  const [first] = unusual
  if (first !== undefined) {
    texts.push(
      t`Amounts far above what the key was paid before: ${unusualCount}, the first on line ${first.line}: ${formatReais(first.amountCents)} to ${first.key}, which usually gets ${formatReais(first.medianCents)}`,
    )
  }
  if (equal.first !== null) {
    texts.push(
      t`Rows with the same destination and amount as one above: ${equal.count}, the first on line ${equal.first.line}, like line ${equal.first.like}. Each is a payment of its own`,
    )
  }
  if (swallowedLine !== null) {
    texts.push(
      t`A cell on line ${swallowedLine} has several lines with the separator in them: is a quote closed too late, and are these rows?`,
    )
  }
  if (unknownAmounts > 0)
    texts.push(t`Refunds of all that is left, which the total does not include: ${unknownAmounts}`)
  return texts
}
