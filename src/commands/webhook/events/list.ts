import type { Context } from '../../../context.ts'
import { readDuration, wholeNumber } from '../../../optionParsers.ts'
import { parseInstant } from '../../../pix/calendar.ts'
import { columnOf, csvColumns, listColumns } from '../../../terminal/fields.ts'
import type { Column } from '../../../terminal/printer.ts'
import { t } from '../../../text/translate.ts'
import { EVENT_FIELDS, eventDocument, type ListedEvent } from '../../../views/events/eventFields.ts'
import { shownEvent } from '../../../views/events/shownEvent.ts'
import { shortInstantText } from '../../../views/valueText.ts'
import { defineCommand } from '../../command.ts'
import { ALL_ROWS_OPTION, listLimit, suggestAllRows } from '../../listLimit.ts'
import { queryRecordedEvents, type RecordedEventQuery } from '../recordedEvents.ts'

function textColumns(nowMs: number): Column<ListedEvent>[] {
  const column = (name: (typeof EVENT_FIELDS)[number]['name']): Column<ListedEvent> => columnOf(EVENT_FIELDS, name)
  const short = ({ shown }: ListedEvent) => shortInstantText(parseInstant(shown.receivedAt) ?? null, nowMs)
  return [
    column('n'),
    { ...column('receivedAt'), short },
    ...(['event', 'status', 'amount', 'idTransaction', 'forwarded'] as const).map(column),
  ]
}

const LAST_MAX = 1_000_000_000

export const eventsList = defineCommand({
  options: [
    {
      flags: '--since <duration>',
      description: 'only those that arrived within this time: 30m, 1h, 7d',
      parse: readDuration,
    },
    { flags: '--last <count>', description: 'only this many of the newest', parse: wholeNumber(1, LAST_MAX) },
    { ...ALL_ROWS_OPTION, conflicts: { options: ['--last'] } },
    { flags: '--failed', description: 'only those that your server did not accept when they were forwarded' },
  ],
  examples: [
    ['pixgate webhook events', 'what arrived, oldest first'],
    ['pixgate webhook events --since 1h --failed', 'what your server did not accept'],
    ['pixgate webhook events --last 1 -o json', 'the newest, with its exact bytes in Base64'],
  ],
  acceptsCsv: true,
  run: list,
})

async function list(
  context: Context,
  { allRows, ...options }: RecordedEventQuery & { allRows: boolean },
): Promise<number> {
  const limit = options.last === undefined ? listLimit(context, allRows) : null
  // One more tells that there are more.
  const found = await queryRecordedEvents(context, limit === null ? options : { ...options, last: limit + 1 })
  const newest = limit === null ? found : found.slice(-limit)
  const listed = newest.map(({ record, forwards }) => ({ shown: shownEvent(record), forwards }))
  if (listed.length === 0 && context.print.format === 'text') {
    const isLimited = options.since !== undefined || options.failed === true
    reportNothing(context, isLimited ? (await queryRecordedEvents(context, {})).length : 0)
    return 0
  }
  await context.print.listOf(listed, {
    columns: context.print.format === 'csv' ? csvColumns(EVENT_FIELDS) : textColumns(context.now()),
    more: listColumns(EVENT_FIELDS),
    documentOf: eventDocument,
  })
  if (found.length > newest.length) {
    context.terminal.note(t`These are the newest ${newest.length}`)
    suggestAllRows(context, false)
  }
  return 0
}

function reportNothing({ terminal }: Context, recorded: number): void {
  if (recorded > 0) {
    terminal.note(
      recorded === 1 ? t`The one recorded event does not match` : t`None of the ${recorded} recorded events matches`,
    )
    return
  }
  terminal.note(t`No webhook is recorded yet`)
  terminal.next(t`Run \`pixgate webhook listen\` to record those that arrive`)
}
