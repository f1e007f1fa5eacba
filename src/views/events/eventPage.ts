import type { ChalkInstance } from 'chalk'
import type { EventWithForwards } from '../../ledger/events.ts'
import type { EventRecord, LedgerRecord } from '../../ledger/records.ts'
import { parseInstant } from '../../pix/calendar.ts'
import { type LabelledRow, labelledLines, type Terminal } from '../../terminal/terminal.ts'
import { type Cell, layOutCells } from '../../text/cellLayout.ts'
import { safeText } from '../../text/safeText.ts'
import { t } from '../../text/translate.ts'
import { withoutPassword } from '../../wire/baseAddress.ts'
import { failureSentence, withCode } from '../../wire/errorCodes.ts'
import type { EventFacts } from '../../wire/eventFacts.ts'
import { isReceived, redactTarget } from '../../wire/signature.ts'
import { amountText, instantText, statusColour, writerText } from '../valueText.ts'
import { answerTime, bodyLines, errorText, isAlarming, personText } from './eventText.ts'
import { type ShownEvent, shownEvent } from './shownEvent.ts'

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

/** What a webhook says, as labels and values. */
export function eventRows(shown: ShownEvent, style: ChalkInstance, unmask: boolean): LabelledRow[] {
  const { n, event, facts } = shown
  const alarm = isAlarming(shown)
  const colour = alarm ? style.red.bold : style.bold
  const status = facts?.status ?? null
  const rows: LabelledRow[] = [
    [t`number`, n === null ? '' : String(n)],
    [t`event`, `${alarm ? '!! ' : ''}${event ?? facts?.event ?? t`unknown`}`, colour],
    [t`status`, status ?? '—', alarm ? colour : statusColour(status, style)],
    ...(facts === undefined ? [] : errorRows(facts, style, unmask)),
    [t`amount`, amountText(facts?.amountCents ?? null)],
    [t`id`, facts?.idTransaction ?? '—'],
    [t`original id`, facts?.originalTransactionId ?? ''],
    [t`external id`, facts?.externalId ?? ''],
    [facts?.subject === 'transfer' ? t`to` : t`from`, facts === undefined ? '' : personText(facts, unmask)],
    [t`happened`, facts?.happenedAt ? happenedText(facts.happenedAt) : ''],
  ]
  return rows.filter(([, value]) => value !== '')
}

/** What the code of an event means, as for its payment, and what the gateway says beside it. */
function errorRows(facts: EventFacts, style: ChalkInstance, unmask: boolean): LabelledRow[] {
  const { errorCode, errorMessage } = facts
  const meaning = failureSentence(errorCode, null)
  if (meaning === null) return [[t`error`, errorText(facts, unmask), style.red]]
  const words = errorText({ ...facts, errorCode: null }, unmask)
  return [
    [t`error`, withCode(meaning, errorCode) ?? '', style.red],
    ['', errorMessage === null ? '' : t`The gateway says: ${words}`],
  ]
}

/** What the ledger knows of a recorded webhook besides its contents. */
export function recordRows(record: LedgerRecord<EventRecord>): LabelledRow[] {
  const { id, isSigned, isPending, duplicateOf } = record
  const rows: LabelledRow[] = [
    [t`arrived`, arrivalText(record)],
    [t`signature`, isSigned ? t`✓ valid` : t`? none; it was accepted without one`],
    [t`duplicate of`, duplicateOf === null || isPending === true ? '' : String(duplicateOf)],
    [t`account`, accountText(record)],
    [t`by`, writerText(record)],
    [t`pending`, isPending === true ? t`it waits on this machine until the shared ledger is reached` : ''],
    [t`record`, id],
  ]
  return rows.filter(([, value]) => value !== '')
}

function arrivalText({ at, via, target }: LedgerRecord<EventRecord>): string {
  const time = instantText(parseInstant(at) ?? null)
  return via === 'import' ? t`${time}, by import` : t`${time} at ${redactTarget(target)}`
}

function accountText({ owner }: LedgerRecord<EventRecord>): string {
  const { profile, environment, baseUrl, clientId } = owner
  const parts = [profile, environment, baseUrl, clientId === null ? null : t`client id ${clientId}`]
  return parts.filter((part) => part !== null).join(', ')
}

/** As the sender wrote it if it cannot be read as a time. */
function happenedText(happenedAt: string): string {
  const atMs = parseInstant(happenedAt)
  return atMs === undefined ? happenedAt : instantText(atMs)
}
