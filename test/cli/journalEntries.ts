import { randomUUID } from 'node:crypto'
import { join } from 'node:path'
import { type Journal, openJournal } from '../../src/timeline/journal.ts'
import { readEventFacts } from '../../src/wire/eventFacts.ts'
import type { World } from '../world.ts'

type Arrival = Parameters<Journal['keep']>[0]

/** The journal of a world's machine. */
export function journalOf({ home }: World): Journal {
  return openJournal({
    folder: join(home, 'data'),
    user: 'ana',
    machine: 'desk',
    now: () => Date.now(),
    newId: () => randomUUID(),
    notice: (line) => {
      throw new Error(line)
    },
    exclusively: (work) => work(),
  })
}

/** A genuine webhook with this body, as it would have arrived at a listener of the built-in sandbox. */
export function arrivalOf(body: string | Buffer, more: Partial<Arrival> = {}): Arrival {
  const bytes = Buffer.from(body)
  const facts = readEventFacts(bytes.toString('utf8'))
  if (facts === undefined) throw new Error('a journal keeps JSON only')
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
