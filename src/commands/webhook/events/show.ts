import type { Context } from '../../../context.ts'
import { type EventWithForwards, nameOfEvent } from '../../../ledger/events.ts'
import { readText } from '../../../optionParsers.ts'
import type { Document } from '../../../terminal/printer.ts'
import { t } from '../../../text/translate.ts'
import { eventDocument } from '../../../views/events/eventFields.ts'
import { eventPage } from '../../../views/events/eventPage.ts'
import { shownEvent } from '../../../views/events/shownEvent.ts'
import { UsageError } from '../../../wire/errors.ts'
import { defineCommand } from '../../command.ts'
import { UNMASK_ACCEPTED } from '../../unmaskOption.ts'
import { findRecordedEvents } from '../recordedEvents.ts'

interface ShowOptions {
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
    UNMASK_ACCEPTED,
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
  const lines = (event: EventWithForwards) => eventPage(context.terminal, event)
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

function recordedDocument({ record, forwards }: EventWithForwards): Document {
  return eventDocument({ shown: shownEvent(record), forwards })
}
