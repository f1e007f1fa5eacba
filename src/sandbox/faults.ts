import { parseDuration } from '../pix/duration.ts'
import { Malformed } from '../pix/malformed.ts'
import { t } from '../text/words.ts'
import { CASH_OUT_CODE_NAMES } from './cashOutCodes.ts'

/** How a call of a service endpoint misbehaves. */
export type CallFault =
  | { on: 'call'; how: 'status'; status: number }
  | { on: 'call'; how: 'drop-before' | 'drop-after' | 'garbage' | 'html' }
  | { on: 'call'; how: 'slow'; ms: number }

/** The code with which a transfer is refused, or, if `async`, fails after it was accepted. */
export interface CashOutFault {
  on: 'cash-out'
  code: string
  async: boolean
}

/** How the delivery of a webhook misbehaves. */
export type DeliveryFault =
  | { on: 'delivery'; how: 'lost' | 'twice' | 'reorder' | 'unsigned' | 'bad-signature' }
  | { on: 'delivery'; how: 'late'; ms: number }

export type Fault = CallFault | CashOutFault | DeliveryFault

const CALLS = ['drop-before', 'drop-after', 'garbage', 'html'] as const
const DELIVERIES = ['lost', 'twice', 'reorder', 'unsigned', 'bad-signature'] as const
const TIMES_MAX = 1_000_000

/** All kinds of faults as they are typed, with an example in place of a number or a duration. */
export const FAULT_KINDS: readonly string[] = [
  'status:500',
  'drop-before',
  'drop-after',
  'slow:10s',
  'garbage',
  'html',
  ...CASH_OUT_CODE_NAMES,
  'webhook:lost',
  'webhook:twice',
  'webhook:late:10s',
  'webhook:reorder',
  'webhook:unsigned',
  'webhook:bad-signature',
]

/** Reads a fault as it is typed (see {@link FAULT_KINDS}); only a cash-out code may be `async`. Throws Malformed. */
export function parseFault(kind: string, async = false): Fault {
  const fault = cashOutFault(kind, async) ?? callFault(kind) ?? deliveryFault(kind)
  if (fault === undefined) {
    throw new Malformed(t`There is no fault \`${kind}\``, t`Choose one of ${FAULT_KINDS.join(', ')}`)
  }
  if (async && fault.on !== 'cash-out') {
    throw new Malformed(t`The fault \`${kind}\` cannot come afterwards`, t`Use a cash-out code, such as \`NO_FUNDS\``)
  }
  return fault
}

/** The faults that are still to come, oldest first. */
export class Faults {
  #waiting: { fault: Fault; times: number }[] = []

  /** Throws Malformed unless `times` is a whole number from 1. */
  add(fault: Fault, times: number): void {
    if (!Number.isInteger(times) || times < 1 || times > TIMES_MAX) {
      throw new Malformed(t`\`times\` is not a whole number from 1 to ${TIMES_MAX}`, t`Omit it for one time`)
    }
    this.#waiting.push({ fault, times })
  }

  takeForCall(): CallFault | undefined {
    const fault = this.#take('call')
    return fault?.on === 'call' ? fault : undefined
  }

  takeForCashOut(): CashOutFault | undefined {
    const fault = this.#take('cash-out')
    return fault?.on === 'cash-out' ? fault : undefined
  }

  takeForDelivery(): DeliveryFault | undefined {
    const fault = this.#take('delivery')
    return fault?.on === 'delivery' ? fault : undefined
  }

  reset(): void {
    this.#waiting = []
  }

  #take(on: Fault['on']): Fault | undefined {
    const next = this.#waiting.find(({ fault }) => fault.on === on)
    if (next === undefined) return undefined
    next.times -= 1
    if (next.times === 0) this.#waiting.splice(this.#waiting.indexOf(next), 1)
    return next.fault
  }
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
