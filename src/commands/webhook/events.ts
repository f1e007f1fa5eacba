import { defineCommand } from '../../commandDefinition.ts'
import type { Context } from '../../context.ts'
import { type EventWithForwards, nameOfEvent } from '../../ledger/events.ts'
import { readDuration, readText, wholeNumber } from '../../optionParsers.ts'
import { parseInstant } from '../../pix/calendar.ts'
import { ALL_ROWS_OPTION, listLimit, suggestAllRows, UNMASK_ACCEPTED } from '../../steps/optionSets.ts'
import {
  findRecordedEvents,
  queryRecordedEvents,
  type RecordedEventQuery,
} from '../../steps/webhooks/recordedEvents.ts'
import { columnOf, csvColumns, listColumns } from '../../terminal/fields.ts'
import type { Column } from '../../terminal/printer.ts'
import { t } from '../../text/translate.ts'
import { EVENT_CSV, EVENT_FIELDS, eventDocument, type ListedEvent } from '../../views/events/eventFields.ts'
import { eventPage } from '../../views/events/eventPage.ts'
import { shownEvent } from '../../views/events/shownEvent.ts'
import { shortInstantText } from '../../views/valueText.ts'
import { UsageError } from '../../wire/errors.ts'

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
  await context.print.list(listed, {
    columns: context.print.format === 'csv' ? csvColumns(EVENT_FIELDS, EVENT_CSV) : textColumns(context.now()),
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

export const eventsShow = defineCommand({
  arguments: [
    {
      name: '<id>',
      description: 'number of the event, idTransaction, external id, or id of a refunded payment',
      parse: readText,
      completes: 'ids',
    },
  ],
  options: [
    UNMASK_ACCEPTED,
    { flags: '--raw', description: 'write the exact bytes of the body to standard output, and nothing else' },
  ],
  examples: [
    ['pixgate webhook events show 12', 'facts, headers, deliveries and body'],
    ['pixgate webhook events show 12 --raw > body.json', 'the bytes that were signed'],
  ],
  run: show,
})

async function show(context: Context, { id: name, raw }: { id: string; raw: boolean }): Promise<number> {
  const found = await findRecordedEvents(context, name)
  const [first] = found
  if (raw) {
    writeBytes(context, found, name)
    return 0
  }
  const lines = (event: EventWithForwards) => eventPage(context.terminal, event)
  if (first !== undefined && found.length === 1) context.print.one(recordedDocument(first), () => lines(first))
  else if (context.print.format === 'json') await context.print.list(found.map(recordedDocument), { columns: [] })
  else context.terminal.data(found.map((event) => lines(event).join('\n')).join('\n\n\n'))
  return 0
}

/** Writes to stdout directly: the terminal adds line ends and masks secrets, which would change the bytes. */
function writeBytes({ terminal, runtime }: Context, found: readonly EventWithForwards[], name: string): void {
  const [event, another] = found
  if (event === undefined) return
  if (another !== undefined) {
    throw new UsageError(t`${name} names ${found.length} events, and \`--raw\` writes one`, {
      details: found.map(({ record }) => t`${nameOfEvent(record)}: ${record.event ?? '—'} ${record.status ?? '—'}`),
      hint: t`Name one of them by its number`,
    })
  }
  if (terminal.outIsTerminal) {
    throw new UsageError(t`\`--raw\` does not write to a terminal, which the bytes could control`, {
      hint: t`Redirect standard output to a file, such as \`> body.json\``,
    })
  }
  runtime.stdout.write(Buffer.from(event.record.bodyBase64, 'base64'))
}

function recordedDocument({ record, forwards }: EventWithForwards) {
  return eventDocument({ shown: shownEvent(record), forwards })
}
