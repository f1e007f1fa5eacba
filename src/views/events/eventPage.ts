import type { EventWithForwards } from '../../ledger/events.ts'
import { parseInstant } from '../../pix/calendar.ts'
import { labelledLines, type Terminal } from '../../terminal/terminal.ts'
import { type Cell, layOutCells } from '../../text/cellLayout.ts'
import { safeText } from '../../text/safeText.ts'
import { t } from '../../text/translate.ts'
import { withoutPassword } from '../../wire/address.ts'
import { redactTarget } from '../../wire/deliverySecrets.ts'
import { isReceived } from '../../wire/deliveryVerdict.ts'
import { instantText } from '../valueText.ts'
import { bodyLines } from './bodyText.ts'
import { eventRows, recordRows } from './eventRows.ts'
import { answerTime } from './eventText.ts'
import { shownEvent } from './shownEvent.ts'

/** Everything about a recorded event, nothing masked: its facts, headers, forwards and body. */
export function eventPage(terminal: Terminal, event: EventWithForwards): string[] {
  const { out } = terminal
  const shown = shownEvent(event.record)
  const headers = labelledLines(shown.headers, out)
  return [
    ...labelledLines([...eventRows(shown, out, true), ...recordRows(event.record)], out),
    '',
    out.bold(t`Headers`),
    ...(headers.length > 0 ? headers : ['—']),
    '',
    out.bold(t`Forwarded`),
    ...forwardRows(terminal, event),
    '',
    out.bold(shown.body.length === 1 ? t`Body, 1 byte` : t`Body, ${shown.body.length} bytes`),
    ...bodyLines(shown.body, { style: out, unmask: true }),
  ]
}

function forwardRows(terminal: Terminal, { forwards }: EventWithForwards): string[] {
  if (forwards.length === 0) return [t`not forwarded`]
  const { out } = terminal
  const columns = terminal.outIsTerminal ? terminal.columns : Number.POSITIVE_INFINITY
  return forwards.flatMap((forward) => {
    const { at, url, status, ms, error } = forward
    const isGood = isReceived(forward)
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
