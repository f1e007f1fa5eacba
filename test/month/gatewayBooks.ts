import { saoPauloDay } from '../../src/pix/calendar.ts'
import {
  type Call,
  errorAnswer,
  type FaultGateway,
  type LedgerEntry,
  secretOf,
  startFaultGateway,
} from '../gateway/faultGateway.ts'
import { answering, resetAfterActing, resetAfterReading } from '../gateway/faults.ts'
import { jsonAnswer, writeAnswer } from '../gateway/rawHttp.ts'
import type { Course } from './courses.ts'

/** The result of something that was carried out. */
type Ending = 'paid' | 'not-paid' | 'returned'

/** A payment as the gateway knows it, however many requests it took. */
export interface BookedPayment {
  secret: string
  kind: LedgerEntry['kind']
  /** The key, the request number, or the payment that is refunded. */
  target: string
  cents: number
  /** What the client can know of it. */
  state: Ending | 'pending' | 'accepted' | 'refused' | 'unknown'
  /** Of everything that was carried out for it. */
  ids: readonly string[]
  /** By which its client knows what was carried out last: an idTransaction, or the externalId if its answer was lost. */
  knownId: string | null
  /** When it was first asked for. */
  atMs: number
  /** Attempts: the same externalId sent again is none. */
  attempts: number
}

/** A gateway whose answers depend on the courses of the transfers that are asked for, and what it knows of all payments. */
export class GatewayBooks {
  readonly gateway: FaultGateway
  /** The time of the month that is played. */
  nowMs = 0
  readonly #courses = new Map<string, Course>()
  readonly #asked = new Map<
    string,
    Omit<BookedPayment, 'state' | 'ids' | 'knownId' | 'attempts'> & { names: Set<unknown> }
  >()
  readonly #answered = new Set<string>()
  readonly #endings = new Map<string, { ending: Ending; atMs: number }>()
  readonly #givenUp = new Set<string>()

  private constructor(gateway: FaultGateway) {
    this.gateway = gateway
    gateway.askedForTime((call) =>
      answering({ status: 200, headers: { date: new Date(this.nowMs).toUTCString() } })(call),
    )
    gateway.always((call) => {
      const { method } = call.request
      return method === 'GET' ? this.#query(call) : this.#request(call)
    })
  }

  /** Starts the gateway; it is gone when the test is. */
  static async open(): Promise<GatewayBooks> {
    return new GatewayBooks(await startFaultGateway())
  }

  /** What transfers to a key, or refunds of a payment, will meet; others are simply carried out. */
  plan(target: string, course: Course): void {
    this.#courses.set(target, course)
  }

  /** What was carried out to a key, or as refunds of a payment, the newest last. */
  entriesFor(target: string): readonly LedgerEntry[] {
    return this.gateway.ledger.filter((entry) => targetOf(entry) === target)
  }

  /** Records the result of something that was carried out. */
  end(idTransaction: string, ending: Ending): void {
    this.#endings.set(idTransaction, { ending, atMs: this.nowMs })
  }

  /** Writes down that a person has looked, and found nothing that was carried out to this key. */
  giveUp(key: string): void {
    this.#givenUp.add(key)
  }

  /** Its result; null while it is open. */
  endingOf(idTransaction: string): Ending | null {
    return this.#endings.get(idTransaction)?.ending ?? null
  }

  /** All payments that were asked for, oldest first. */
  payments(): BookedPayment[] {
    return [...this.#asked].map(([identity, { names, ...payment }]) => {
      const entries = this.gateway.ledger.filter((entry) => this.#identityOf(entry) === identity)
      return {
        ...payment,
        ids: entries.map(({ idTransaction }) => idTransaction),
        knownId: this.#knownId(entries.at(-1), payment.target),
        attempts: names.size,
        state: this.#stateOf(entries, payment),
      }
    })
  }

  #knownId(entry: LedgerEntry | undefined, target: string): string | null {
    if (entry === undefined) return null
    const isTold = this.#answered.has(entry.idTransaction) || this.#courses.get(target)?.toldBy === 'event'
    return isTold ? entry.idTransaction : entry.externalId
  }

  #stateOf(
    entries: readonly LedgerEntry[],
    { target, kind }: Pick<BookedPayment, 'target' | 'kind'>,
  ): BookedPayment['state'] {
    // Nobody has paid a charge yet; a transfer or refund is being carried out.
    const open = kind === 'qr' ? 'pending' : 'accepted'
    const states = entries.map(
      ({ idTransaction }) => this.endingOf(idTransaction) ?? (this.#answered.has(idTransaction) ? open : 'unknown'),
    )
    for (const state of ['paid', open, 'unknown', 'returned', 'not-paid'] as const) {
      if (states.includes(state)) return state
    }
    if (this.#givenUp.has(target)) return 'not-paid'
    return this.#courses.get(target)?.first === 'request lost' ? 'unknown' : 'refused'
  }

  async #request(call: Call): Promise<void> {
    const body: Record<string, unknown> = JSON.parse(await call.read())
    const kind = kindOf(call.request.target)
    const entry = { kind, secret: secretOf(call.request), body }
    const identity = this.#identityOf(entry)
    const { secret } = entry
    const asked = this.#asked.get(identity) ?? {
      secret,
      kind,
      target: targetOf(entry),
      cents: this.centsOf(entry),
      atMs: this.nowMs,
      names: new Set(),
    }
    const isFirst = asked.names.size === 0
    asked.names.add(body.externalId)
    this.#asked.set(identity, asked)
    const course = this.#courses.get(asked.target)
    if (course?.end === 'refused' || (isFirst && course?.first === 'refused')) {
      const errorReply =
        kind === 'refund' ? errorAnswer(422, 'REFUND_NOT_ALLOWED') : errorAnswer(404, 'PIX_KEY_NOT_FOUND')
      return answering(errorReply)(call)
    }
    if (isFirst && course?.first === 'request lost') return resetAfterReading(call)
    if (isFirst && course?.first === 'answer lost') return resetAfterActing(call)
    const answer = await call.carryOut()
    for (const each of this.gateway.ledger) {
      if (this.#identityOf(each) === identity && each.externalId === (body.externalId ?? null)) {
        this.#answered.add(each.idTransaction)
      }
    }
    writeAnswer(call.socket, answer)
  }

  /** The service has a query for charges only. */
  async #query({ request, socket }: Call): Promise<void> {
    const id = new URL(request.target, 'http://gateway').searchParams.get('idTransaction')
    const charge = this.gateway.ledger.find(({ kind, idTransaction }) => kind === 'qr' && idTransaction === id)
    if (charge === undefined) return writeAnswer(socket, errorAnswer(404, 'TRANSACTION_NOT_FOUND'))
    const ended = this.#endings.get(charge.idTransaction)
    const isPaid = ended !== undefined && ended.ending !== 'not-paid'
    const [status, amount] = [this.statusOf(charge), this.centsOf(charge) / 100]
    const paidAt = isPaid ? { paidAt: new Date(ended.atMs).toISOString() } : {}
    writeAnswer(socket, jsonAnswer(200, { idTransaction: id, status, amount, ...paidAt, response: 'OK' }))
  }

  /** What a query for a charge is answered. A chargeback changes nothing in it. */
  statusOf(charge: LedgerEntry): 'PENDING' | 'EXPIRED' | 'PAID' | 'REFUNDED' {
    const ending = this.endingOf(charge.idTransaction)
    if (ending === null) return 'PENDING'
    if (ending === 'not-paid') return 'EXPIRED'
    return this.#refundedCents(charge.idTransaction) === this.centsOf(charge) ? 'REFUNDED' : 'PAID'
  }

  /** The amount of a request in cents; a refund without one is of the whole payment. */
  centsOf({ body }: Pick<LedgerEntry, 'body'>): number {
    const amount = body.value ?? body.amount
    if (amount !== undefined) return Math.round(Number(amount) * 100)
    const original = this.gateway.ledger.find(({ idTransaction }) => idTransaction === body.originalTransactionId)
    return original === undefined ? 0 : this.centsOf(original)
  }

  /** Nothing is paid twice to one key, and no two refunds of a payment have the same amount. */
  #identityOf(request: Request): string {
    return [request.secret, request.kind, targetOf(request), this.centsOf(request)].join(' ')
  }

  #refundedCents(original: string): number {
    return this.gateway.ledger
      .filter((entry) => entry.kind === 'refund' && targetOf(entry) === original)
      .filter(({ idTransaction }) => this.endingOf(idTransaction) === 'paid')
      .reduce((sum, entry) => sum + this.centsOf(entry), 0)
  }
}

type Request = Pick<LedgerEntry, 'kind' | 'secret' | 'body'>

function targetOf({ kind, body }: Request): string {
  return String({ transfer: body.key, qr: body.requestNumber, refund: body.originalTransactionId }[kind])
}

function kindOf(target: string): LedgerEntry['kind'] {
  if (target.endsWith('/pix-payment')) return 'transfer'
  return target.endsWith('/pix-refund') ? 'refund' : 'qr'
}

/** The day of a payment in São Paulo. */
export function dayOf({ atMs }: Pick<BookedPayment, 'atMs'>): string {
  return saoPauloDay(atMs)
}
