import type { Context } from '../../../context.ts'
import { readDuration, wholeNumber } from '../../../optionParsers.ts'
import { centsFromJson } from '../../../pix/amount.ts'
import { parseInstant } from '../../../pix/calendar.ts'
import type { Column, Document } from '../../../terminal/printer.ts'
import { t } from '../../../text/translate.ts'
import { cellText, valueAt } from '../../../views/documentFields.ts'
import { amountText, instantText } from '../../../views/valueText.ts'
import { defineCommand } from '../../command.ts'
import { queryRecordedEvents, type RecordedEventQuery } from '../recordedEvents.ts'
import { eventWithForwardsDocument } from './eventWithForwardsDocument.ts'

const CSV_COLUMNS = [
  { path: 'n' },
  { path: 'receivedAt' },
  { path: 'event' },
  { path: 'duplicate' },
  { path: 'pixgate.status' },
  { path: 'pixgate.amount' },
  { path: 'pixgate.idTransaction' },
  { path: 'pixgate.originalTransactionId' },
  { path: 'pixgate.forwarded' },
]

const TEXT_COLUMNS: readonly Column[] = [
  { path: 'n', align: 'right' },
  { path: 'receivedAt', text: (document) => instantText(parseInstant(cellText(document.receivedAt)) ?? null) },
  { path: 'event', text: nameOf },
  { path: 'pixgate.status' },
  { path: 'pixgate.amount', align: 'right', text: amountOf },
  { path: 'pixgate.idTransaction', drop: 2 },
  { path: 'pixgate.forwarded', drop: 1, text: forwardedText },
]

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
  const documents = (await queryRecordedEvents(context, options)).map(eventWithForwardsDocument)
  if (documents.length === 0 && context.print.format === 'text') {
    const isLimited = options.since !== undefined || options.failed === true
    reportNothing(context, isLimited ? (await queryRecordedEvents(context, {})).length : 0)
    return 0
  }
  await context.print.list(documents, context.print.format === 'csv' ? CSV_COLUMNS : TEXT_COLUMNS)
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

function nameOf(document: Document): string {
  const name = cellText(document.event) || t`unknown`
  if (document.valid !== true) return t`${name} (unsigned)`
  return document.duplicate === true ? t`${name} (dup)` : name
}

function amountOf(document: Document): string {
  return amountText(centsFromJson(valueAt(document, 'pixgate.amount')) ?? null)
}

/** The status of the last attempt; `failed` if there was no answer, a dash if it was not forwarded. */
function forwardedText(document: Document): string {
  const { forwards } = document
  if (!Array.isArray(forwards) || forwards.length === 0) return '—'
  return cellText(valueAt(document, 'pixgate.forwarded')) || t`failed`
}
