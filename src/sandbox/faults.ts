import { parseDuration } from '../pix/duration.ts'
import { Malformed, valueOrError } from '../pix/expectedError.ts'
import { CONTROL_SCHEMAS, type FaultView } from '../schemas/sandboxAnswers.ts'
import { nearest } from '../text/suggest.ts'
import { english, t } from '../text/translate.ts'
import { errorBody, reasonPhrase } from './endpointAnswers.ts'
import {
  CALL_FAULTS,
  CASH_OUT_CODES,
  type CashOutCode,
  DELIVERY_FAULTS,
  ENDPOINT_CODES,
  ENDPOINT_ERRORS,
  ENDPOINT_NAMES,
  type EndpointCode,
  type EndpointError,
  type EndpointName,
} from './faultKinds.ts'
import { type Keeper, UnknownContent } from './keeper.ts'
import { isIdOrPrefix } from './transactions.ts'

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

type Fault = CallFault | CashOutFault | DeliveryFault
type FaultOn<On extends Fault['on']> = Extract<Fault, { on: On }>

/** What a fault is limited to: one endpoint, or the transaction with this id, external id, request number or key. */
type FaultTarget = { endpoint: EndpointName } | { id: string }

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
  const fault = readKind(kind, async)
  if (fault === undefined) {
    const [meant] = nearest(kind, FAULT_KINDS)
    throw new Malformed(
      t`There is no fault \`${kind}\``,
      meant === undefined ? t`Choose one of ${FAULT_KINDS.join(', ')}` : t`Did you mean \`${meant}\`?`,
    )
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
function canHappenAt(fault: Fault, endpoint: EndpointName): boolean {
  if (fault.on === 'cash-out') return endpoint === 'transfer'
  if (fault.on === 'delivery') return endpoint !== 'status'
  if (fault.how !== 'code') return true
  const { endpoints }: EndpointError = ENDPOINT_ERRORS[fault.code]
  return endpoints.includes(endpoint)
}

function readKind(kind: string, async: boolean): Fault | undefined {
  const status = /^status:([2-5]\d\d)$/.exec(kind)?.[1]
  if (status !== undefined) return { on: 'call', how: 'status', status: Number(status) }
  const [, on, duration] = /^(slow|webhook:late):(.*)$/.exec(kind) ?? []
  if (duration !== undefined) {
    const ms = parseDuration(duration)
    return on === 'slow' ? { on: 'call', how: 'slow', ms } : { on: 'delivery', how: 'late', ms }
  }
  const cashOutCode = CASH_OUT_CODES.find((name) => name === kind)
  if (cashOutCode !== undefined) return { on: 'cash-out', code: cashOutCode, async }
  const code = ENDPOINT_CODES.find((name) => name === kind)
  if (code !== undefined) return { on: 'call', how: 'code', code }
  const how = CALL_FAULTS.find((name) => name === kind)
  if (how !== undefined) return { on: 'call', how }
  const atDelivery = DELIVERY_FAULTS.find((name) => `webhook:${name}` === kind)
  return atDelivery === undefined ? undefined : { on: 'delivery', how: atDelivery }
}

/** A call or a delivery that a fault may hit: the endpoint it belongs to, and all ids in it. */
export interface FaultSubject {
  endpoint: EndpointName
  names: readonly string[]
}

interface WaitingFault {
  readonly fault: Fault
  /** Undefined for a fault that hits whatever comes next. */
  readonly target: FaultTarget | undefined
  view: FaultView
}

/** The faults that are still to come, oldest first. */
export class FaultInjector {
  readonly #keeper: Keeper
  #waiting: WaitingFault[]

  /** The faults that are kept. Throws UnknownContent. */
  constructor(keeper: Keeper) {
    this.#keeper = keeper
    this.#waiting = keeper.all('faults', CONTROL_SCHEMAS.Faults).flatMap(({ faults }) => faults.map(readKept))
  }

  /** The faults as they were asked for, with the times that are left. */
  get waiting(): FaultView[] {
    return this.#waiting.map(({ view }) => view)
  }

  /** Adds a fault for the next `times` subjects that it can hit. Throws Malformed. */
  add(view: FaultView): void {
    this.#waiting.push(readFault(view))
    this.#keep()
  }

  /** Removes the fault at this place, from 1, or all. False if there is none. */
  clear(place?: number): boolean {
    if (place === undefined) this.reset()
    const isCleared = place === undefined || this.#waiting.splice(place - 1, 1).length > 0
    this.#keep()
    return isCleared
  }

  /** The oldest fault of these that hits this subject; it is one time less to come. */
  take<On extends Fault['on']>(on: On, subject: FaultSubject): FaultOn<On> | undefined {
    for (const each of this.#waiting) {
      if (!isOn(on, each.fault) || !isHit(subject, each)) continue
      each.view = { ...each.view, times: each.view.times - 1 }
      if (each.view.times === 0) this.#waiting.splice(this.#waiting.indexOf(each), 1)
      this.#keep()
      return each.fault
    }
    return undefined
  }

  reset(): void {
    this.#waiting = []
  }

  #keep(): void {
    this.#keeper.put('faults', '', { faults: this.waiting })
  }
}

function isOn<On extends Fault['on']>(on: On, fault: Fault): fault is FaultOn<On> {
  return fault.on === on
}

/** Throws Malformed. */
function readFault(view: FaultView): WaitingFault {
  const fault = parseFault(view.kind, view.async)
  return { fault, target: view.on === null ? undefined : parseFaultTarget(view.on, fault), view }
}

/** Throws UnknownContent for a fault that this build does not know. */
function readKept(view: FaultView): WaitingFault {
  const fault = valueOrError(Malformed, () => readFault(view))
  if (fault instanceof Malformed) throw new UnknownContent(fault.message)
  return fault
}

function isHit({ endpoint, names }: FaultSubject, { fault, target }: WaitingFault): boolean {
  if (!canHappenAt(fault, endpoint)) return false
  if (target === undefined) return true
  if ('endpoint' in target) return target.endpoint === endpoint
  return names.some((name) => isIdOrPrefix(target.id, name))
}

/** What goes out on the wire; `body` is undefined if the connection is closed without an answer. */
export interface Reply {
  status: number
  headers: Readonly<Record<string, string>>
  body: string | undefined
}

const DROPPED: Reply = { status: 0, headers: {}, body: undefined }

const PAGE =
  '<!doctype html><html><head><title>Service unavailable</title></head><body><h1>We will be right back</h1></body></html>\n'

const HTML_REPLY: Reply = { status: 200, headers: { 'Content-Type': 'text/html; charset=utf-8' }, body: PAGE }
const HALF_ANSWER = '{"idTransaction":"0b935d10-3c90-4af3-87'

/** An object as a JSON answer. */
export function jsonReply(status: number, body: object, headers: Readonly<Record<string, string>> = {}): Reply {
  return {
    status,
    headers: { 'Content-Type': 'application/json; charset=utf-8', ...headers },
    body: JSON.stringify(body),
  }
}

/** The error body as an answer. */
export function errorReply(
  status: number,
  code: string,
  details: string,
  headers?: Readonly<Record<string, string>>,
): Reply {
  return jsonReply(status, errorBody(status, code, details), headers)
}

/** The answer in place of carrying the call out; undefined if the call is carried out in spite of the fault. */
export function faultReply(fault: CallFault | undefined): Reply | undefined {
  switch (fault?.how) {
    case 'drop-before':
      return DROPPED
    case 'html-before':
      return HTML_REPLY
    case 'garbage-before':
      return { ...jsonReply(200, {}), body: HALF_ANSWER }
    case 'status':
      return statusReply(fault.status)
    case 'code':
      return errorReply(ENDPOINT_ERRORS[fault.code].status, fault.code, ENDPOINT_ERRORS[fault.code].sentence)
    default:
      return undefined
  }
}

/** The answer to a call that was carried out, as the fault leaves it: cut off in the middle, a web page, or none at all. */
export function corruptReply(reply: Reply, fault: CallFault | undefined): Reply {
  if (fault?.how === 'drop-after') return DROPPED
  if (fault?.how === 'html') return HTML_REPLY
  if (fault?.how !== 'garbage') return reply
  return { ...reply, status: 200, body: reply.body?.slice(0, Math.floor(reply.body.length / 2)) }
}

function statusReply(status: number): Reply {
  const code = reasonPhrase(status)
    .toUpperCase()
    .replace(/[^A-Z0-9]+/g, '_')
  const headers: Record<string, string> = {}
  if (status === 429 || status === 503) headers['Retry-After'] = '1'
  if (status >= 300 && status < 400) headers.Location = '/'
  if (status === 204 || status === 205 || status === 304) return { status, headers, body: '' }
  return errorReply(status, code, english`The sandbox was told to answer ${status}`, headers)
}
