import type { Context } from '../../../context.ts'
import { centsFromJson } from '../../../pix/amount.ts'
import { parseInstant } from '../../../pix/calendar.ts'
import type { Column, Document } from '../../../terminal/printer.ts'
import { t } from '../../../text/words.ts'
import { chosenEvents } from '../../../timeline/eventChoice.ts'
import { cellText, valueAt } from '../../../views/fields.ts'
import { amountText, instantText } from '../../../views/payment.ts'
import { defineCommand } from '../../command.ts'
import { readEventWishes, recordedEvents, type TypedEventWishes } from '../recordedEvents.ts'
import { recordedDocument } from './recordedDocument.ts'

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

/** Of a terminal that shows the columns up to this one without a break. */
const COLUMNS_FOR_FORWARDED = 96
const COLUMNS_FOR_ID = 134

/** `pixgate webhook events list`, which is also the bare `pixgate webhook events`. */
export const eventsList = defineCommand({
  description: 'The webhooks that were recorded on this machine, and what became of passing them on',
  options: [
    { flags: '--since <duration>', description: 'only those that arrived in the last 30m, 1h, 7d' },
    { flags: '--last <count>', description: 'only so many of the newest' },
    { flags: '--failed', description: 'only those that your server did not take when they were passed on' },
  ],
  examples: [
    ['pixgate webhook events', 'what arrived, oldest first'],
    ['pixgate webhook events --since 1h --failed', 'what your server did not take'],
    ['pixgate webhook events --last 1 -o json', 'the newest, with its exact bytes in Base64'],
  ],
  run: list,
})

async function list(context: Context, options: TypedEventWishes): Promise<number> {
  const wishes = readEventWishes(context, options)
  const all = await recordedEvents(context)
  const documents = chosenEvents(all, wishes).map(recordedDocument)
  if (documents.length === 0 && context.print.format === 'text') {
    sayNothingFound(context, all.length)
    return 0
  }
  await context.print.list(documents, context.print.format === 'csv' ? CSV_COLUMNS : textColumns(context, documents))
  return 0
}

function sayNothingFound({ terminal }: Context, recorded: number): void {
  if (recorded > 0) {
    terminal.note(t`None of the ${recorded} recorded events is like that`)
    return
  }
  terminal.note(t`No webhook was recorded on this machine yet`)
  terminal.next(t`\`pixgate webhook listen\` records those that arrive`)
}

function textColumns({ terminal }: Context, documents: readonly Document[]): Column[] {
  const columns = terminal.outIsTerminal ? terminal.columns : Number.POSITIVE_INFINITY
  const width = terminal.outIsTerminal ? Math.max(0, ...documents.map((each) => amountOf(each).length)) : 0
  return [
    { path: 'n' },
    { path: 'receivedAt', text: (document) => instantText(parseInstant(cellText(document.receivedAt)) ?? null) },
    { path: 'event', text: nameOf },
    { path: 'pixgate.status' },
    { path: 'pixgate.amount', text: (document) => amountOf(document).padStart(width) },
    ...(columns < COLUMNS_FOR_ID ? [] : [{ path: 'pixgate.idTransaction' }]),
    ...(columns < COLUMNS_FOR_FORWARDED ? [] : [{ path: 'pixgate.forwarded', text: forwardedText }]),
  ]
}

function nameOf(document: Document): string {
  const name = cellText(document.event) || t`unknown`
  if (document.valid !== true) return t`${name} (unsigned)`
  return document.duplicate === true ? t`${name} (dup)` : name
}

function amountOf(document: Document): string {
  return amountText(centsFromJson(valueAt(document, 'pixgate.amount')) ?? null)
}

/** The status of the last attempt; `failed` where there was no answer, a dash where nobody tried. */
function forwardedText(document: Document): string {
  const { forwards } = document
  if (!Array.isArray(forwards) || forwards.length === 0) return '—'
  return cellText(valueAt(document, 'pixgate.forwarded')) || t`failed`
}
