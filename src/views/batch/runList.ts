import type { ChalkInstance } from 'chalk'
import { formatReais } from '../../pix/amount.ts'
import { parseInstant } from '../../pix/calendar.ts'
import { columnOf } from '../../terminal/fields.ts'
import type { Column } from '../../terminal/printer.ts'
import { t } from '../../text/translate.ts'
import { shortInstantText } from '../valueText.ts'
import { type ListedRun, RUN_FIELDS } from './runFields.ts'

/** The columns of a list of runs for people. Where they were sent is only shown if it is not the same for all. */
export function runColumns(runs: readonly ListedRun[], nowMs: number): Column<ListedRun>[] {
  const environments = new Set(runs.map(({ record }) => record.owner.environment))
  const column = (name: (typeof RUN_FIELDS)[number]['name']): Column<ListedRun> => columnOf(RUN_FIELDS, name)
  const short = ({ record }: ListedRun) => shortInstantText(parseInstant(record.at) ?? null, nowMs)
  return [
    { ...column('date'), short },
    column('run'),
    ...(environments.size > 1 ? [column('environment')] : []),
    column('kind'),
    column('file'),
    column('reference'),
    column('rows'),
    { path: 'outcome', header: 'outcome', text: outcomeText, colour: outcomeColour },
  ]
}

/** What became of the rows, the worst first: `1 unknown, 2 refused, 97 accepted`. */
function outcomeText({ tally: { accepted, refused, unknown, notSent }, before }: ListedRun): string {
  const parts = [
    ...(unknown > 0 ? [t`${unknown} unknown`] : []),
    ...(notSent > 0 ? [t`${notSent} not sent`] : []),
    ...(refused > 0 ? [t`${refused} refused`] : []),
    ...(accepted > 0 ? [acceptedText(accepted, before)] : []),
  ]
  return parts.join(', ') || '—'
}

function acceptedText(accepted: number, { rows, cents }: ListedRun['before']): string {
  return rows === 0 ? t`${accepted} accepted` : t`${accepted} accepted (${rows} before, ${formatReais(cents)})`
}

function outcomeColour({ tally }: ListedRun, style: ChalkInstance): ChalkInstance {
  if (tally.unknown > 0) return style.red.bold
  if (tally.refused > 0) return style.red
  return tally.notSent > 0 ? style.yellow : style.green
}
