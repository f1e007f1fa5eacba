import { reaisFromCents } from '../pix/amount.ts'
import { safeJson } from '../text/safeText.ts'
import type { EventFacts } from '../wire/eventFacts.ts'
import { eventDocument, headersByName, type ShownEvent } from './eventView.ts'
import type { EventOwner, EventRecord, TimelineRecord } from './records.ts'

/** A genuine webhook that is to be kept. */
export interface Arrival {
  facts: EventFacts
  body: Buffer
  target: string
  headers: [name: string, value: string][]
  owner: EventOwner
  isSigned: boolean
  via: EventRecord['via']
  receivedAtMs: number
}

/** What a record carries beside its own fields. */
export type Stamp = Pick<TimelineRecord, 'id' | 'at' | 'user' | 'machine'>

/**
 * The record of an event as JSON, all fields of {@link EventRecord} in their order. A listener writes thousands a second,
 * and to join the texts takes a third of the time of an object with so many members.
 */
export function recordLine(
  stamp: Stamp,
  arrival: Arrival,
  { n, duplicateOf, digest }: Pick<EventRecord, 'n' | 'duplicateOf' | 'digest'>,
): string {
  const { facts, owner, isSigned, via, target, headers, body } = arrival
  const { event, subject, idTransaction, originalTransactionId, externalId, status, amountCents, taxId, errorCode } =
    facts
  return (
    `{"id":${quoted(stamp.id)},"at":${quoted(stamp.at)},"user":${quoted(stamp.user)},"machine":${quoted(stamp.machine)},` +
    `"type":"event","n":${n},"duplicateOf":${duplicateOf},"profile":${quoted(owner.profile)},` +
    `"environment":${quoted(owner.environment)},"baseUrl":${quoted(owner.baseUrl)},"clientId":${quoted(owner.clientId)},` +
    `"event":${quoted(event)},"subject":${quoted(subject)},"idTransaction":${quoted(idTransaction)},` +
    `"originalTransactionId":${quoted(originalTransactionId)},"externalId":${quoted(externalId)},` +
    `"status":${quoted(status)},"amountCents":${amountCents},"taxId":${quoted(taxId)},"errorCode":${quoted(errorCode)},"isSigned":${isSigned},` +
    `"via":${quoted(via)},"target":${quoted(target)},"headers":${JSON.stringify(headers)},` +
    `"digest":${quoted(digest)},"bodyBase64":"${body.toString('base64')}"}`
  )
}

/** JSON with more of them may be nested too deeply. */
const BRACKETS_MAX = 100
/** JSON of one line stands in another line of JSON as it is. */
const NO_PART_OF_A_LINE = /[\x00-\x1f\ufeff]/
const STARTS_WITH_DIGIT = /^\d/
const PLAIN = /^[ !#-[\]-~]*$/

/** The document of a webhook as one line of JSON, the same that {@link eventDocument} gives, in a third of the time. */
export function eventLine(shown: ShownEvent): string {
  const { n, event, valid, reason, duplicate, body, headers, receivedAt, answeredMs, facts } = shown
  const text = body.toString('utf8')
  if (facts === undefined || NO_PART_OF_A_LINE.test(text) || hasManyBrackets(text)) {
    return safeJson(JSON.stringify(eventDocument(shown)))
  }
  const { subject, idTransaction, originalTransactionId, externalId, status, amountCents, happenedAt } = facts
  const amount = amountCents === null ? null : reaisFromCents(amountCents)
  const before =
    `{"type":"event","n":${n},"event":${quoted(event)},"valid":${valid},"reason":${quoted(reason)},` +
    `"duplicate":${duplicate},"payload":${text},"bodyBase64":"`
  const behind =
    `","headers":${headersJson(headers)},"receivedAt":${quoted(receivedAt)},` +
    `"answeredMs":${answeredMs},"pixgate":{"subject":${quoted(subject)},"idTransaction":${quoted(idTransaction)},` +
    `"originalTransactionId":${quoted(originalTransactionId)},"externalId":${quoted(externalId)},` +
    `"status":${quoted(status)},"amount":${amount},"happenedAt":${quoted(happenedAt)}}}`
  return safeJson(before) + body.toString('base64') + safeJson(behind)
}

function hasManyBrackets(text: string): boolean {
  let count = 0
  for (const bracket of ['{', '[']) {
    for (let at = text.indexOf(bracket); at !== -1; at = text.indexOf(bracket, at + 1)) {
      count += 1
      if (count > BRACKETS_MAX) return true
    }
  }
  return false
}

/** What {@link headersByName} gives, as JSON, in a third of the time. */
function headersJson(headers: ShownEvent['headers']): string {
  const names: string[] = []
  let members = ''
  for (const [name, value] of headers) {
    const key = name.toLowerCase()
    // A repeated name has an array, and a number comes first in an object.
    if (names.includes(key) || STARTS_WITH_DIGIT.test(key)) return JSON.stringify(headersByName(headers))
    members += `${names.length === 0 ? '' : ','}${quoted(key)}:${quoted(value)}`
    names.push(key)
  }
  return `{${members}}`
}

/** JSON of a text; most of them stand in it as they are. */
function quoted(text: string | null): string {
  if (text === null) return 'null'
  return PLAIN.test(text) ? `"${text}"` : JSON.stringify(text)
}
