import type { CallFault, CashOutFault, DeliveryFault, EndpointName, Fault, FaultTarget } from './faults.ts'
import { isIdOrPrefix } from './transactionIds.ts'

/** A call or a delivery that a fault may hit: the endpoint it belongs to, and all ids in it. */
export interface FaultSubject {
  endpoint: EndpointName
  names: readonly string[]
}

interface WaitingFault {
  fault: Fault
  times: number
  /** Undefined for a fault that hits whatever comes next. */
  target: FaultTarget | undefined
}

/** The faults that are still to come, oldest first. */
export class FaultInjector {
  #waiting: WaitingFault[] = []

  /** Adds a fault for the next `times` subjects that it can hit. */
  add(fault: Fault, times: number, target?: FaultTarget): void {
    this.#waiting.push({ fault, times, target })
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
    const next = this.#waiting.find(({ fault, target }) => fault.on === on && isHit(subject, target))
    if (next === undefined) return undefined
    next.times -= 1
    if (next.times === 0) this.#waiting.splice(this.#waiting.indexOf(next), 1)
    return next.fault
  }
}

function isHit({ endpoint, names }: FaultSubject, target: FaultTarget | undefined): boolean {
  if (target === undefined) return true
  if ('endpoint' in target) return target.endpoint === endpoint
  return names.some((name) => isIdOrPrefix(target.id, name))
}
