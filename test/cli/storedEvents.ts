import { type ReceivedEvent, type StoredEvent, storeEvent, storeForward } from '../../src/ledger/events.ts'
import type { ForwardRecord } from '../../src/ledger/records.ts'
import { readEventFacts } from '../../src/wire/eventFacts.ts'
import { writeTo } from '../ledger/storedLedger.ts'
import type { World } from '../world.ts'

/** Stores an event in the ledger of a world's machine, as a listener does, with the results of forwarding it. */
export function storeIn(
  world: Pick<World, 'env'>,
  event: ReceivedEvent,
  forwards: readonly Omit<ForwardRecord, 'type' | 'n' | 'event'>[] = [],
): Promise<StoredEvent> {
  return writeTo(world, (writer) => {
    const stored = storeEvent(writer, event)
    for (const forward of forwards) storeForward(writer, { n: stored.n, event: stored.id, ...forward })
    return stored
  })
}

/** A genuine webhook with this body, as it would have arrived at a listener of the built-in sandbox. */
export function receivedEvent(body: string | Buffer, more: Partial<ReceivedEvent> = {}): ReceivedEvent {
  const bytes = Buffer.from(body)
  const facts = readEventFacts(bytes.toString('utf8'))
  if (facts === undefined) throw new Error('only JSON is recorded')
  return {
    facts,
    body: bytes,
    target: '/webhooks?a=1',
    headers: [
      ['Host', '127.0.0.1:4242'],
      ['Content-Type', 'application/json'],
      ['X-Signature', 'ab'.repeat(32)],
    ],
    owner: { profile: 'shop', environment: 'sandbox', baseUrl: 'http://127.0.0.1:4010', clientId: 'shop-id' },
    isSigned: true,
    via: 'listen',
    receivedAtMs: Date.parse('2026-11-21T17:03:07Z'),
    ...more,
  }
}
