import type { Context } from '../../../context.ts'
import type { EventWithForwards } from '../../../ledger/events.ts'
import { eventDocument } from '../../../listener/eventFields.ts'
import { readText } from '../../../optionParsers.ts'
import { parseInstant } from '../../../pix/calendar.ts'
import type { Document } from '../../../terminal/printer.ts'
import { labelledLines } from '../../../terminal/terminal.ts'
import { safeText } from '../../../text/safeText.ts'
import { t } from '../../../text/translate.ts'
import { bodyLines } from '../../../views/bodyText.ts'
import { type Cell, layOutCells } from '../../../views/cellLayout.ts'
import { answerTime } from '../../../views/eventText.ts'
import { shownEvent } from '../../../views/shownEvent.ts'
import { instantText } from '../../../views/valueText.ts'
import { withoutPassword } from '../../../wire/address.ts'
import { isSuccessStatus } from '../../../wire/answerVerdict.ts'
import { redactTarget } from '../../../wire/deliverySecrets.ts'
import { UsageError } from '../../../wire/errors.ts'
import { defineCommand } from '../../command.ts'
import { findRecordedEvents } from '../recordedEvents.ts'
import { eventRows, recordRows } from './eventRows.ts'

interface ShowOptions {
  unmask: boolean
  raw: boolean
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
    { flags: '--unmask', description: 'show names, tax documents and e-mail addresses unmasked' },
    { flags: '--raw', description: 'write the exact bytes of the body to standard output, and nothing else' },
  ],
  examples: [
    ['pixgate webhook events show 12', 'facts, headers, deliveries and body'],
    ['pixgate webhook events show 12 --raw > body.json', 'the bytes that were signed'],
  ],
  run: show,
})

async function show(context: Context, { id: name, ...options }: ShowOptions & { id: string }): Promise<number> {
  const found = await findRecordedEvents(context, name)
  const [first] = found
  if (options.raw) {
    writeBytes(context, found, name)
    return 0
  }
  const lines = (event: EventWithForwards) => eventPage(context, event, options.unmask)
  if (first !== undefined && found.length === 1) context.print.one(recordedDocument(first), () => lines(first))
  else if (context.print.format === 'json') await context.print.list(found.map(recordedDocument), [])
  else context.terminal.data(found.map((event) => lines(event).join('\n')).join('\n\n\n'))
  return 0
}

/** Writes to stdout directly: the terminal adds line ends and masks secrets, which would change the bytes. */
function writeBytes({ terminal, runtime }: Context, found: readonly EventWithForwards[], name: string): void {
  const [event, another] = found
  if (event === undefined) return
  if (another !== undefined) {
    throw new UsageError(t`${name} names ${found.length} events, and \`--raw\` writes one`, {
      details: found.map(({ record }) => t`${record.n}: ${record.event ?? '—'} ${record.status ?? '—'}`),
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

function recordedDocument({ record, forwards }: EventWithForwards): Document {
  return eventDocument({ shown: shownEvent(record), forwards })
}

function eventPage(context: Context, event: EventWithForwards, unmask: boolean): string[] {
  const { out } = context.terminal
  const shown = shownEvent(event.record)
  const headers = labelledLines(shown.headers, out)
  return [
    ...labelledLines([...eventRows(shown, out, unmask), ...recordRows(event.record)], out),
    '',
    out.bold(t`Headers`),
    ...(headers.length > 0 ? headers : ['—']),
    '',
    out.bold(t`Forwarded`),
    ...forwardRows(context, event),
    '',
    out.bold(shown.body.length === 1 ? t`Body, 1 byte` : t`Body, ${shown.body.length} bytes`),
    ...bodyLines(shown.body, { style: out, unmask }),
  ]
}

function forwardRows({ terminal }: Context, { forwards }: EventWithForwards): string[] {
  if (forwards.length === 0) return [t`not forwarded`]
  const { out } = terminal
  const columns = terminal.outIsTerminal ? terminal.columns : Number.POSITIVE_INFINITY
  return forwards.flatMap((forward) => {
    const { at, url, status, ms, error } = forward
    const isGood = error === null && status !== null && isSuccessStatus(status)
    const paint = isGood ? out.green : out.red
    const end = `${status ?? ''} ${isGood ? '✓' : '✗'}`.trim()
    const cells: Cell[] = [
      { text: instantText(parseInstant(at) ?? null), paint: out.dim },
      { text: end, paint },
      { text: answerTime(ms), paint: out.dim },
      { text: safeText(redactTarget(withoutPassword(url))) },
      { text: safeText(error ?? ''), paint, isProse: true },
    ]
    return layOutCells(cells, columns, 2)
  })
}
