import { join } from 'node:path'
import { type Journal, openJournal } from '../../src/timeline/journal.ts'
import type { EventOwner } from '../../src/timeline/records.ts'
import { readEventFacts } from '../../src/wire/eventFacts.ts'
import type { World } from '../world.ts'
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
  /** The statuses of the answers when it was passed on. */
  forwards?: readonly { url: string; status: number | null; error?: string }[]
}

/** The journal of this world's machine, whose clock stands at `nowMs`. */
export function journalOf(world: World, nowMs = 0): Journal {
  return openJournal({
    folder: join(world.home, 'data'),
    user: 'nobody',
    machine: 'nowhere',
    now: () => nowMs,
    newId: () => crypto.randomUUID(),
    notice: () => undefined,
    exclusively: (work) => work(),
  })
}

/** Keeps an event as if it had arrived; its number. */
export async function recordEvent(world: World, body: string, about: Recorded = {}): Promise<number> {
  const { owner = LOCAL, receivedAtMs = Date.now(), forwards = [], via = 'listen' } = about
  const headers = about.headers ?? headersOf(body)
  const facts = readEventFacts(body)
  if (facts === undefined) throw new Error('only JSON is recorded')
  const journal = journalOf(world, receivedAtMs)
  const arrival = { facts, body: Buffer.from(body), target: '/', headers, owner, isSigned: true, receivedAtMs }
  const { n } = await journal.keep({ ...arrival, via })
  for (const { url, status, error } of forwards) journal.noteForward({ n, url, status, ms: 1, error: error ?? null })
  await journal.settled()
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
