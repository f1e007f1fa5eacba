import { parseDuration } from '../pix/duration.ts'
import { Malformed } from '../pix/malformed.ts'
import { t } from '../text/translate.ts'
import { CASH_OUT_CODE_NAMES } from './cashOutErrors.ts'

/** What goes wrong with a call of a service endpoint. */
export type CallFault =
  | { on: 'call'; how: 'status'; status: number }
  | { on: 'call'; how: (typeof CALLS)[number] }
  | { on: 'call'; how: 'slow'; ms: number }

/** The code with which a transfer is refused, or, if `async`, fails after it was accepted. */
export interface CashOutFault {
  on: 'cash-out'
  code: string
  async: boolean
}

/** What goes wrong with the delivery of a webhook. */
export type DeliveryFault =
  | { on: 'delivery'; how: (typeof DELIVERIES)[number] }
  | { on: 'delivery'; how: 'late'; ms: number }

export type Fault = CallFault | CashOutFault | DeliveryFault

/** The endpoints as `--on` names them. */
export const FAULT_ENDPOINTS = ['transfer', 'refund', 'qr', 'status'] as const

export type EndpointName = (typeof FAULT_ENDPOINTS)[number]

/** What a fault is limited to: one endpoint, or the transaction with this id, external id, request number or key. */
export type FaultTarget = { endpoint: EndpointName } | { id: string }

/** The most times that a fault can be asked for. */
export const FAULT_TIMES_MAX = 1_000_000

const CALLS = ['drop-before', 'drop-after', 'garbage', 'html', 'garbage-before', 'html-before'] as const
const DELIVERIES = ['lost', 'twice', 'reorder', 'unsigned', 'bad-signature'] as const

/** What each kind of fault does. A kind is written as it is typed, with an example in place of a number or a duration. */
export const FAULT_EFFECTS: readonly (readonly [kinds: readonly string[], effect: string])[] = [
  [['status:500'], 'not carried out, answered with this status'],
  [['drop-before'], 'not carried out, connection closed without an answer'],
  [['drop-after'], 'carried out, connection closed without an answer'],
  [['slow:10s'], 'carried out, answered after this time'],
  [['garbage', 'html'], 'carried out, answered 200 with half an answer or a web page'],
  [['garbage-before', 'html-before'], 'the same answers, not carried out'],
  [CASH_OUT_CODE_NAMES, 'the next transfer is refused with this code (--async: accepted, then transfer.failed)'],
  [['webhook:lost'], 'the next delivery is never sent'],
  [['webhook:twice'], 'it is sent twice'],
  [['webhook:late:10s'], 'it is sent after this time'],
  [['webhook:reorder'], 'it is sent after the next one'],
  [['webhook:unsigned', 'webhook:bad-signature'], 'it has no signature, or a wrong one'],
]

/** All kinds of faults. */
export const FAULT_KINDS: readonly string[] = FAULT_EFFECTS.flatMap(([kinds]) => kinds)

/** Reads a fault as it is typed (see {@link FAULT_KINDS}); only a cash-out code may be `async`. Throws Malformed. */
export function parseFault(kind: string, async = false): Fault {
  const fault = cashOutFault(kind, async) ?? callFault(kind) ?? deliveryFault(kind)
  if (fault === undefined) {
    throw new Malformed(t`There is no fault \`${kind}\``, t`Choose one of ${FAULT_KINDS.join(', ')}`)
  }
  if (async && fault.on !== 'cash-out') {
    throw new Malformed(
      t`The fault \`${kind}\` cannot happen after a transfer was accepted`,
      t`Use a cash-out code such as \`NO_FUNDS\`, or omit \`--async\``,
    )
  }
  return fault
}

/** Reads what a fault is limited to. Throws Malformed for an endpoint at which this fault can never happen. */
export function parseFaultTarget(text: string, fault: Fault): FaultTarget {
  const endpoint = FAULT_ENDPOINTS.find((name) => name === text)
  if (endpoint === undefined) return { id: text }
  if (fault.on === 'cash-out' && endpoint !== 'transfer') {
    throw new Malformed(t`A cash-out code cannot happen at \`${endpoint}\``, t`Use \`transfer\`, or an external id`)
  }
  if (fault.on === 'delivery' && endpoint === 'status') {
    throw new Malformed(t`A status query sends no webhook`, t`Use \`qr\`, \`refund\`, \`transfer\` or an id`)
  }
  return { endpoint }
}

function cashOutFault(kind: string, async: boolean): CashOutFault | undefined {
  return CASH_OUT_CODE_NAMES.includes(kind) ? { on: 'cash-out', code: kind, async } : undefined
}

function callFault(kind: string): CallFault | undefined {
  const status = /^status:([2-5]\d\d)$/.exec(kind)?.[1]
  if (status !== undefined) return { on: 'call', how: 'status', status: Number(status) }
  if (kind.startsWith('slow:')) return { on: 'call', how: 'slow', ms: parseDuration(kind.slice('slow:'.length)) }
  const how = CALLS.find((name) => name === kind)
  return how === undefined ? undefined : { on: 'call', how }
}

function deliveryFault(kind: string): DeliveryFault | undefined {
  const late = /^webhook:late:(.*)$/.exec(kind)?.[1]
  if (late !== undefined) return { on: 'delivery', how: 'late', ms: parseDuration(late) }
  const how = DELIVERIES.find((name) => `webhook:${name}` === kind)
  return how === undefined ? undefined : { on: 'delivery', how }
}
