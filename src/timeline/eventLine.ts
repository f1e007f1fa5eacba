import { reaisFromCents } from '../pix/amount.ts'
import { bytesOf } from '../text/byteText.ts'
import { safeJson } from '../text/safeText.ts'
import type { EventFacts } from '../wire/eventFacts.ts'
import { eventDocument, headersByName, type ShownEvent } from './eventView.ts'
import { HeaderTexts } from './headerTexts.ts'
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
  n: number,
  { duplicateOf, digest }: Pick<EventRecord, 'duplicateOf' | 'digest'>,
): string {
  const { facts, owner, isSigned, via, target, headers, body } = arrival
  const { event, subject, idTransaction, originalTransactionId, externalId, status, amountCents, taxId, errorCode } =
    facts
  return (
    `{"id":${quoted(stamp.id)},"at":${quoted(stamp.at)},"user":${quoted(stamp.user)},"machine":${quoted(stamp.machine)},` +
    `"type":"event","n":${n},"duplicateOf":${duplicateOf},${ownerText(owner)},` +
    `"event":${quoted(event)},"subject":${quoted(subject)},"idTransaction":${quoted(idTransaction)},` +
    `"originalTransactionId":${quoted(originalTransactionId)},"externalId":${quoted(externalId)},` +
    `"status":${quoted(status)},"amountCents":${amountCents},"taxId":${quoted(taxId)},"errorCode":${quoted(errorCode)},"isSigned":${isSigned},` +
    `"via":${quoted(via)},"target":${quoted(target)},"headers":${pairsJson(headers)},` +
    `"digest":${quoted(digest)},"bodyBase64":"${body.toString('base64')}"}`
  )
}

let last: { owner: EventOwner; text: string } | undefined

/** Most events are of the same account as the one before. */
function ownerText(owner: EventOwner): string {
  if (last?.owner === owner) return last.text
  const { profile, environment, baseUrl, clientId } = owner
  const text =
    `"profile":${quoted(profile)},"environment":${quoted(environment)},` +
    `"baseUrl":${quoted(baseUrl)},"clientId":${quoted(clientId)}`
  last = { owner, text }
  return text
}

const pairs = new HeaderTexts(([name, value]) => `[${quoted(name)},${quoted(value)}]`)

function pairsJson(headers: Arrival['headers']): string {
  let json = '['
  for (let place = 0; place < headers.length; place++) {
    const header = headers[place]
    if (header !== undefined) json += (place === 0 ? '' : ',') + pairs.of(header, place)
  }
  return `${json}]`
}

/** JSON with more of them may be nested too deeply. */
const BRACKETS_MAX = 100
/** UTF-8, each byte as a character, that stands in a line of JSON as it is: visible ASCII and letters of two bytes. */
const PLAIN_BYTES = /^[ -~]*(?:(?:\xc2[\xa0-\xac\xae-\xbf]|[\xc3-\xcb][\x80-\xbf])[ -~]*)*$/
const STARTS_WITH_DIGIT = /^\d/
const PLAIN = /^[ !#-[\]-~]*$/

/**
 * The document of a webhook as one line of JSON, the same that {@link eventDocument} gives, in a third of the time: in UTF-8,
 * each byte as a character, because the body need not be decoded for that.
 */
export function eventLine(shown: ShownEvent): string {
  const { n, event, valid, reason, duplicate, body, headers, receivedAt, answeredMs, facts } = shown
  const payload = body.toString('latin1')
  if (facts === undefined || !PLAIN_BYTES.test(payload) || hasManyBrackets(payload)) {
    return bytesOf(safeJson(JSON.stringify(eventDocument(shown))))
  }
  const { subject, idTransaction, originalTransactionId, externalId, status, amountCents, happenedAt } = facts
  const amount = amountCents === null ? null : reaisFromCents(amountCents)
  return (
    `{"type":"event","n":${n},"event":${safely(event)},"valid":${valid},"reason":${safely(reason)},` +
    `"duplicate":${duplicate},"payload":${payload},"bodyBase64":"${body.toString('base64')}",` +
    `"headers":${membersJson(headers)},"receivedAt":${safely(receivedAt)},` +
    `"answeredMs":${answeredMs},"pixgate":{"subject":${safely(subject)},"idTransaction":${safely(idTransaction)},` +
    `"originalTransactionId":${safely(originalTransactionId)},"externalId":${safely(externalId)},` +
    `"status":${safely(status)},"amount":${amount},"happenedAt":${safely(happenedAt)}}}`
  )
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

const members = new HeaderTexts(([name, value]) => {
  const key = name.toLowerCase()
  return { key, text: `${safely(key)}:${safely(value)}`, isNumber: STARTS_WITH_DIGIT.test(key) }
})

/** What {@link headersByName} gives, as JSON, in a third of the time. */
function membersJson(headers: ShownEvent['headers']): string {
  const keys: string[] = []
  let json = '{'
  for (let place = 0; place < headers.length; place++) {
    const header = headers[place]
    if (header === undefined) continue
    const { key, text, isNumber } = members.of(header, place)
    // A repeated name has an array, and a number comes first in an object.
    if (isNumber || keys.includes(key)) return bytesOf(safeJson(JSON.stringify(headersByName(headers))))
    json += (place === 0 ? '' : ',') + text
    keys.push(key)
  }
  return `${json}}`
}

/** JSON of a text; most of them stand in it as they are. */
function quoted(text: string | null): string {
  if (text === null) return 'null'
  return PLAIN.test(text) ? `"${text}"` : JSON.stringify(text)
}

/** The same without anything unseen, in UTF-8, each byte as a character. */
function safely(text: string | null): string {
  if (text === null) return 'null'
  return PLAIN.test(text) ? `"${text}"` : bytesOf(safeJson(JSON.stringify(text)))
}
