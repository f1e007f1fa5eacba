import { centsFromJson } from '../pix/amount.ts'
import { parsePaymentDate } from '../pix/calendar.ts'
import { type AnswerFields, isObject } from './answers.ts'
import { memberOf, membersOf, parseJson, readJsonTree } from './jsonTree.ts'

/** Our name for the general format, which has none. */
export const GENERAL_EVENT = 'payment'

const ID_KEY = '"idTransaction"'

/** What an event is about. */
export const EVENT_SUBJECTS = ['payment', 'refund', 'transfer'] as const
export type EventSubject = (typeof EVENT_SUBJECTS)[number]

/** What an event is about, by what its name begins with. */
const SUBJECTS = { pix: 'payment', refund: 'refund', transfer: 'transfer' } as const satisfies Record<
  string,
  EventSubject
>

/** A name that an event of the service may have. */
export type PossibleEventName = `${keyof typeof SUBJECTS}.${string}` | typeof GENERAL_EVENT

/** The contents of a webhook's body; null for everything that is missing. Amounts are in cents. */
export type EventFacts = NonNullable<ReturnType<typeof readEventFacts>>

/** Parses a webhook's body in any format; undefined if it is not JSON. */
export function readEventFacts(body: string) {
  const text = body.replace(/^\uFEFF/, '')
  const payload = parseJson(text)
  if (payload === undefined) return undefined
  const top = isObject(payload) ? payload : {}
  const data = isObject(top.data) ? top.data : top
  const isGeneral = !isObject(top.data) && textOf(top.statusTransaction) !== null
  const event = textOf(top.event) ?? (isGeneral ? GENERAL_EVENT : null)
  const ids = idsOf(data, text)
  return {
    /** The name in the envelope, `payment` for the general format, null for an unknown format. */
    event,
    subject: subjectOf(event, data),
    ...ids,
    externalId: textOf(data.externalId),
    status: textOf(data.status) ?? textOf(data.statusTransaction),
    amountCents: centsFromJson(data.amount) ?? centsFromJson(data.value) ?? null,
    happenedAt: happenedAt(data),
    /** Why a transfer failed. */
    errorCode: textOf(data.errorCode),
    errorMessage: textOf(data.errorMessage),
    /** Of the payer or the receiver, as they came; masked wherever they are shown. */
    name: textOf(data.destinationName) ?? textOf(data.payerName),
    taxId: textOf(data.destinationTaxId) ?? textOf(data.payerTaxId),
    bank: textOf(data.destinationBank),
  }
}

/**
 * A key for duplicate detection, equal for two deliveries of one event: its name, ids, status and amount, or the digest of
 * its bytes if it has no id.
 */
export function eventKey(
  facts: Pick<
    EventFacts,
    'event' | 'idTransaction' | 'originalTransactionId' | 'externalId' | 'status' | 'amountCents'
  >,
  digest: string,
): string {
  const { event, idTransaction, originalTransactionId, externalId, status, amountCents } = facts
  if (idTransaction === null && originalTransactionId === null && externalId === null) return digest
  const ids = `${idTransaction ?? ''}\n${originalTransactionId ?? ''}\n${externalId ?? ''}`
  return `${event ?? ''}\n${ids}\n${status ?? ''}\n${amountCents ?? ''}`
}

function subjectOf(event: string | null, data: AnswerFields): EventSubject | null {
  if (event === null) return null
  for (const [beginning, subject] of Object.entries(SUBJECTS)) if (event.startsWith(`${beginning}.`)) return subject
  if (event !== GENERAL_EVENT) return null
  return textOf(data.typeTransaction) === 'PIX_CASHOUT' ? 'transfer' : 'payment'
}

/** For a refund, the original is the payment that is refunded. Some senders repeat the key `idTransaction`: the refund's own id first, then the original's. */
function idsOf(data: AnswerFields, text: string) {
  const idTransaction = textOf(data.idTransaction)
  const originalTransactionId = textOf(data.originalTransactionId)
  const first = text.indexOf(ID_KEY)
  // Searching on from the first match is faster than searching from the end.
  if (first === -1 || !text.includes(ID_KEY, first + 1)) return { idTransaction, originalTransactionId }
  const tree = readJsonTree(text)
  const repeated = membersOf(memberOf(tree, 'data') ?? tree, 'idTransaction')
  const texts = repeated.map((value) => (value.kind === 'string' ? value.text : ''))
  const [own, original] = texts
  if (texts.length !== 2 || !own || !original || originalTransactionId !== null) {
    return { idTransaction, originalTransactionId }
  }
  return { idTransaction: own, originalTransactionId: original }
}

/** RFC 3339, unchanged if the sender used that format. */
function happenedAt(data: AnswerFields): string | null {
  const instant = textOf(data.paidAt) ?? textOf(data.timestamp)
  if (instant !== null) return instant
  const date = textOf(data.paymentDate)
  const atMs = date === null ? undefined : parsePaymentDate(date)
  return atMs === undefined ? null : new Date(atMs).toISOString()
}

/** A string; null if it is empty or not a string. */
function textOf(value: unknown): string | null {
  return typeof value === 'string' && value !== '' ? value : null
}
