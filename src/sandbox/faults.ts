import { parseDuration } from '../pix/duration.ts'
import { Malformed } from '../pix/malformed.ts'
import { t } from '../text/translate.ts'
import { ENDPOINT_ERRORS } from './endpointErrors.ts'
import {
  CALL_FAULTS,
  CASH_OUT_CODES,
  type CashOutCode,
  DELIVERY_FAULTS,
  ENDPOINT_CODES,
  ENDPOINT_NAMES,
  type EndpointCode,
  type EndpointName,
} from './faultKinds.ts'

/** What goes wrong with a call of a service endpoint. */
export type CallFault =
  | { on: 'call'; how: 'status'; status: number }
  | { on: 'call'; how: 'code'; code: EndpointCode }
  | { on: 'call'; how: (typeof CALL_FAULTS)[number] }
  | { on: 'call'; how: 'slow'; ms: number }

/** The code with which a transfer is refused, or, if `async`, fails after it was accepted. */
export interface CashOutFault {
  on: 'cash-out'
  code: CashOutCode
  async: boolean
}

/** What goes wrong with the delivery of a webhook. */
export type DeliveryFault =
  | { on: 'delivery'; how: (typeof DELIVERY_FAULTS)[number] }
  | { on: 'delivery'; how: 'late'; ms: number }

export type Fault = CallFault | CashOutFault | DeliveryFault

/** What a fault is limited to: one endpoint, or the transaction with this id, external id, request number or key. */
export type FaultTarget = { endpoint: EndpointName } | { id: string }

/** The most times that a fault can be asked for. */
export const FAULT_TIMES_MAX = 1_000_000

/** What each kind of fault does. A kind is written as it is typed, with an example in place of a number or a duration. */
export const FAULT_EFFECTS: readonly (readonly [kinds: readonly string[], effect: string])[] = [
  [['status:500'], 'not carried out; answered with this status'],
  [['drop-before'], 'not carried out, and no answer'],
  [['drop-after'], 'carried out, but no answer'],
  [['slow:10s'], 'carried out, answered after this time'],
  [['garbage', 'html'], 'carried out; half an answer or a web page'],
  [['garbage-before', 'html-before'], 'the same answers, not carried out'],
  [ENDPOINT_CODES, 'the call is refused with this code'],
  [CASH_OUT_CODES, 'so is a transfer (--async: it fails afterwards)'],
  [['webhook:lost'], 'the next delivery is never sent'],
  [['webhook:twice'], 'it is sent twice'],
  [['webhook:late:10s'], 'it is sent after this time'],
  [['webhook:reorder'], 'it is sent after the next one'],
  [['webhook:unsigned'], 'it has no signature'],
  [['webhook:bad-signature'], 'it has a wrong signature'],
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
  const endpoint = ENDPOINT_NAMES.find((name) => name === text)
  if (endpoint === undefined) return { id: text }
  const possible = ENDPOINT_NAMES.filter((name) => canHappenAt(fault, name))
  if (possible.includes(endpoint)) return { endpoint }
  throw new Malformed(
    t`This fault cannot happen at \`${endpoint}\``,
    t`Use ${possible.map((name) => `\`${name}\``).join(', ')} or an id`,
  )
}

/** True if calls of this endpoint, or the webhooks that follow from them, can have this fault. */
export function canHappenAt(fault: Fault, endpoint: EndpointName): boolean {
  if (fault.on === 'cash-out') return endpoint === 'transfer'
  if (fault.on === 'delivery') return endpoint !== 'status'
  return fault.how !== 'code' || ENDPOINT_ERRORS[fault.code].endpoints.includes(endpoint)
}

function cashOutFault(kind: string, async: boolean): CashOutFault | undefined {
  const code = CASH_OUT_CODES.find((name) => name === kind)
  return code === undefined ? undefined : { on: 'cash-out', code, async }
}

function callFault(kind: string): CallFault | undefined {
  const status = /^status:([2-5]\d\d)$/.exec(kind)?.[1]
  if (status !== undefined) return { on: 'call', how: 'status', status: Number(status) }
  if (kind.startsWith('slow:')) return { on: 'call', how: 'slow', ms: parseDuration(kind.slice('slow:'.length)) }
  const code = ENDPOINT_CODES.find((name) => name === kind)
  if (code !== undefined) return { on: 'call', how: 'code', code }
  const how = CALL_FAULTS.find((name) => name === kind)
  return how === undefined ? undefined : { on: 'call', how }
}

function deliveryFault(kind: string): DeliveryFault | undefined {
  const late = /^webhook:late:(.*)$/.exec(kind)?.[1]
  if (late !== undefined) return { on: 'delivery', how: 'late', ms: parseDuration(late) }
  const how = DELIVERY_FAULTS.find((name) => `webhook:${name}` === kind)
  return how === undefined ? undefined : { on: 'delivery', how }
}
