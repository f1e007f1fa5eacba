import type { IncomingHttpHeaders } from 'node:http'
import type { DeliveryView, FaultView, RequestEntry, StateView, TransactionView } from '../schemas/sandboxAnswers.ts'
import { english } from '../text/translate.ts'
import { addressList, hasBearer } from './auth.ts'
import {
  CONTROL_CALLS,
  type ControlBody,
  type ControlCall,
  type ControlParts,
  TRANSACTION_CALLS,
  type TransactionCallName,
} from './controlCalls.ts'
import { deliveryView } from './controlViews.ts'
import type { Call } from './endpoints.ts'
import { HttpError } from './httpError.ts'
import { readJsonObject } from './requestFields.ts'

/** Below this path are the control calls. */
export const CONTROL_PREFIX = '/sandbox/'

const isLoopback = addressList(['127.0.0.0/8', '::1'])

const BY_NAME: ReadonlyMap<string, ControlCall> = new Map(Object.entries(CONTROL_CALLS))

/**
 * Answers a control request: `POST /sandbox/<name>`, or `GET` for a call that changes nothing. Rejects callers beyond this
 * machine without the control token.
 */
export function answerControl(call: Call, parts: ControlParts): object {
  assertAllowedCaller(call.headers, call.peer, parts.options.controlToken)
  const name = call.path.slice(CONTROL_PREFIX.length)
  const control = BY_NAME.get(name)
  if (control === undefined) throw new HttpError(404, 'NOT_FOUND', english`There is no control command \`${name}\``)
  const { method } = control
  if (call.method !== method) {
    throw new HttpError(405, 'METHOD_NOT_ALLOWED', english`Only ${method} is allowed here`, { Allow: method })
  }
  return control.run(parts, method === 'GET' ? valuesIn(call.query) : bodyOf(call, control))
}

/** Flags and numbers; any other value is of no field. */
function valuesIn(query: URLSearchParams): object {
  return Object.fromEntries(
    [...query].map(([name, value]) => [name, /^\d+$/.test(value) ? Number(value) : value === 'true']),
  )
}

/** True for a question that is asked again and again to follow the requests. */
export function isFollowingRequests({ path, query }: Call): boolean {
  return path === `${CONTROL_PREFIX}requests` && query.has('after')
}

function bodyOf(call: Call, { body }: ControlCall): object {
  const needsNone = Object.keys(body.members).length === 0
  return needsNone && call.text === '' ? {} : readJsonObject(call.body(), 'WRONG_DATA_FORMAT')
}

/** The control calls without HTTP, for the program that started the sandbox. They throw HttpError if the state does not allow it. */
export interface Controls {
  act<Name extends TransactionCallName>(name: Name, body: ControlBody<Name>): TransactionView
  fault(body: ControlBody<'fault'>): void
  advance(body: ControlBody<'advance'>): void
  reset(): void
  state(): StateView
  requests(body: ControlBody<'requests'>): RequestEntry[]
  faults(): FaultView[]
  clearFaults(body: ControlBody<'clear-faults'>): FaultView[]
  /** The deliveries so far, without running what is due. */
  deliveries(): DeliveryView[]
}

/** The control calls of these parts. What is due by the clock happens before each. */
export function directControls(parts: ControlParts): Controls {
  const now = <Value>(run: () => Value): Value => {
    parts.clock.runDue()
    return run()
  }
  return {
    act: (name, body) => now(() => TRANSACTION_CALLS[name].run(parts, body)),
    fault: (body) => void CONTROL_CALLS.fault.run(parts, body),
    advance: (body) => void CONTROL_CALLS.advance.run(parts, body),
    reset: () => parts.reset(),
    state: () => now(() => CONTROL_CALLS.state.run(parts, {})),
    requests: (body) => CONTROL_CALLS.requests.run(parts, body).requests,
    faults: () => CONTROL_CALLS.faults.run(parts, {}).faults,
    clearFaults: (body) => CONTROL_CALLS['clear-faults'].run(parts, body).faults,
    deliveries: () => parts.deliveries.all.map(deliveryView),
  }
}

/** Without the token only programs on this machine are let in, and no page in a browser, whatever its name resolves to. */
function assertAllowedCaller(headers: IncomingHttpHeaders, peer: string | undefined, token: string | undefined): void {
  if (token !== undefined && hasBearer(headers, token)) return
  const host = (headers.host ?? '').replace(/:\d+$/, '').replace(/^\[(.*)\]$/, '$1')
  const isHere = isLoopback(peer) && (host.toLowerCase() === 'localhost' || isLoopback(host))
  if (isHere && headers.origin === undefined) return
  const details =
    token === undefined
      ? english`Only programs on this machine may control the sandbox, because it has no control token`
      : english`The header \`Authorization: Bearer <control token>\` is missing or wrong`
  throw new HttpError(403, 'FORBIDDEN', details)
}
