import type { EventOwner } from '../../src/ledger/accounts.ts'
import type { World } from '../world.ts'
import { receivedEvent, storeIn } from './storedEvents.ts'
import { hmac } from './webhookTarget.ts'

/** Of the profile that is used while nothing is set up. */
export const LOCAL: EventOwner = {
  profile: 'local',
  environment: 'sandbox',
  baseUrl: 'http://127.0.0.1:4010',
  clientId: 'local',
}

/** What an event of these tests is made of, beside its body. */
interface Recorded {
  owner?: EventOwner
  receivedAtMs?: number
  headers?: [name: string, value: string][]
  via?: 'listen' | 'import'
  /** The results of forwarding it. */
  forwards?: readonly { url: string; status: number | null; error?: string }[]
}

/** Records an event as if it had arrived; its number. */
export async function recordEvent(world: World, body: string, about: Recorded = {}): Promise<number> {
  const { owner = LOCAL, receivedAtMs = Date.now(), forwards = [], via = 'listen' } = about
  const headers = about.headers ?? headersOf(body)
  const { n } = await storeIn(
    world,
    receivedEvent(body, { target: '/', headers, owner, via, receivedAtMs }),
    forwards.map(({ url, status, error }) => ({ url, status, ms: 1, body: '', error: error ?? null })),
  )
  return n
}

/** As a gateway writes them: order and spelling of their own. */
export function headersOf(body: string, encoding: 'hex' | 'base64' = 'hex'): [name: string, value: string][] {
  return [
    ['Host', 'shop.example.com'],
    ['x-signature', hmac(body, 'local-secret', encoding)],
    ['Content-Type', 'application/json; charset=utf-8'],
    ['X-Trace', '1'],
    ['Connection', 'keep-alive'],
    ['X-Trace', '2'],
  ]
}

/** The body of a payment's event. */
export function paymentBody(idTransaction: string, amount = '10.50'): string {
  return `{ "event": "pix.received", "data": {"idTransaction":"${idTransaction}","status":"PAID","amount":${amount}} }\n`
}
