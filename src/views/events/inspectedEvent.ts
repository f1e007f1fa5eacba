import type { EventDetail, EventLine, ForwardLine, LabelledText, Tone } from '../../inspector/pageData.ts'
import { type EventWithForwards, nameOfEvent } from '../../ledger/events.ts'
import type { ForwardRecord, LedgerRecord } from '../../ledger/records.ts'
import type { Delivery } from '../../listener/listenerServer.ts'
import { parseInstant } from '../../pix/calendar.ts'
import { EVENT_NAMES } from '../../schemas/webhookBodies.ts'
import { type LabelledRow, styleFor } from '../../terminal/terminal.ts'
import { safeLines, safeText } from '../../text/safeText.ts'
import { t } from '../../text/translate.ts'
import { withoutPassword } from '../../wire/baseAddress.ts'
import { isSecretHeader, withoutSecretParameters } from '../../wire/secret.ts'
import { isReceived } from '../../wire/signature.ts'
import { amountText, instantText, maskText } from '../valueText.ts'
import { adviceFor, shownDelivery } from './deliveryText.ts'
import { eventRows, recordRows } from './eventPage.ts'
import {
  answerAdvice,
  answerTime,
  bodyLines,
  clockText,
  eventVerdict,
  eventVerdictText,
  isAlarming,
  verdictTone,
} from './eventText.ts'
import { type ShownEvent, shownEvent } from './shownEvent.ts'

/** No colours: the page has its own. */
export const PLAIN_STYLE = styleFor(false, { forbidden: true, env: {} })

/** A delivery that the page shows, recorded or only in memory. */
export interface InspectedEvent {
  key: string
  order: EventLine['order']
  shown: ShownEvent
  forwards: readonly LedgerRecord<ForwardRecord>[]
  facts: readonly LabelledRow[]
  advice: string
  isRecorded: boolean
  isProduction: boolean
}

const HIDDEN = '••••'
const EVENT_CHARACTERS_MAX = 64

/** An event of the ledger. */
export function recordedEvent({ record, forwards }: EventWithForwards): InspectedEvent {
  return {
    key: nameOfEvent(record),
    order: [record.n, 0],
    shown: shownEvent(record),
    forwards,
    facts: recordRows(record),
    advice: '',
    isRecorded: true,
    isProduction: record.owner.environment === 'production',
  }
}

/** A delivery that is not in the ledger. */
export function unrecordedEvent(delivery: Delivery, order: EventLine['order']): InspectedEvent {
  const { record, n, httpStatus, answeredMs, receivedAtMs, target } = delivery
  const repeated =
    record === null ? '' : t`The same bytes had arrived before as event ${n ?? record}, so they are not recorded again`
  return {
    key: `m${order[1]}`,
    order,
    shown: shownDelivery(delivery),
    forwards: [],
    facts: [
      [t`arrived`, t`${instantText(receivedAtMs)} at ${withoutSecretParameters(target)}`],
      [t`answered`, t`${httpStatus} after ${answerTime(answeredMs)}`],
    ],
    advice: adviceFor(delivery) ?? repeated,
    isRecorded: false,
    isProduction: false,
  }
}

/** The line of a delivery in a list. */
export function eventLine({ key, order, shown, forwards, isProduction }: InspectedEvent): EventLine {
  const { event, facts, receivedAt } = shown
  const atMs = parseInstant(receivedAt) ?? null
  const forward = forwards.at(-1)
  return {
    key,
    order,
    clock: clockText(receivedAt),
    day: instantText(atMs).slice(0, 10),
    verdict: eventVerdictText(shown),
    tone: verdictTone(shown),
    event: safeText((event ?? facts?.event ?? (facts === undefined ? '—' : t`unknown`)).slice(0, EVENT_CHARACTERS_MAX)),
    eventTone: isAlarming(shown) ? 'bad' : 'plain',
    status: safeText((facts?.status ?? '').slice(0, EVENT_CHARACTERS_MAX)),
    amount: typeof facts?.amountCents === 'number' ? amountText(facts.amountCents) : '',
    id: safeText(facts?.idTransaction ?? ''),
    forward: forward === undefined ? '' : `${forward.status ?? '✗'} ${answerTime(forward.ms)}`,
    forwardTone: forward === undefined ? 'plain' : forwardTone(forward),
    isProduction,
    facets: {
      event: EVENT_NAMES.find((name) => name === (event ?? facts?.event)) ?? 'other',
      verdict: eventVerdict(shown),
      forward: forward === undefined ? 'none' : isReceived(forward) ? 'received' : 'failed',
    },
  }
}

/** Everything about a delivery that its bytes and the ledger say, personal data masked unless `unmask`. */
export function eventDetail(event: InspectedEvent, unmask: boolean): Omit<EventDetail, 'bytes' | 'sha256'> {
  const { shown, facts, advice, forwards, isRecorded } = event
  return {
    line: eventLine(event),
    advice,
    facts: labelledTexts([...eventRows(shown, PLAIN_STYLE, unmask), ...facts]),
    headers: headerTexts(shown, unmask),
    body: shown.body.length === 0 ? [] : bodyLines(shown.body, { style: PLAIN_STYLE, unmask }),
    forwards: forwards.map((each) => forwardLine(each, unmask)),
    isRecorded,
  }
}

/** Labels and values without their colours, safe to show. */
export function labelledTexts(rows: readonly LabelledRow[]): LabelledText[] {
  return rows.map(([label, value]) => [label, safeText(value)])
}

/** The headers as they were sent; what may be a credential is never shown. */
export function headerTexts({ headers }: Pick<ShownEvent, 'headers'>, unmask: boolean): LabelledText[] {
  return headers.map(([name, value]) => {
    const shown = isSecretHeader(name) ? HIDDEN : unmask ? value : maskText(value)
    return [safeText(name), safeText(shown)]
  })
}

/** A URL without credentials. */
export function addressText(url: string): string {
  return safeText(withoutSecretParameters(withoutPassword(url)))
}

/** The result of a forward or a replay. */
export function forwardLine(
  forward: Pick<LedgerRecord<ForwardRecord>, 'at' | 'url' | 'status' | 'ms' | 'body' | 'error'>,
  unmask: boolean,
): ForwardLine {
  const { at, url, status, ms, body, error } = forward
  const { texts, command } = answerAdvice(forward, { url: addressText(url), account: '' })
  return {
    at: instantText(parseInstant(at) ?? null),
    url: addressText(url),
    result: safeText([status ?? '', error ?? ''].filter((part) => part !== '').join(' ')),
    tone: forwardTone(forward),
    ms: answerTime(ms),
    advice: [...texts, ...(command === null ? [] : [command])].join('\n'),
    body: safeLines(unmask ? body : maskText(body)).join('\n'),
  }
}

function forwardTone(forward: Pick<ForwardRecord, 'status' | 'ms' | 'error'>): Tone {
  return isReceived(forward) ? 'good' : 'bad'
}
