import type { FaultView } from '../schemas/sandboxAnswers.ts'
import type { EndpointName } from './faultKinds.ts'
import {
  type CallFault,
  type CashOutFault,
  canHappenAt,
  type DeliveryFault,
  type Fault,
  type FaultTarget,
  parseFault,
  parseFaultTarget,
} from './faults.ts'
import { isIdOrPrefix } from './transactionIds.ts'

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
  #waiting: WaitingFault[] = []

  /** The faults as they were asked for, with the times that are left. */
  get waiting(): FaultView[] {
    return this.#waiting.map(({ view }) => view)
  }

  /** Adds a fault for the next `times` subjects that it can hit. Throws Malformed. */
  add(view: FaultView): void {
    const fault = parseFault(view.kind, view.async)
    const target = view.on === null ? undefined : parseFaultTarget(view.on, fault)
    this.#waiting.push({ fault, target, view })
  }

  /** Removes the fault at this place, from 1, or all. False if there is none. */
  clear(place?: number): boolean {
    if (place === undefined) this.reset()
    return place === undefined || this.#waiting.splice(place - 1, 1).length > 0
  }

  takeForCall(subject: FaultSubject): CallFault | undefined {
    const fault = this.#take('call', subject)
    return fault?.on === 'call' ? fault : undefined
  }

  takeForCashOut(subject: FaultSubject): CashOutFault | undefined {
    const fault = this.#take('cash-out', subject)
    return fault?.on === 'cash-out' ? fault : undefined
  }

  takeForDelivery(subject: FaultSubject): DeliveryFault | undefined {
    const fault = this.#take('delivery', subject)
    return fault?.on === 'delivery' ? fault : undefined
  }

  reset(): void {
    this.#waiting = []
  }

  #take(on: Fault['on'], subject: FaultSubject): Fault | undefined {
    const next = this.#waiting.find((each) => each.fault.on === on && isHit(subject, each))
    if (next === undefined) return undefined
    next.view = { ...next.view, times: next.view.times - 1 }
    if (next.view.times === 0) this.#waiting.splice(this.#waiting.indexOf(next), 1)
    return next.fault
  }
}

function isHit({ endpoint, names }: FaultSubject, { fault, target }: WaitingFault): boolean {
  if (!canHappenAt(fault, endpoint)) return false
  if (target === undefined) return true
  if ('endpoint' in target) return target.endpoint === endpoint
  return names.some((name) => isIdOrPrefix(target.id, name))
}
