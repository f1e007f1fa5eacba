import { storeEvent } from '../../src/ledger/events.ts'
import { headersOf, paymentBody } from '../cli/recordedEvents.ts'
import { receivedEvent } from '../cli/storedEvents.ts'
import { writeTo } from '../ledger/storedLedger.ts'
import type { World } from '../world.ts'

/** Records many events in one transaction; the id of the first one is `id-1`. */
export function storeManyEvents(world: World, count: number): Promise<void> {
  return writeTo(world, (writer) => {
    for (let n = 1; n <= count; n++) {
      const body = paymentBody(`id-${n}`, `${n}.00`)
      storeEvent(writer, receivedEvent(body, { headers: headersOf(body), receivedAtMs: Date.now() }))
    }
  })
}
