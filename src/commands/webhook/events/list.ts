import type { Context } from '../../../context.ts'
import { EVENT_FIELDS, eventDocument } from '../../../listener/eventFields.ts'
import { readDuration, wholeNumber } from '../../../optionParsers.ts'
import { columnOf, csvColumns, listColumns } from '../../../terminal/fields.ts'
import { t } from '../../../text/translate.ts'
import { shownEvent } from '../../../views/shownEvent.ts'
import { defineCommand } from '../../command.ts'
import { queryRecordedEvents, type RecordedEventQuery } from '../recordedEvents.ts'

const TEXT_COLUMNS = (['n', 'receivedAt', 'event', 'status', 'amount', 'idTransaction', 'forwarded'] as const).map(
  (name) => columnOf(EVENT_FIELDS, name),
)

const LAST_MAX = 1_000_000_000

export const eventsList = defineCommand({
  options: [
    {
      flags: '--since <duration>',
      description: 'only those that arrived within this time: 30m, 1h, 7d',
      parse: readDuration,
    },
    { flags: '--last <count>', description: 'only this many of the newest', parse: wholeNumber(1, LAST_MAX) },
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

async function list(context: Context, options: RecordedEventQuery): Promise<number> {
  const found = await queryRecordedEvents(context, options)
  const listed = found.map(({ record, forwards }) => ({ shown: shownEvent(record), forwards }))
  if (listed.length === 0 && context.print.format === 'text') {
    const isLimited = options.since !== undefined || options.failed === true
    reportNothing(context, isLimited ? (await queryRecordedEvents(context, {})).length : 0)
    return 0
  }
  await context.print.listOf(listed, {
    columns: context.print.format === 'csv' ? csvColumns(EVENT_FIELDS) : TEXT_COLUMNS,
    more: listColumns(EVENT_FIELDS),
    documentOf: eventDocument,
  })
  return 0
}

function reportNothing({ terminal }: Context, recorded: number): void {
  if (recorded > 0) {
    terminal.note(t`None of the ${recorded} recorded events matches`)
    return
  }
  terminal.note(t`No webhook is recorded on this machine yet`)
  terminal.next(t`Run \`pixgate webhook listen\` to record those that arrive`)
}
